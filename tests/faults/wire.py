"""A proxy between takmail and a mail server that can break after any byte, become silent, or give its own answers."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum

HANG_UP = "(hang up)"
SILENCE = "(silence)"


class Way(Enum):
    """The direction of bytes, as seen from takmail."""

    UP = "to the server"
    DOWN = "from the server"


@dataclass
class Break:
    """A fault after a number of bytes in one direction.

    All connections are closed, or the wire becomes silent in that direction until takmail connects again.
    """

    way: Way
    after: int
    is_silent: bool = False
    is_over: bool = False


@dataclass
class Wire:
    """Listens on a port and passes everything on to a server's port.

    `answers` and `always` replace the server's answers to lines of the client that match a pattern. Each one in
    `answers` is used once, and those in `always` every time. `{tag}` is an IMAP command's tag. `heard` are the client's
    lines except those of a letter. `passed` counts bytes. `idles` is true if the server has accepted takmail's IDLE,
    and `happens` is set then. When the wire is silent, the loop's clock advances by `patience` seconds at once.
    """

    server: int
    port: int = 0
    broken: Break | None = None
    answers: dict[str, list[str]] = field(default_factory=dict)
    always: dict[str, str] = field(default_factory=dict)
    before: dict[str, Callable[[], Awaitable[None]]] = field(default_factory=dict)
    swallows: re.Pattern[bytes] | None = None
    heard: list[str] = field(default_factory=list)
    passed: dict[Way, int] = field(default_factory=lambda: dict.fromkeys(Way, 0))
    connections: int = 0
    patience: float = 0
    idles: bool = False
    happens: asyncio.Event = field(default_factory=asyncio.Event)
    _open: dict[asyncio.Task[None], "_Call"] = field(default_factory=dict)

    def break_after(self, way: Way, count: int, *, is_silent: bool = False) -> Break:
        """Break the wire after this many more bytes."""
        self.broken = Break(way, count, is_silent)
        return self.broken

    def answer(self, pattern: str, *answers: str) -> None:
        """Answer the next lines that match `pattern` instead of the server, one line with each answer."""
        self.answers[pattern] = [*answers]

    def say(self, line: str) -> None:
        """Send an unsolicited line to the client, as if from the server."""
        for call in self._open.values():
            call.to_client.write(f"{line}\r\n".encode())

    def is_silent(self) -> None:
        """Make takmail's wait for an answer time out soon after it has begun."""
        loop = asyncio.get_running_loop()
        now, patience = loop.time, self.patience

        def goes_on() -> None:
            loop.time = lambda: now() + patience  # type: ignore[method-assign]

        loop.call_later(0.01, goes_on)

    def hang_up(self) -> None:
        """Close every connection."""
        self.idles = False
        for call in self._open.values():
            call.close()

    async def call(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection of the client."""
        task = asyncio.current_task()
        assert task is not None
        self.connections += 1
        if self.broken is not None and self.broken.is_over:
            self.broken = None  # takmail has closed the silent connection
        if (greeting := self.stands_in("greeting")) is not None:
            writer.write(greeting.removesuffix(SILENCE).encode())
            if greeting.endswith(SILENCE):
                self.is_silent()
                await reader.read()
            writer.close()
            return
        try:
            up = await asyncio.open_connection("127.0.0.1", self.server)
        except OSError:
            writer.close()
            return
        self._open[task] = call = _Call(self, reader, writer, *up)
        with suppress(OSError, asyncio.IncompleteReadError):
            await asyncio.gather(call.up(), call.down(), return_exceptions=True)
        call.close()
        del self._open[task]

    async def end(self) -> None:
        """Close all connections and wait until their tasks have ended."""
        self.hang_up()
        if self._open:
            await asyncio.wait(self._open)

    def stands_in(self, line: str) -> str | None:
        """Return the answer to a line that replaces the server's, or None."""
        for pattern, answers in self.answers.items():
            if answers and re.match(pattern, line):
                return answers.pop(0)
        return next((said for pattern, said in self.always.items() if re.match(pattern, line)), None)

    def left(self, way: Way, data: bytes) -> bytes:
        """Return those of these bytes that pass before the wire breaks. After a break no bytes pass."""
        it = self.broken
        if it is None or it.way != way:
            return data
        if it.is_over:
            return b""
        passes = data[: it.after]
        it.after -= len(passes)
        it.is_over = it.after == 0
        return passes


@dataclass
class _Call:
    wire: Wire
    client: asyncio.StreamReader
    to_client: asyncio.StreamWriter
    server: asyncio.StreamReader
    to_server: asyncio.StreamWriter
    in_letter: bool = False
    asks_to_idle: bool = False

    async def up(self) -> None:
        """Pass on the client's lines."""
        while line := await self.client.readline():
            text = line.decode("utf-8", "replace").strip()
            tag, _, command = text.partition(" ")
            if not self.in_letter or text == ".":
                for pattern in [
                    one for one in self.wire.before if re.match(one, command) or re.match(one, text)
                ]:
                    await self.wire.before.pop(pattern)()
            if self.in_letter:
                self.in_letter = text != "."
            else:
                self.wire.heard.append(text)
                said = self.wire.stands_in(command) or self.wire.stands_in(text)
                if said is not None:
                    if self._say(said.replace("{tag}", tag)):
                        return
                    continue
            if not self._pass(Way.UP, line, self.to_server):
                return
            self.asks_to_idle = command == "IDLE"
            self.wire.idles = False
        self.close()

    async def down(self) -> None:
        """Pass on what the server sends."""
        while data := await self.server.read(65_536):
            if data.startswith(b"354"):
                self.in_letter = True
            if self.wire.swallows is not None:
                data = self.wire.swallows.sub(b"", data)
            if not self._pass(Way.DOWN, data, self.to_client):
                return
            if self.asks_to_idle and data.startswith(b"+"):
                self.wire.idles = True
            self.wire.happens.set()
        self.close()

    def close(self) -> None:
        self.wire.idles = False
        self.to_client.close()
        self.to_server.close()

    def _pass(self, way: Way, data: bytes, to: asyncio.StreamWriter) -> bool:
        """Pass bytes on. Return False once the wire is broken and all connections are closed."""
        it, passes = self.wire.broken, self.wire.left(way, data)
        self.wire.passed[way] += len(passes)
        to.write(passes)
        if it is not None and it.way == way and it.is_over:
            if it.is_silent:
                if passes != data:
                    self.wire.is_silent()
                return True
            self.wire.broken = None
            self.wire.hang_up()
            return False
        return True

    def _say(self, said: str) -> bool:
        """Send an answer to the client instead of the server's. Return whether it ends the connection."""
        text, hangs_up, _ = said.partition(HANG_UP)
        self.to_client.write(text.replace(SILENCE, "").encode())
        if SILENCE in text:
            self.wire.is_silent()
        if hangs_up:
            self.close()
        return bool(hangs_up)


@asynccontextmanager
async def wire(server: int) -> AsyncIterator[Wire]:
    """Yield a wire to a server's port."""
    it = Wire(server)
    listening = await asyncio.start_server(it.call, "127.0.0.1")
    it.port = listening.sockets[0].getsockname()[1]
    try:
        yield it
    finally:
        listening.close()
        await it.end()
        await listening.wait_closed()
