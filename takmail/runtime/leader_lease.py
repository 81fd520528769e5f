"""Elect one of the processes that use a database to poll the mailbox."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from takmail.store import leases, process_name
from takmail.store.database import UNAVAILABLE, Store

log = logging.getLogger(__name__)


class LeaderLease:
    """This process's lease on `what`. When this process has ended, another one takes over the lease."""

    def __init__(
        self, store: Store, what: str, name: str, is_gone: Callable[[str], bool] = process_name.is_gone
    ) -> None:
        self._store = store
        self._what = what
        self._name = name
        self._is_gone = is_gone

    async def run(self, work: Callable[[], Awaitable[None]]) -> None:
        """Wait for the lease, run `work`, and release the lease.

        If another process takes over the lease meanwhile, cancel `work` and return. Raises the errors of `work` and of
        the database.
        """
        waits = False
        while not self.take():
            if not waits:
                log.info("another process holds the lease on %s", self._what)
            waits = True
            await asyncio.sleep(leases.RENEWED_EVERY.total_seconds())
        working = asyncio.ensure_future(work())
        try:
            while not working.done():
                await asyncio.wait({working}, timeout=leases.RENEWED_EVERY.total_seconds())
                if not working.done() and not self.take():
                    log.warning("another process has taken over the lease on %s", self._what)
                    return
            working.result()
        finally:
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
            with suppress(*UNAVAILABLE):  # the lease expires by itself
                self.give_back()

    def take(self) -> bool:
        """Take or renew the lease. Return False if another process has the lease."""
        with self._store.transaction() as session:
            return leases.take(session, self._what, self._name, self._is_gone)

    def give_back(self) -> None:
        """Release the lease, so that another process can take it at once."""
        with self._store.transaction() as session:
            leases.give_back(session, self._what, self._name)
