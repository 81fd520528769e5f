"""A wire between takmail and a mail server: it breaks after any byte, falls silent, or answers in its place."""

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
    """What happens once so many more bytes have passed one way.

    Everybody hangs up, or the wire falls silent that way until takmail calls anew.
    """

    way: Way
    after: int
    is_silent: bool = False
    is_over: bool = False


@dataclass
class Wire:
    """Listens on a port of its own and passes everything on to a server's.

    `answers` are said in the server's place: to the client's next lines that match the pattern, each once; `always`
    are said every time. `{tag}` stands for an IMAP command's tag. `heard` are the client's lines but for those of a
    letter, `passed` counts bytes, and `idles` tells whether the server has taken takmail's IDLE; when it does,
    `happens` is set. Where it is silent, the loop's clock goes on by `patience` seconds at once.
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
        """Let the wire break after so many more bytes."""
        self.broken = Break(way, count, is_silent)
        return self.broken

    def answer(self, pattern: str, *answers: str) -> None:
        """Say these in the server's place to the next lines that begin so."""
        self.answers[pattern] = [*answers]

    def say(self, line: str) -> None:
        """Say a line in the server's place, unasked."""
        for call in self._open.values():
            call.to_client.write(f"{line}\r\n".encode())

    def is_silent(self) -> None:
        """Let takmail have waited in vain, a moment after it has begun to wait."""
        loop = asyncio.get_running_loop()
        now, patience = loop.time, self.patience

        def goes_on() -> None:
            loop.time = lambda: now() + patience  # type: ignore[method-assign]

        loop.call_later(0.01, goes_on)

    def hang_up(self) -> None:
        """End every connection."""
        self.idles = False
        for call in self._open.values():
            call.close()

    async def call(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection of the client's."""
        task = asyncio.current_task()
        assert task is not None
        self.connections += 1
        if self.broken is not None and self.broken.is_over:
            self.broken = None  # takmail has given up the silent one
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
        """Hang up and wait until nothing is left."""
        self.hang_up()
        if self._open:
            await asyncio.wait(self._open)

    def stands_in(self, line: str) -> str | None:
        """What is said in the server's place."""
        for pattern, answers in self.answers.items():
            if answers and re.match(pattern, line):
                return answers.pop(0)
        return next((said for pattern, said in self.always.items() if re.match(pattern, line)), None)

    def left(self, way: Way, data: bytes) -> bytes:
        """What of these bytes passes; all later ones don't, if that is less."""
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
        """The client's lines, one by one."""
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
        """What the server says, as it comes."""
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
        """Pass bytes on; False once the wire is broken and everybody has hung up."""
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
        """Say something in the server's place; True where that is the end of the connection."""
        text, hangs_up, _ = said.partition(HANG_UP)
        self.to_client.write(text.replace(SILENCE, "").encode())
        if SILENCE in text:
            self.wire.is_silent()
        if hangs_up:
            self.close()
        return bool(hangs_up)


@asynccontextmanager
async def wire(server: int) -> AsyncIterator[Wire]:
    """A wire to a server's port."""
    it = Wire(server)
    listening = await asyncio.start_server(it.call, "127.0.0.1")
    it.port = listening.sockets[0].getsockname()[1]
    try:
        yield it
    finally:
        listening.close()
        await it.end()
        await listening.wait_closed()
