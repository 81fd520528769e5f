"""What keeps the service from its work: told at once, then seldom, while it is tried again and again."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError

log = logging.getLogger(__name__)

TOLD_EVERY = timedelta(minutes=10)
"""How often the operator is told that something is still the same."""


@dataclass(slots=True)
class _Told:
    """What was told of a task at last, and when; `is_over`: it went on; `came_back`: and once more is stopped since."""

    said: str
    at: float
    is_over: bool = False
    came_back: bool = False


class Outages:
    """Knows which trouble of which task has been told, and when."""

    def __init__(self) -> None:
        self._told: dict[str, _Told] = {}

    async def pause(self, what: str, length: timedelta, error: Exception, stop: asyncio.Event) -> None:
        """Tell the operator what went wrong, and wait before the next attempt, or until `stop` is set."""
        said = first_line(_first(error))
        level = logging.WARNING if self.is_news(what, said) else logging.DEBUG
        log.log(level, "%s stopped, again in %s: %s", what, length, said)
        with suppress(TimeoutError):
            async with asyncio.timeout(length.total_seconds()):
                await stop.wait()

    def is_news(self, what: str, said: str) -> bool:
        """Whether it is to be told now what keeps a task from its work; it is held to be told then."""
        now = asyncio.get_running_loop().time()
        told = self._told.get(what)
        if told is not None and said == told.said and now - told.at < TOLD_EVERY.total_seconds():
            if not told.is_over:
                return False
            if not told.came_back:
                # What breaks and is mended by the next attempt, again and again, is told seldom, too.
                told.came_back = True
                return False
        self._told[what] = _Told(said, now)
        return True

    def over(self, what: str) -> None:
        """Note that a task does its work, and tell the operator where the last word was that it had stopped."""
        told = self._told.get(what)
        if told is None:
            return
        if not told.is_over:
            log.info("%s goes on", what)
        told.is_over, told.came_back = True, False


def _first(error: Exception) -> Exception:
    """What a database said first: a full disk ends a transaction, and then there is nothing left to roll back."""
    while isinstance(error, SQLAlchemyError) and isinstance(error.__context__, SQLAlchemyError):
        error = error.__context__
    return error


def first_line(error: Exception) -> str:
    """A database's error has its statement and a link on the lines below."""
    return next(iter(str(error).splitlines()), type(error).__name__)
