"""Forgetting who has left, in the mails and letters of others: a few at a time, so that no mail waits for it."""

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
"""How often a service looks whether somebody has left."""

PAUSE = timedelta(milliseconds=50)
"""What a service leaves to mails and letters after each step, which takes about as long."""

AGAIN = timedelta(minutes=10)
"""How long it lets a file be that couldn't be written anew: trying takes long, and the disk may be full for hours."""


class Eraser:
    """What is still to be forgotten stands in the database: whoever finds it goes on with it.

    `running` gives seconds that never leap.
    """

    def __init__(self, store: Store, limits: Limits, running: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._limits = limits
        self._running = running
        self._failed_at: float | None = None

    def work(self) -> None:
        """Look through all that there is to look through."""
        for _ in self._steps():
            pass

    async def work_in_turns(self) -> None:
        """As `work`, but mails and letters get their turn after each step."""
        for _ in self._steps():
            await asyncio.sleep(PAUSE.total_seconds())

    def _steps(self) -> Iterator[None]:
        """Each a short transaction, and the last one for somebody followed by what cleans the database's file."""
        while True:
            # What a machine forgets that loses its power is done again.
            with self._store.transaction(lasting=False) as session:
                one = go_on(session, self._limits)
            if one is None or (erasure_progress.is_done(one) and not self._ends(one)):
                return
            yield

    def _ends(self, one: ErasureRow) -> bool:
        """Write the file anew, and then note it as done: who dies before, or can't write it, does it later."""
        if self._failed_at is not None and self._running() < self._failed_at + AGAIN.total_seconds():
            return False
        if not wipe(self._store, thoroughly=True):
            self._failed_at = self._running()
            return False
        with self._store.transaction() as session:
            erasure_progress.end(session, one)
        return True
