"""Compute the delays before retries."""

from datetime import timedelta

GIVE_UP_AFTER = timedelta(days=5)
"""The time after which an undelivered letter fails (RFC 5321 §4.5.4.1 requires at least 4–5 days)."""

_LONGEST_BACKOFF = timedelta(minutes=5)
_LONGEST_RETRY = timedelta(hours=2)


def backoff(failures: int) -> timedelta:
    """Return the pause before reconnecting after this number of failures in a row.

    It is 1 second after the first failure and doubles up to 5 minutes.
    """
    return _doubled(timedelta(seconds=1), failures, _LONGEST_BACKOFF)


def retry_delay(attempts: int) -> timedelta:
    """Return the pause after this number of failed attempts to deliver a letter.

    It is 1 minute after the first attempt and doubles up to 2 hours.
    """
    return _doubled(timedelta(minutes=1), attempts, _LONGEST_RETRY)


def is_given_up(attempts: int) -> bool:
    """Return whether the pauses after this number of attempts add up to GIVE_UP_AFTER.

    The clock is not used, as it may have been set meanwhile.
    """
    waited = sum((retry_delay(one) for one in range(1, attempts)), timedelta(0))
    return waited >= GIVE_UP_AFTER


def _doubled(first: timedelta, times: int, longest: timedelta) -> timedelta:
    if times <= 0:
        return timedelta(0)
    # Every delay reaches its maximum before 20 doublings. More would only make huge numbers.
    return min(first * (1 << min(times - 1, 20)), longest)
