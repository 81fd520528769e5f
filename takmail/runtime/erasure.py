"""Erase players who have left from the mails and letters of others, a few rows at a time, so that no mail waits."""

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
"""How often a service looks for pending erasures."""

PAUSE = timedelta(milliseconds=50)
"""The pause after each step, for mails and letters. A step takes about as long."""

AGAIN = timedelta(minutes=10)
"""How long to wait after the database file could not be rewritten: trying takes long, a disk may be full for hours."""


class Eraser:
    """Runs the pending erasures. Their progress is in the database, so that any process can continue them.

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
        """As `work`, but mails and letters are handled after each step."""
        for _ in self._steps():
            await asyncio.sleep(PAUSE.total_seconds())

    def _steps(self) -> Iterator[None]:
        """Run one short transaction a step. The last step of each erasure also cleans the database file."""
        while True:
            # Steps that a power cut loses are done again.
            with self._store.transaction(durable=False) as session:
                one = go_on(session, self._limits)
            if one is None or (erasure_progress.is_done(one) and not self._finish(one)):
                return
            yield

    def _finish(self, one: ErasureRow) -> bool:
        """Rewrite the file, then mark the erasure as done. After a crash or a full disk that is retried."""
        if self._failed_at is not None and self._running() < self._failed_at + AGAIN.total_seconds():
            return False
        if not wipe(self._store, thoroughly=True):
            self._failed_at = self._running()
            return False
        with self._store.transaction() as session:
            erasure_progress.end(session, one)
        return True
