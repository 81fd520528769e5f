"""An LMTP client, as far as the tests need one."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from tests.support.cost import PATIENCE

TAK = "tak@example.org"
SOMEONE = "someone@example.net"


class Client:
    """A connection to an LMTP server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def at(cls, place: Path | int) -> Self:
        """Connect to a socket, or to a port of this machine."""
        if isinstance(place, int):
            return cls(*await asyncio.open_connection("127.0.0.1", place))
        return cls(*await asyncio.open_unix_connection(place))

    async def answer(self) -> str:
        """Return the last line of the next answer, "" if the server closed the connection."""
        try:
            async with asyncio.timeout(PATIENCE):
                while (line := (await self.reader.readline()).decode())[3:4] == "-":
                    pass
        except ConnectionError:  # the server closed the connection while more was being sent
            return ""
        return line.rstrip("\r\n")

    def send(self, raw: bytes) -> None:
        """Send bytes without waiting for an answer."""
        self.writer.write(raw)

    async def say(self, command: str | bytes) -> str:
        """Send a command and return the answer."""
        self.send((command.encode() if isinstance(command, str) else command) + b"\r\n")
        return await self.answer()

    async def begin(self, to: Sequence[str] = (TAK,), sender: str = SOMEONE) -> None:
        """Send all commands that precede a mail."""
        assert (await self.say(f"MAIL FROM:<{sender}>")).startswith("250")
        for one in to:
            assert (await self.say(f"RCPT TO:<{one}>")).startswith("250")
        assert (await self.say("DATA")).startswith("354")

    async def sent(self, raw: bytes, to: Sequence[str] = (TAK,), sender: str = SOMEONE) -> list[str]:
        """Send a mail and return the answer for each recipient."""
        await self.begin(to, sender)
        self.send(stuffed(raw) + b".\r\n")
        return [await self.answer() for _ in to]

    def hang_up(self) -> None:
        """Close the connection without QUIT."""
        self.writer.transport.abort()


def stuffed(raw: bytes) -> bytes:
    """Return a mail with its leading dots escaped and a final line end."""
    return (b"\r\n" + raw.removesuffix(b"\r\n")).replace(b"\r\n.", b"\r\n..")[2:] + b"\r\n"


@asynccontextmanager
async def connected(place: Path | int) -> AsyncIterator[Client]:
    """Yield a connection after the greeting."""
    client = await Client.at(place)
    try:
        assert (await client.answer()).startswith("220")
        assert (await client.say("LHLO mail.example.org")).startswith("250")
        yield client
    finally:
        client.hang_up()
