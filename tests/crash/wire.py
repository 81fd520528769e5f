"""A wire between takmail and a server that is cut again and again, between any two bytes."""

import asyncio
from contextlib import suppress
from math import log10
from random import Random
from typing import Self

_CHUNK = 16 * 1024


class Wire:
    """Listens on `port` and passes on what comes; each connection is cut after as many bytes as chance gives it.

    Some end within the greeting, and the longest of them have `most` bytes, in both directions together; `cuts` counts
    those that were cut.
    """

    def __init__(self, host: str, to_port: int, random: Random, most: int) -> None:
        self.cuts = 0
        self._host = host
        self._to_port = to_port
        self._random = random
        self._most = most
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
        with suppress(OSError, asyncio.CancelledError):
            await self._pass_on(reader, writer)
        self._links.discard(task)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(self._host, self._to_port)
        length = _Length(round(10 ** self._random.uniform(1.5, log10(self._most))))
        ways = [asyncio.create_task(self._one_way(*way, length)) for way in ((reader, back), (there, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for end in (writer, back):
                end.transport.abort()

    async def _one_way(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, length: "_Length"
    ) -> None:
        while data := await reader.read(_CHUNK):
            passed = data[: length.left]
            length.left -= len(passed)
            writer.write(passed)
            await writer.drain()
            if len(passed) < len(data):
                self.cuts += 1
                return


class _Length:
    """How many bytes a connection has left, in both directions together."""

    def __init__(self, left: int) -> None:
        self.left = left
