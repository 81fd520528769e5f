"""Log what stops a task of the service: at once, then rarely while the task retries."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError

log = logging.getLogger(__name__)

LOGGED_EVERY = timedelta(minutes=10)
"""How often the log repeats an outage that continues."""


@dataclass(slots=True)
class _Logged:
    """The last outage of a task that was logged, and when.

    `is_over`: the task has resumed. `came_back`: it has stopped once more since.
    """

    said: str
    at: float
    is_over: bool = False
    came_back: bool = False


class Outages:
    """Track which outage of which task was logged, and when. Task names stand in log lines."""

    def __init__(self) -> None:
        self._logged: dict[str, _Logged] = {}

    async def pause(self, what: str, length: timedelta, error: Exception, stop: asyncio.Event) -> None:
        """Log an outage of task `what`, and wait `length` before the next attempt, or until `stop` is set."""
        said = first_line(_root_error(error))
        level = logging.WARNING if self.should_log(what, said) else logging.DEBUG
        log.log(level, "%s stopped; retrying in %s: %s", what, length, said)
        with suppress(TimeoutError):
            async with asyncio.timeout(length.total_seconds()):
                await stop.wait()

    def should_log(self, what: str, said: str) -> bool:
        """Return whether an outage is to be logged now. If so, note it as logged."""
        now = asyncio.get_running_loop().time()
        logged = self._logged.get(what)
        if logged is not None and said == logged.said and now - logged.at < LOGGED_EVERY.total_seconds():
            if not logged.is_over:
                return False
            if not logged.came_back:
                # An outage that the next attempt ends, again and again, is also logged rarely.
                logged.came_back = True
                return False
        self._logged[what] = _Logged(said, now)
        return True

    def resumed(self, what: str) -> None:
        """Note that a task works, and log it if the last line about it was an outage."""
        logged = self._logged.get(what)
        if logged is None:
            return
        if not logged.is_over:
            log.info("%s resumed", what)
        logged.is_over, logged.came_back = True, False


def _root_error(error: Exception) -> Exception:
    """Return the first error of a chain. A full disk ends a transaction; the rollback then raises again."""
    while isinstance(error, SQLAlchemyError) and isinstance(error.__context__, SQLAlchemyError):
        error = error.__context__
    return error


def first_line(error: Exception) -> str:
    """Return an error's first line. SQLAlchemy adds the statement and a link below it."""
    return next(iter(str(error).splitlines()), type(error).__name__)
