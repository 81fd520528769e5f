"""Keeping little: what is old is reduced to what the game needs, a few rows at a time, so that no mail waits for it."""

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
from takmail.pipeline.due import close
from takmail.pipeline.values import Conflict
from takmail.store import inbox, retention
from takmail.store.causes import Causes, again, new_cause
from takmail.store.database import Store

log = logging.getLogger(__name__)

EVERY = timedelta(days=1)
"""How often a service looks for what has become old."""

AT_ONCE = 200
"""How many rows one transaction looks at."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """The number of mails that were reduced; `refused` are the numbers of those that can't be, and then none is."""

    count: int
    refused: tuple[int, ...] = ()


class Retention:
    """What is kept, and no longer than `days`; `running` gives seconds that never leap.

    What is still stored as open, and time has closed, is closed.
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
        """Reduce what is old; gives how many mails and letters lost their bytes by it."""
        return sum(self._steps())

    def reduce_mails(self, numbers: Sequence[int]) -> Reduced:
        """Reduce these mails, all or none of them."""
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
        """As `work`, but mails and letters get their turn after each step."""
        reduced = 0
        for step in self._steps():
            reduced += step
            await asyncio.sleep(0)
        return reduced

    def _now(self) -> datetime:
        """The time, at most twice as far on as the last look is past: what a leap makes old may be young."""
        now, running = self._causes.clock(), self._running()
        if self._last is not None:
            then, began = self._last
            now = min(now, then + 2 * timedelta(seconds=running - began))
        self._last = (now, running)
        return now

    def _steps(self) -> Iterator[int]:
        """Each a transaction; what is yielded is how many were reduced in it."""
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
            while again(self._store, partial(_close_due, causes)):
                yield 0
        except Conflict as conflict:
            log.warning(
                "others are in the way of closing what is overdue, until the next round: %s", conflict
            )
        if reduced:
            log.info("%d old mails and letters reduced", reduced)
            wipe(self._store)


def _close_due(causes: Causes, session: Session) -> bool:
    """Close some of what is overdue; gives whether there was any."""
    due = retention.due(session, causes.clock(), AT_ONCE)
    cause = new_cause("what is overdue", causes.clock())
    return bool(causes.decide(session, cause, lambda context: close(context, due)).events)


def wipe(store: Store, *, thoroughly: bool = False) -> bool:
    """Leave no old bytes in the files; where that can't be done now, the operator is told, and it is False."""
    try:
        store.wipe(thoroughly=thoroughly)
    except sqlite3.OperationalError as error:
        again = "the next `forget me`, or SQLite's VACUUM," if thoroughly else "`takmail mail reduce`"
        log.warning("old bytes may still stand in the database's files; %s tries again: %s", again, error)
        return False
    return True
