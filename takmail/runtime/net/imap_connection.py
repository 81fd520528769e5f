"""One IMAP connection on which nothing can hang: aioimaplib's protocol, with time limits of our own."""

import asyncio
import re
import ssl
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Self, TypeVar

from aioimaplib.aioimaplib import AioImapException, IMAP4ClientProtocol, Response

from takmail.runtime.net.imap_syntax import Lines
from takmail.runtime.net.login_errors import NoGreeting, explained

T = TypeVar("T")

_FAREWELL = 2.0
# No command may take longer than so many time limits, however busily the server talks meanwhile.
_PATIENCE = 20
# An answer that came just before the hang-up is still on its way through the library's tasks.
_GRACE = 0.05

_VALIDITY = re.compile(rb"\* OK \[UIDVALIDITY (\d+)\]", re.IGNORECASE)


class MailboxLost(ConnectionError):  # noqa: N818  (it says what happened)
    """The connection to the mailbox is gone or can't be trusted any more: open it afresh after a while."""


class _Silent(MailboxLost):
    """The server has not said for too long what it was asked for."""


class CommandRefused(MailboxLost):
    """The server said NO or BAD to a command that should work; the message quotes it for the operator.

    The connection is as good as before: other commands may well be taken.
    """


class ImapProtocol(IMAP4ClientProtocol):  # type: ignore[misc,unused-ignore]
    """aioimaplib's protocol, which tells besides when it was lost, when it last heard, and of new mail."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.lost: asyncio.Future[str] = loop.create_future()
        self.greeted: asyncio.Future[None] = loop.create_future()
        self.news: asyncio.Future[None] = loop.create_future()
        self.heard = loop.time()
        self.spoken = False
        self.validity: bytes | None = None

    def data_received(self, d: bytes) -> None:
        self.heard = asyncio.get_running_loop().time()
        self.spoken = True
        # The library drops an EXISTS that comes with the answer to SEARCH, FETCH or STORE, and the server
        # won't say it again in IDLE. Where the word stands in a mail, or is cut in two, it costs a search or
        # a poll.
        if b" EXISTS\r\n" in d and not self.news.done():
            self.news.set_result(None)
        super().data_received(d)

    def forget_news(self) -> None:
        if self.news.done():
            self.news = asyncio.get_running_loop().create_future()

    def _untagged_response(self, line: bytes) -> Any:
        found = _VALIDITY.match(line)
        if found and self.validity not in (None, found[1]) and not self.lost.done():
            # It should not change while the mailbox is selected; every UID that is known here is another mail's now.
            self.lost.set_result("the server has numbered the mailbox anew")
        self.validity = found[1] if found else self.validity
        return super()._untagged_response(line)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if not self.lost.done():
            self.lost.set_result(explained(exc) if exc else "the server hung up")

    async def welcome(self, command: bytes) -> None:
        try:
            await super().welcome(command)
            self.greeted.set_result(None)
        except (AioImapException, IndexError):
            # Raised into a task that nobody awaits: say it where it is heard.
            if not self.lost.done():
                self.lost.set_result("the server greeted with " + command.decode("utf-8", "replace"))


class ImapConnection:
    """A connection to an IMAP server; whatever goes wrong on it ends it, and raises MailboxLost."""

    def __init__(
        self, transport: asyncio.Transport, protocol: ImapProtocol, server: str, limit: float
    ) -> None:
        self.transport = transport
        self.protocol = protocol
        self.server = server
        self.limit = limit

    @classmethod
    async def connect(cls, host: str, port: int, context: ssl.SSLContext | None, limit: float) -> Self:
        """A connection that the server has greeted; each wait on it lasts `limit` seconds at most."""
        loop = asyncio.get_running_loop()
        server = f"{host}:{port}"
        try:
            async with asyncio.timeout(limit):
                transport, protocol = await loop.create_connection(
                    lambda: ImapProtocol(loop), host, port, ssl=context
                )
        except OSError as reason:
            raise MailboxLost(f"{server}: {explained(reason)}") from reason
        line = cls(transport, protocol, server, limit)
        try:
            # Not by the library's own wait, which can't be cancelled while the server keeps its greeting back.
            await line.run("the connection", asyncio.wait_for, protocol.greeted, None)
        except _Silent as late:
            await line.close()
            if protocol.spoken:
                raise
            raise MailboxLost(f"{server}: {explained(NoGreeting())}") from late
        except BaseException:
            await line.close()
            raise
        return line

    async def run(self, what: str, command: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
        """What `command` returns. Raises MailboxLost if the connection is lost or silent for too long."""
        if self.protocol.lost.done():
            raise MailboxLost(f"{self.server}: {self.protocol.lost.result()}")
        task = asyncio.ensure_future(command(*args))
        try:
            await self._settle(what, task)
            return task.result()
        except AioImapException as reason:
            self.drop(f"{what}: {reason}")
            raise MailboxLost(f"{self.server}: {what}: {reason}") from reason
        except BaseException:
            # Cancelled, too, leaves a command half done: what comes next on this line could be its answer.
            self.drop(f"{what} was not finished")
            raise
        finally:
            await _end(task)

    async def _settle(self, what: str, task: asyncio.Future[Any]) -> None:
        loop, lost = asyncio.get_running_loop(), self.protocol.lost
        began = loop.time()
        while not task.done():
            until = min(max(self.protocol.heard, began) + self.limit, began + _PATIENCE * self.limit)
            if loop.time() >= until:
                raise _Silent(f"{self.server}: no answer to {what} within {self.limit:g} s")
            await _first(until - loop.time(), task, lost)
            if lost.done() and not task.done():
                await _first(_GRACE, task)
                if not task.done():
                    raise MailboxLost(f"{self.server}: lost in {what}: {lost.result()}")

    async def ask(
        self, what: str, command: Callable[..., Coroutine[Any, Any, Response]], *args: Any
    ) -> Lines:
        """The lines that a command is answered with. Raises CommandRefused on NO and BAD."""
        response = await self.run(what, command, *args)
        if response.result != "OK":
            raise CommandRefused(f"{self.server}: {what} was answered with {said(response)}")
        lines: Lines = response.lines
        return lines

    async def listen(self, seconds: float) -> bool:
        """Whether the server spoke of new mail within `seconds`. Raises MailboxLost."""
        protocol = self.protocol
        await _first(seconds, protocol.news, protocol.lost)
        if protocol.lost.done():
            raise MailboxLost(f"{self.server}: {protocol.lost.result()}")
        return protocol.news.done()

    async def idle(self, seconds: float) -> bool | None:
        """IDLE (RFC 2177): as `listen`, with the server told to speak; None if it won't."""
        protocol = self.protocol
        idling = asyncio.ensure_future(protocol.idle())
        try:
            await _first(seconds, idling, protocol.news, protocol.lost)
            if idling.done() and not protocol.lost.done():
                return None
            news = await self.listen(0)
            protocol.idle_done()
            await self.run("DONE", asyncio.wait_for, idling, None)
            return news
        except asyncio.CancelledError:
            # The line stays good: the server's answer to this finds the library's command still waiting.
            protocol.idle_done()
            raise
        finally:
            await _end(idling)
            while not protocol.idle_queue.empty():
                protocol.idle_queue.get_nowait()

    def drop(self, why: str) -> None:
        """Hang up at once."""
        if not self.protocol.lost.done():
            self.protocol.lost.set_result(why)
        self.transport.abort()

    async def close(self) -> None:
        """Hang up, politely where the server still answers, within about two seconds."""
        self.limit = min(self.limit, _FAREWELL)
        try:
            with suppress(MailboxLost):
                await self.run("LOGOUT", self.protocol.logout)
        finally:
            self.drop("closed")
            for task in list(self.protocol.tasks):
                await _end(task)
            # One turn of the loop lets the transport close its socket.
            await asyncio.sleep(0)


def said(response: Response) -> str:
    """The server's own words in an answer, for the operator."""
    last = response.lines[-1] if response.lines else b""
    return f"{response.result} {bytes(last).decode('utf-8', 'replace')}".strip()


async def _end(task: asyncio.Future[Any]) -> None:
    task.cancel()
    await _first(_FAREWELL, task)
    if task.done() and not task.cancelled():
        # Looked at, so that asyncio does not complain of an error that nobody saw.
        task.exception()


async def _first(seconds: float, *futures: asyncio.Future[Any]) -> None:
    await asyncio.wait(futures, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
