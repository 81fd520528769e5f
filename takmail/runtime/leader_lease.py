"""What one process alone does at a time, however many there are on the database: reading the mailbox."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from takmail.store import leases, process_name
from takmail.store.database import AWAY, Store

log = logging.getLogger(__name__)


class LeaderLease:
    """The lease on `what`, in the name of this process; another one takes it over when this one is gone."""

    def __init__(
        self, store: Store, what: str, name: str, is_gone: Callable[[str], bool] = process_name.is_gone
    ) -> None:
        self._store = store
        self._what = what
        self._name = name
        self._is_gone = is_gone

    async def run(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work for as long as the lease is held, and wait for it otherwise, until cancelled.

        Returns when the work does, and raises what it raises, or what is raised while the database is away.
        """
        waits = False
        while not self.take():
            if not waits:
                log.info("another process has %s in hand", self._what)
            waits = True
            await asyncio.sleep(leases.RENEWED_EVERY.total_seconds())
        working = asyncio.ensure_future(work())
        try:
            while not working.done():
                await asyncio.wait({working}, timeout=leases.RENEWED_EVERY.total_seconds())
                if not working.done() and not self.take():
                    log.warning("another process has taken %s over", self._what)
                    return
            working.result()
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
            with suppress(*AWAY):  # it runs out by itself
                self.give_back()

    def take(self) -> bool:
        """Take the lease or renew it; False: another process has it."""
        with self._store.transaction() as session:
            return leases.take(session, self._what, self._name, self._is_gone)

    def give_back(self) -> None:
        """Let another process take over at once."""
        with self._store.transaction() as session:
            leases.give_back(session, self._what, self._name)
