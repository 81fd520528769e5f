"""Delays before retries."""

from datetime import timedelta

GIVE_UP_AFTER = timedelta(days=5)
"""After this time an undelivered letter has failed (RFC 5321 §4.5.4.1: at least 4–5 days)."""

_LONGEST_BACKOFF = timedelta(minutes=5)
_LONGEST_RETRY = timedelta(hours=2)


def backoff(failures: int) -> timedelta:
    """Return the pause before reconnecting after `failures` in a row: 1 s doubling to 5 min, none for 0."""
    return _doubled(timedelta(seconds=1), failures, _LONGEST_BACKOFF)


def retry_delay(attempts: int) -> timedelta:
    """Return the pause after `attempts` failed attempts to deliver a letter: 1 min doubling to 2 h, none for 0."""
    return _doubled(timedelta(minutes=1), attempts, _LONGEST_RETRY)


def is_given_up(attempts: int) -> bool:
    """Return whether a letter with this many attempts has waited for `GIVE_UP_AFTER`.

    It adds up the pauses and ignores the clock, which may have been set meanwhile.
    """
    waited = sum((retry_delay(one) for one in range(1, attempts)), timedelta(0))
    return waited >= GIVE_UP_AFTER


def _doubled(first: timedelta, times: int, longest: timedelta) -> timedelta:
    if times <= 0:
        return timedelta(0)
    # After 20 doublings every delay is capped. The shift must not overflow for large counts.
    return min(first * (1 << min(times - 1, 20)), longest)
