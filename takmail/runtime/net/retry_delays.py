"""How long to wait before trying again."""

from datetime import timedelta

GIVE_UP_AFTER = timedelta(days=5)
"""A letter that could not be delivered for so long is failed (RFC 5321 §4.5.4.1: at least 4–5 days)."""

_LONGEST_BACKOFF = timedelta(minutes=5)
_LONGEST_RETRY = timedelta(hours=2)


def backoff(failures: int) -> timedelta:
    """The pause before connecting again after `failures` in a row: 1 s doubling to 5 min, none for 0."""
    return _doubled(timedelta(seconds=1), failures, _LONGEST_BACKOFF)


def retry_delay(attempts: int) -> timedelta:
    """The pause after `attempts` vain attempts to deliver a letter: 1 min doubling to 2 h; none for 0."""
    return _doubled(timedelta(minutes=1), attempts, _LONGEST_RETRY)


def is_given_up(attempts: int) -> bool:
    """Whether a letter that was put off so often has waited for `GIVE_UP_AFTER`.

    By what it has waited each time, and not by a clock, which may have been set meanwhile.
    """
    waited = sum((retry_delay(one) for one in range(1, attempts)), timedelta(0))
    return waited >= GIVE_UP_AFTER


def _doubled(first: timedelta, times: int, longest: timedelta) -> timedelta:
    if times <= 0:
        return timedelta(0)
    # Past 20 doublings every delay here is capped; a count of years must not overflow.
    return min(first * (1 << min(times - 1, 20)), longest)
