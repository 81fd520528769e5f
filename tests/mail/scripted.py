"""The base of scripted mail servers."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Self

HANG_UP = "(hang up)"
"""A mark at the end of an answer. The server closes the connection after this answer."""


class Script(ABC):
    """A server that listens on `port` while it is running, and records received commands in `heard`."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.port = 0
        self.clients: dict[asyncio.Task[None] | None, asyncio.StreamWriter] = {}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Self]:
        listening = await asyncio.start_server(self._serve, "127.0.0.1")
        self.port = listening.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            listening.close()
            for writer in self.clients.values():
                writer.close()
            if tasks := [task for task in self.clients if task]:
                done, _ = await asyncio.wait(tasks, timeout=2)
                await asyncio.gather(*done)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.clients[asyncio.current_task()] = writer
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            await self.talk(reader, writer)
        writer.close()

    @abstractmethod
    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Greet a client, and answer its commands until it disconnects."""

    def write(self, writer: asyncio.StreamWriter, answer: str) -> str:
        """Write an answer and return it without `HANG_UP`. If it ends with `HANG_UP`, close the connection."""
        text, hangs_up, _ = answer.partition(HANG_UP)
        writer.write(text.encode())
        if hangs_up:
            writer.close()
        return text
