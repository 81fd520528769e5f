"""Tell faults of one piece of work from outages, and log outages: each one at once, and at growing intervals."""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError

from takmail.store.database import UNAVAILABLE, Store, advice, has_collided, is_damage

log = logging.getLogger(__name__)

READING = "mailbox polling"
SENDING = "delivery"
"""The names of the tasks that depend on the mail servers."""

LOGGED_AGAIN_AFTER = timedelta(seconds=10)
"""The time after which an outage that continues is logged a second time. Each further interval is twice as long."""

LOGGED_EVERY = timedelta(minutes=10)
"""The longest interval at which an outage that continues is logged again."""


_LONGEST_BACKOFF = timedelta(minutes=5)


@dataclass(slots=True)
class _Logged:
    """The last logged outage of a task. `at` is the event loop's time when it was logged.

    `again_after` is the interval after which the outage is logged again if it continues.
    `is_over` is true if the task has resumed since. `began_again` is true if the same outage began again later.
    """

    said: str
    at: float
    again_after: timedelta
    is_over: bool = False
    began_again: bool = False


class Outages:
    """Remembers the last logged outage of each task, and logs new ones. The names of tasks appear in log lines."""

    def __init__(self) -> None:
        self._logged: dict[str, _Logged] = {}
        # Since when each task has stopped, by the event loop's time, and the last reason.
        self._ongoing: dict[str, tuple[float, str]] = {}

    @property
    def ongoing(self) -> Mapping[str, tuple[int, str]]:
        """The tasks that have stopped: for how many seconds, and why."""
        now = asyncio.get_running_loop().time()
        return {what: (int(now - began), said) for what, (began, said) in self._ongoing.items()}

    async def pause(self, what: str, length: timedelta, error: Exception, stop: asyncio.Event) -> None:
        """Log an outage of task `what`, and wait `length` before the next attempt, or until `stop` is set."""
        root = _root_error(error)
        said = first_line(root) + advice(root)
        level = logging.WARNING if self.should_log(what, said) else logging.DEBUG
        log.log(level, "%s stopped; retrying in %s: %s", what, length, said)
        await wait_for(stop, length)

    def should_log(self, what: str, said: str) -> bool:
        """Note that a task has stopped, with the message `said`. Return whether that is to be logged now.

        If so, it counts as logged.
        """
        now = asyncio.get_running_loop().time()
        self._ongoing[what] = (self._ongoing.get(what, (now,))[0], said)
        logged = self._logged.get(what)
        again_after = LOGGED_AGAIN_AFTER
        if logged is not None and said == logged.said:
            since = timedelta(seconds=now - logged.at)
            if not logged.is_over:
                if since < logged.again_after:
                    return False
                again_after = min(logged.again_after * 2, LOGGED_EVERY)
            elif since < LOGGED_EVERY and not logged.began_again:
                # Don't log an outage each time if it keeps ending and beginning again.
                logged.began_again = True
                return False
        self._logged[what] = _Logged(said, now, again_after)
        return True

    def resumed(self, what: str) -> None:
        """Store that a task works. Log that it has resumed if its last log line was an outage."""
        self._ongoing.pop(what, None)
        logged = self._logged.get(what)
        if logged is None:
            return
        if not logged.is_over:
            log.info("%s resumed", what)
        logged.is_over, logged.began_again = True, False


def backoff(failures: int) -> timedelta:
    """Return the pause before reconnecting after this number of failures in a row.

    It is 1 second after the first failure and doubles up to 5 minutes.
    """
    return doubled(timedelta(seconds=1), failures, _LONGEST_BACKOFF)


def doubled(first: timedelta, times: int, longest: timedelta) -> timedelta:
    """Return the pause after something has failed so many times: `first`, and then twice the last one each time."""
    if times <= 0:
        return timedelta(0)
    # Every delay reaches its maximum before 20 doublings. More would only make huge numbers.
    return min(first * (1 << min(times - 1, 20)), longest)


@contextmanager
def isolated(note: Callable[[Exception], object]) -> Iterator[None]:
    """Pass an error of the block to `note`, as it must not stop other work. It may be a collision with a transaction.

    Raises errors that the database caused. If it is damaged, unavailable, busy or full, all work waits.
    """
    try:
        yield
    except Exception as error:  # the only broad `except` about work that is claimed
        if is_damage(error) or (isinstance(error, UNAVAILABLE) and not has_collided(error)):
            raise
        note(error)


async def wait_for(event: asyncio.Event, within: timedelta) -> None:
    """Wait until the event is set, but at most `within`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within.total_seconds()):
            await event.wait()


def _root_error(error: Exception) -> Exception:
    """Return the first database error of a chain.

    If a full disk ends a transaction, for example, the rollback fails with a second error.
    """
    while isinstance(error, SQLAlchemyError) and isinstance(error.__context__, SQLAlchemyError):
        error = error.__context__
    return error


def first_line(error: Exception) -> str:
    """Return the first line of an error's message. Below it, SQLAlchemy adds the statement and a link."""
    return next(iter(str(error).splitlines()), type(error).__name__)


def checkpoint(store: Store) -> None:
    """Remove deleted bytes from the database's files. Log a warning if that fails."""
    try:
        store.checkpoint()
    except sqlite3.OperationalError as error:
        log.warning("deleted bytes remain in the database's files until the next daily retention: %s", error)
