"""A proxy between takmail and a server that cuts its connections between any two bytes."""

import asyncio
from math import log10
from random import Random

from tests.crash.listening import Listening

_CHUNK = 16 * 1024


class Wire(Listening):
    """Listens on `port` and passes all bytes on. Each connection is cut after a random number of bytes.

    Some connections are cut within the greeting, and all after `most` bytes, counted in both directions together.
    `cuts` counts the connections that were cut.
    """

    def __init__(self, host: str, to_port: int, random: Random, most: int) -> None:
        super().__init__(host)
        self.cuts = 0
        self._to_port = to_port
        self._random = random
        self._most = most

    async def _deal(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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
    """The number of bytes until a connection is cut, in both directions together."""

    def __init__(self, left: int) -> None:
        self.left = left
