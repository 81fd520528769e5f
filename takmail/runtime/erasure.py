"""Run pending erasures: remove erased players from others' mails and letters, in steps that delay no mail."""

import asyncio
import time
from collections.abc import Callable, Iterator
from datetime import timedelta

from takmail.mail.limits import Limits
from takmail.runtime.retention import wipe
from takmail.store import erasure_progress
from takmail.store.database import Store
from takmail.store.erasure_progress import go_on
from takmail.store.tables import ErasureRow

EVERY = timedelta(seconds=10)
"""The interval at which a service checks for pending erasures."""

PAUSE = timedelta(milliseconds=50)
"""The pause after each step, in which mails and letters are handled. A step takes about as long."""

AGAIN = timedelta(minutes=10)
"""The pause after the database's file could not be rewritten. An attempt takes long, and a full disk may stay full."""


class Eraser:
    """Runs the pending erasures. Any process can continue them, as their progress is stored in the database.

    `running` returns monotonic seconds.
    """

    def __init__(self, store: Store, limits: Limits, running: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._limits = limits
        self._running = running
        self._failed_at: float | None = None

    def work(self) -> None:
        """Run all pending erasures."""
        for _ in self._steps():
            pass

    async def work_in_turns(self) -> None:
        """Run all pending erasures. Pause after each step, so that mails and letters are handled meanwhile."""
        for _ in self._steps():
            await asyncio.sleep(PAUSE.total_seconds())

    def _steps(self) -> Iterator[None]:
        """Run one short transaction in each step. The last step of an erasure also rewrites the database's file."""
        while True:
            # Not durable, as a step that is lost in a power cut is repeated.
            with self._store.transaction(durable=False) as session:
                one = go_on(session, self._limits)
            if one is None or (erasure_progress.is_done(one) and not self._finish(one)):
                return
            yield

    def _finish(self, one: ErasureRow) -> bool:
        """Rewrite the database's file, then delete the erasure. Return False if rewriting has to be retried later."""
        if self._failed_at is not None and self._running() < self._failed_at + AGAIN.total_seconds():
            return False
        if not wipe(self._store, thoroughly=True):
            self._failed_at = self._running()
            return False
        with self._store.transaction() as session:
            erasure_progress.end(session, one)
        return True
