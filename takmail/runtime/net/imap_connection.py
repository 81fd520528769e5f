"""An IMAP connection with time limits, so that no command waits forever. It uses aioimaplib's protocol."""

import asyncio
import re
import ssl
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from itertools import chain, repeat
from typing import Any, Self, TypeVar

from aioimaplib.aioimaplib import AUTH, AioImapException, Command, IMAP4ClientProtocol, Response

from takmail.limits.mails import MAX_IMAP_ANSWER_BYTES, MAX_IMAP_ANSWER_LINES, MAX_IMAP_LINE_BYTES
from takmail.runtime.net.imap_syntax import Lines
from takmail.runtime.net.login_errors import NoGreeting, explained, to_check

T = TypeVar("T")

SECTION = "imap"
"""The section of config.toml that the errors refer to."""

_CLOSE_SECONDS = 2.0
# The maximum time for one command, as a multiple of the time limit for an answer. It applies even if the server keeps
# sending.
_MAX_LIMITS = 20
# After a disconnect, the library's tasks may still have an answer that came just before it.
_LATE_ANSWER_SECONDS = 0.05

# The library handles lines recursively, so it gets few of them at once.
_FEW_LINES = re.compile(rb"(?:.*?\r\n){1,50}|.+", re.DOTALL)
_VALIDITY = re.compile(rb"\* OK \[UIDVALIDITY (\d+)\]", re.IGNORECASE)


class MailboxLost(ConnectionError):  # noqa: N818  (the name says what happened)
    """The mailbox can't be used now, usually because the connection is lost or unreliable.

    The caller should open a new connection after a pause.
    """


class _Silent(MailboxLost):
    """The server did not answer in time."""


class CommandRefused(MailboxLost):
    """The server answered NO or BAD to a command. The message quotes the answer for the operator.

    Unlike after other causes of MailboxLost, the connection stays usable, and the caller may go on with other commands.
    """


class _WrongGreeting(Exception):  # noqa: N818  (the name says what happened)
    """The server greeted with something that allows no login. The message is for the operator."""


class ImapProtocol(IMAP4ClientProtocol):  # type: ignore[misc,unused-ignore]
    """aioimaplib's protocol. It also records the loss of the connection, the time of the last data, and new mail.

    It drops the connection if an answer is over one of the limits on its length.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.lost: asyncio.Future[str] = loop.create_future()
        self.greeted: asyncio.Future[None] = loop.create_future()
        self.news: asyncio.Future[None] = loop.create_future()
        self.heard = loop.time()
        self.spoken = False
        self.validity: bytes | None = None
        self._replies: Iterator[str] = iter(())
        self.begin_answer()

    def begin_answer(self) -> None:
        """Measure what the server sends from now on as the answer to the next command."""
        self._bytes = 0
        self._lines = 0

    def data_received(self, d: bytes) -> None:
        self.heard = asyncio.get_running_loop().time()
        self.spoken = True
        # The library drops an EXISTS that comes with the answer to SEARCH, FETCH or STORE, and the server doesn't
        # repeat it in IDLE. If a mail contains the word, that costs one search. If the word is split over two reads,
        # the new mail is noticed at the next poll.
        if b" EXISTS\r\n" in d and not self.news.done():
            self.news.set_result(None)
        self._bytes += len(d)
        for piece in _FEW_LINES.findall(d):
            if not self.lost.done():
                try:
                    super().data_received(piece)
                except AioImapException as reason:
                    # An answer that nobody waits for. An error that leaves here would be logged as a fault of asyncio.
                    self._drop(str(reason))
                else:
                    self._check_length()

    def _check_length(self) -> None:
        """Drop the connection if the server sends too much. A new one has nothing to tell of what came before it."""
        for size, most, what in (
            (self._bytes, MAX_IMAP_ANSWER_BYTES, "bytes"),
            (self._lines, MAX_IMAP_ANSWER_LINES, "lines"),
            (len(self.incomplete_line), MAX_IMAP_LINE_BYTES, "bytes in one line"),
        ):
            if size > most and not self.lost.done():
                self._drop(f"the server sent more than {most} {what} for one command")

    def _drop(self, why: str) -> None:
        self.lost.set_result(why)
        self.transport.abort()  # type: ignore[attr-defined,unused-ignore]

    def _handle_line(self, line: bytes, current_cmd: Any) -> Any:
        self._lines += 1
        return super()._handle_line(line, current_cmd)

    def forget_news(self) -> None:
        if self.news.done():
            self.news = asyncio.get_running_loop().create_future()

    def _untagged_response(self, line: bytes) -> Any:
        found = _VALIDITY.match(line)
        if found and self.validity not in (None, found[1]) and not self.lost.done():
            # The server must not change UIDVALIDITY while the mailbox is selected. Known UIDs would mean other mails.
            self.lost.set_result("the server has changed the mailbox's UIDVALIDITY")
        self.validity = found[1] if found else self.validity
        return super()._untagged_response(line)

    async def authenticate(self, mechanism: str, response: str, acknowledgement: str) -> Response:
        """Log in with SASL (RFC 3501 §6.2.2). The response leaves with the command if the server permits (RFC 4959).

        The server's further challenges are reasons for a refusal. Unlike here, the library leaves them unanswered.
        """
        command = [mechanism, response] if "SASL-IR" in self.capabilities else [mechanism]
        self._replies = chain([response][len(command) - 1 :], repeat(acknowledgement))
        answer = await self.execute(Command("AUTHENTICATE", self.new_tag(), *command), response)
        if answer.result == "OK":
            self.state = AUTH
        return answer

    def _continuation(self, line: bytes) -> None:
        super()._continuation(line)
        command: Any = self.pending_sync_command
        if command is not None and command.name == "AUTHENTICATE":
            self.transport.write(f"{next(self._replies)}\r\n".encode())  # type: ignore[attr-defined,unused-ignore]

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if not self.lost.done():
            self.lost.set_result(explained(exc, SECTION) if exc else "the server hung up")

    async def welcome(self, command: bytes) -> None:
        try:
            await super().welcome(command)
            if not self.greeted.done():
                self.greeted.set_result(None)
        except (AioImapException, IndexError):
            # The library raises the error in a task that nobody awaits, so it is passed on here.
            if not self.greeted.done():
                self.greeted.set_exception(_WrongGreeting(_greeted_with(command)))


class ImapConnection:
    """A connection to an IMAP server.

    If the connection fails, the method in progress raises MailboxLost. A command that was not finished also aborts the
    connection.
    """

    def __init__(
        self, transport: asyncio.Transport, protocol: ImapProtocol, server: str, limit: float
    ) -> None:
        self.transport = transport
        self.protocol = protocol
        self.server = server
        self.limit = limit

    @classmethod
    async def connect(cls, host: str, port: int, context: ssl.SSLContext | None, limit: float) -> Self:
        """Connect and wait for the greeting. `limit` is the maximum wait for it and for each answer, in seconds."""
        loop = asyncio.get_running_loop()
        server = f"{host}:{port}"
        try:
            async with asyncio.timeout(limit):
                transport, protocol = await loop.create_connection(
                    lambda: ImapProtocol(loop), host, port, ssl=context
                )
        except OSError as reason:
            raise MailboxLost(f"{server}: {explained(reason, SECTION)}") from reason
        line = cls(transport, protocol, server, limit)
        try:
            # The library's function for this can't be cancelled while the server sends no greeting.
            await line.run("the connection", asyncio.wait_for, protocol.greeted, None)
        except _Silent as late:
            await line.close()
            if protocol.spoken:
                raise
            raise MailboxLost(f"{server}: {explained(NoGreeting(), SECTION)}") from late
        except _WrongGreeting as greeting:
            await line.close()
            raise MailboxLost(f"{server}: {greeting}") from greeting
        except BaseException:
            await line.close()
            raise
        return line

    async def run(self, what: str, command: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
        """Run `command` and return its result. Raises MailboxLost if the connection is lost or silent for too long."""
        if self.protocol.lost.done():
            raise MailboxLost(f"{self.server}: {self.protocol.lost.result()}")
        self.protocol.begin_answer()
        task = asyncio.ensure_future(command(*args))
        try:
            await self._wait_for_answer(what, task)
            return task.result()
        except AioImapException as reason:
            self.drop(f"{what}: {reason}")
            raise MailboxLost(f"{self.server}: {what}: {reason}") from reason
        except BaseException:
            # After a cancellation, the next data from the server could be the answer to this command.
            self.drop(f"{what} was not finished")
            raise
        finally:
            await _cancel(task)

    async def _wait_for_answer(self, what: str, task: asyncio.Future[Any]) -> None:
        loop, lost = asyncio.get_running_loop(), self.protocol.lost
        began = loop.time()
        while not task.done():
            until = min(max(self.protocol.heard, began) + self.limit, began + _MAX_LIMITS * self.limit)
            if loop.time() >= until:
                raise _Silent(f"{self.server}: no answer to {what} within {self.limit:g} s")
            await _wait_for_first(until - loop.time(), task, lost)
            if lost.done() and not task.done():
                await _wait_for_first(_LATE_ANSWER_SECONDS, task)
                if not task.done():
                    raise MailboxLost(f"{self.server}: connection lost during {what}: {lost.result()}")

    async def ask(
        self, what: str, command: Callable[..., Coroutine[Any, Any, Response]], *args: Any
    ) -> Lines:
        """Run a command and return the lines of its answer. Raises CommandRefused on NO and BAD."""
        response = await self.run(what, command, *args)
        if response.result != "OK":
            raise CommandRefused(f"{self.server}: {what} was answered with {said(response)}")
        lines: Lines = response.lines
        return lines

    async def listen(self, seconds: float) -> bool:
        """Return whether the server reports new mail within `seconds`. Raises MailboxLost."""
        protocol = self.protocol
        await _wait_for_first(seconds, protocol.news, protocol.lost)
        if protocol.lost.done():
            raise MailboxLost(f"{self.server}: {protocol.lost.result()}")
        return protocol.news.done()

    async def idle(self, seconds: float) -> bool | None:
        """Do the same as `listen`, with IDLE (RFC 2177). Return None if the server refuses IDLE."""
        protocol = self.protocol
        protocol.begin_answer()
        idling = asyncio.ensure_future(protocol.idle())
        try:
            await _wait_for_first(seconds, idling, protocol.news, protocol.lost)
            if idling.done() and not protocol.lost.done():
                return None
            news = await self.listen(0)
            protocol.idle_done()
            await self.run("DONE", asyncio.wait_for, idling, None)
            return news
        except asyncio.CancelledError:
            # The connection stays usable. Although the task is cancelled, aioimaplib still lists IDLE as pending, and
            # sends no other command before the server has answered DONE.
            protocol.idle_done()
            raise
        finally:
            await _cancel(idling)
            while not protocol.idle_queue.empty():
                protocol.idle_queue.get_nowait()

    def drop(self, why: str) -> None:
        """Abort the connection. `why` is the reason for the operator."""
        if not self.protocol.lost.done():
            self.protocol.lost.set_result(why)
        self.transport.abort()

    async def close(self) -> None:
        """Log out if the server still answers, then close the connection, within about two seconds."""
        self.limit = min(self.limit, _CLOSE_SECONDS)
        try:
            with suppress(MailboxLost):
                await self.run("LOGOUT", self.protocol.logout)
        finally:
            self.drop("closed")
            for task in list(self.protocol.tasks):
                await _cancel(task)
            # The transport closes its socket in the next turn of the event loop.
            await asyncio.sleep(0)


def _greeted_with(line: bytes) -> str:
    """Return what a server greeted with, for the operator, and the advice if that is not IMAP."""
    words = f'the server greeted with "{line.decode("utf-8", "replace").strip()}"'
    return words if line.startswith(b"* ") else f"{words}, so it isn't IMAP; {to_check(SECTION, 'port')}"


def said(response: Response) -> str:
    """Return the text of a server's answer, for the operator."""
    last = response.lines[-1] if response.lines else b""
    return f"{response.result} {bytes(last).decode('utf-8', 'replace')}".strip()


async def _cancel(task: asyncio.Future[Any]) -> None:
    task.cancel()
    await _wait_for_first(_CLOSE_SECONDS, task)
    if task.done() and not task.cancelled():
        # Retrieve the exception, as asyncio would otherwise log that it was never retrieved.
        task.exception()


async def _wait_for_first(seconds: float, *futures: asyncio.Future[Any]) -> None:
    await asyncio.wait(futures, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
