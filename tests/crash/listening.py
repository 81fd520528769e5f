"""A base class of test servers that listen on a port of this machine."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import Self


class Listening(ABC):
    """Listens on `port` and handles each connection. At the end the remaining connections are closed."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self._host = host
        self._links: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._link, self._host, 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for link in self._links:
            link.cancel()
        await asyncio.gather(*self._links, return_exceptions=True)

    async def _link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._links.add(task)
        try:
            with suppress(OSError, asyncio.CancelledError):
                await self._deal(reader, writer)
        finally:
            self._links.discard(task)

    @abstractmethod
    async def _deal(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection until it ends."""
