"""Run retention in steps that delay no mail: reduce old rows to what their games need, and close what has expired."""

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from sqlmodel import Session

from takmail.commands.answers import Effects
from takmail.commands.context import Context
from takmail.pipeline.due import close_overdue
from takmail.pipeline.process import Conflict
from takmail.store import clock, inbox, retention
from takmail.store.causes import Causes, new_cause, with_retries
from takmail.store.database import Store
from takmail.world import MailState

log = logging.getLogger(__name__)

EVERY = timedelta(days=1)
"""The interval at which a service runs retention."""

READ_EVERY = timedelta(hours=1)
"""The interval at which a service reads its clock, to know for how long it has stood."""

STRANGERS_MAILS_KEPT = timedelta(days=1)
"""How long the mails are kept of a sender who is no player and has proven nothing."""

AT_ONCE = 200
"""The maximum number of rows that one transaction handles."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """The result of reducing some mails at once. `count` is how many were reduced.

    If any of them can't be reduced, `refused` has their numbers, and no mail was reduced.
    """

    count: int
    refused: tuple[int, ...] = ()


class Retention:
    """Reduces rows older than `days`, and closes offers, seeks and questions that have expired.

    `running` returns monotonic seconds.
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
        self._read = running()
        self._last: datetime | None = None

    def work(self) -> int:
        """Do everything that is due, unless this object did it less than a day ago.

        Return how many mails and letters were reduced.
        """
        return sum(self._steps())

    def reduce_mails(self, numbers: Sequence[int]) -> Reduced:
        """Reduce these mails, all or none, whatever their age."""
        with self._store.transaction() as session:
            rows = {number: inbox.find(session, number) for number in numbers}
            refused = tuple(
                number for number, row in rows.items() if row is None or row.state == MailState.NEW
            )
            if refused:
                return Reduced(0, refused)
            count = retention.reduce_these_mails(session, numbers)
        checkpoint(self._store)
        return Reduced(count)

    async def work_in_turns(self) -> None:
        """Do the same as `work`, but let mails and letters be handled after each step."""
        for _ in self._steps():
            await asyncio.sleep(0)

    def _now(self) -> datetime:
        """Return the time by which rows may be reduced and closed, which is an earlier one if the clock has leapt."""
        now, running = self._causes.clock(), self._running()
        with self._store.transaction() as session:
            believed = clock.believed(session, now, timedelta(seconds=running - self._read))
        self._read = running
        if believed != now:
            log.warning(
                "the clock has leapt from %s to %s; until it has stood for a day, nothing is deleted or closed",
                believed,
                now,
            )
        return believed

    def _steps(self) -> Iterator[int]:
        """Run one transaction in each step, and yield the number of rows that it reduced."""
        now = self._now()
        if self._last is not None and timedelta(0) <= now - self._last < EVERY:
            return
        self._last = now
        reduced = 0
        mails = partial(
            retention.reduce_mails, key=self._causes.services.key, strangers_before=now - STRANGERS_MAILS_KEPT
        )
        for reduce in (mails, retention.reduce_letters):
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
            retention.forget_addresses(session, now - self._days)
        causes = replace(self._causes, clock=lambda: now)
        try:
            while with_retries(self._store, partial(_close_due, causes)):
                yield 0
        except Conflict as conflict:
            log.warning(
                "expired offers, seeks or questions stay open until the next run, because of conflicts: %s",
                conflict,
            )
        if reduced:
            log.info("%d old mails and letters reduced", reduced)
        checkpoint(self._store)


def _close_due(causes: Causes, session: Session) -> bool:
    """Close some offers, seeks and questions that have expired. Return whether there were any."""
    cause = new_cause("what is overdue", causes.clock())
    closed: list[object] = []

    def decide(context: Context) -> Effects:
        effects = close_overdue(context, AT_ONCE)
        closed[:] = effects
        return effects

    causes.decide(session, cause, decide)
    return bool(closed)


def checkpoint(store: Store) -> None:
    """Remove deleted bytes from the database's files. Log a warning if that fails."""
    try:
        store.checkpoint()
    except sqlite3.OperationalError as error:
        log.warning("deleted bytes remain in the database's files until the next daily retention: %s", error)
