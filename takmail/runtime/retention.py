"""Retention: reduce old rows to what a game still needs, a few at a time, so that no mail waits for it."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from sqlmodel import Session

from takmail.commands.kinds import MailState
from takmail.pipeline.overdue import close
from takmail.pipeline.values import Conflict
from takmail.store import inbox, retention
from takmail.store.causes import Causes, new_cause, with_retries
from takmail.store.database import Store

log = logging.getLogger(__name__)

EVERY = timedelta(days=1)
"""How often a service runs retention."""

AT_ONCE = 200
"""Rows that one transaction handles."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """The number of mails that were reduced. If some can't be, `refused` has their numbers and none was."""

    count: int
    refused: tuple[int, ...] = ()


class Retention:
    """Strips rows older than `days`. `running` returns monotonic seconds.

    It also closes what is stored as open although its time is over.
    """

    def __init__(
        self,
        store: Store,
        causes: Causes,
        days: int,
        running: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._causes = causes
        self._days = timedelta(days=days)
        self._running = running
        self._last: tuple[datetime, float] | None = None

    def work(self) -> int:
        """Reduce all old rows. Return how many mails and letters lost their bytes."""
        return sum(self._steps())

    def reduce_mails(self, numbers: Sequence[int]) -> Reduced:
        """Reduce these mails: all or none."""
        with self._store.transaction() as session:
            rows = {number: inbox.find(session, number) for number in numbers}
            refused = tuple(
                number for number, row in rows.items() if row is None or row.state == MailState.NEW
            )
            if refused:
                return Reduced(0, refused)
            count = retention.reduce_these_mails(session, numbers)
        wipe(self._store)
        return Reduced(count)

    async def work_in_turns(self) -> int:
        """As `work`, but mails and letters are handled after each step."""
        reduced = 0
        for step in self._steps():
            reduced += step
            await asyncio.sleep(0)
        return reduced

    def _now(self) -> datetime:
        """Return the time, advanced by at most twice the seconds since the last run.

        A clock that leaps ahead must not make young rows old.
        """
        now, running = self._causes.clock(), self._running()
        if self._last is not None:
            then, began = self._last
            now = min(now, then + 2 * timedelta(seconds=running - began))
        self._last = (now, running)
        return now

    def _steps(self) -> Iterator[int]:
        """Run one transaction a step, and yield how many rows it reduced."""
        now = self._now()
        reduced = 0
        for reduce in (retention.reduce_mails, retention.reduce_letters):
            last: int | None = 0
            while last is not None:
                with self._store.transaction() as session:
                    done = reduce(session, now - self._days, last, AT_ONCE)
                reduced += done.reduced
                last = done.last
                yield done.reduced
        with self._store.transaction() as session:
            retention.drop_words(session, now - self._days)
            retention.drop_reasons(session, now - self._days)
        causes = replace(self._causes, clock=lambda: now)
        try:
            while with_retries(self._store, partial(_close_due, causes)):
                yield 0
        except Conflict as conflict:
            log.warning("overdue rows stay open until the next round, because of conflicts: %s", conflict)
        if reduced:
            log.info("%d old mails and letters reduced", reduced)
            wipe(self._store)


def _close_due(causes: Causes, session: Session) -> bool:
    """Close some of what is overdue. Return whether there was any."""
    due = retention.overdue(session, causes.clock(), AT_ONCE)
    cause = new_cause("what is overdue", causes.clock())
    return bool(causes.decide(session, cause, lambda context: close(context, due)).events)


def wipe(store: Store, *, thoroughly: bool = False) -> bool:
    """Remove deleted bytes from the database's files. If that fails, log a warning and return False."""
    try:
        store.purge_freed_pages(thoroughly=thoroughly)
    except sqlite3.OperationalError as error:
        again = "the next `forget me`, or SQLite's VACUUM," if thoroughly else "`takmail mail reduce`"
        log.warning("deleted bytes may remain in the database's files; %s tries again: %s", again, error)
        return False
    return True
