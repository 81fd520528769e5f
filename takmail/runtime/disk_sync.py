"""Wait until commits are on disk, without stopping the event loop."""

import asyncio

from takmail.store.database import Store


class DiskSync:
    """Waits for the disk in a thread. Tasks that wait at the same time share one sync."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._running: asyncio.Task[None] | None = None
        self._next: asyncio.Task[None] | None = None

    async def wait(self) -> None:
        """Return once everything committed before the call is on disk. Raises the errors of `Store.sync`."""
        # The running sync may have begun before the commit.
        if self._next is None:
            self._next = asyncio.create_task(self._sync(self._running))
        await asyncio.shield(self._next)

    async def _sync(self, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait({before})
        self._running, self._next = self._next, None
        await asyncio.to_thread(self._store.sync)
