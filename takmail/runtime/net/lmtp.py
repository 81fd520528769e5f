"""The LMTP protocol (RFC 2033): a mail server hands over a mail and gets a reply for each recipient.

aiosmtpd implements the commands. This module reads the data after DATA itself, because aiosmtpd would keep every line
as a separate object, and would give one reply for all recipients if a mail is too long.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session, syntax

from takmail.limits.mails import MAX_LMTP_RECIPIENTS, Limits
from takmail.mail.address import normal_address
from takmail.mail.headers import one_line

END = b".\r\n"
"""The line that ends a mail (RFC 5321 §4.1.1.4). The line before it must end with CRLF."""


class MemoryBudget:
    """The number of bytes of memory that all mails being received may still take."""

    def __init__(self, free: int) -> None:
        self.free = free


class IncomingMail:
    """A mail that is being received. Only the beginning of a mail over the size limit is kept.

    `size` is the number of bytes received. `is_cut` is true if the mail is over the limit. `is_crowded` is true if
    there was not enough memory for the mail, and nothing of it is kept.
    """

    def __init__(self, limits: Limits, room: MemoryBudget) -> None:
        self.size = 0
        self.is_cut = False
        self.is_crowded = False
        self._kept = bytearray()
        self._limits = limits
        self._room = room
        # The DATA line before the mail ended with CRLF.
        self._tail = b"\r\n"

    def take(self, piece: bytes) -> bool:
        """Add the next bytes. Return whether they end the mail. They must not extend beyond the first END in them."""
        self.size += len(piece)
        self._tail = (self._tail + piece)[-len(END) - 2 :]
        self._keep(piece)
        if self._tail != b"\r\n" + END:
            return False
        self.size -= len(END)
        return True

    def content(self) -> bytes:
        """Return the mail, or its beginning if it was cut, with dot-stuffing removed (RFC 5321 §4.5.2)."""
        sent = b"\r\n" + self._kept[: self.size]
        return sent.replace(b"\r\n.", b"\r\n")[2:]

    def let_go(self) -> None:
        """Delete the content and return its memory to the budget."""
        self._cut(0)

    def _keep(self, piece: bytes) -> None:
        if self.is_crowded or self.is_cut:
            return
        if self.size > self._limits.mail_bytes + len(END):
            self.is_cut = True
            piece = piece[: max(0, self._limits.header_bytes - len(self._kept))]
            self._cut(self._limits.header_bytes)
        if len(piece) > self._room.free:
            self.is_crowded = True
            self.let_go()
        else:
            self._room.free -= len(piece)
            self._kept += piece

    def _cut(self, at_most: int) -> None:
        self._room.free += max(0, len(self._kept) - at_most)
        del self._kept[at_most:]


log = logging.getLogger(__name__)

HOSTNAME = "takmail"
"""The name in the greeting. It needs no DNS lookup, and no mail server has the same name."""

TIMEOUT = 300.0
"""The maximum number of seconds until the next command arrives, and until a whole mail has arrived."""


PIECE_BYTES = 64 * 1024
"""The maximum number of bytes of a mail that are processed at once."""


# Without slots: aiosmtpd looks for methods with `inspect.getmembers`, which raises on a frozen dataclass with slots in
# Python 3.11 before 3.11.4 (gh-102069), the one of Debian 12.
@dataclass(frozen=True)
class LmtpHandler:
    """What a connection needs: a test for takmail's addresses, the limits, and the function `accept`.

    `accept` gets a mail with its delivery headers, and its full length in bytes. Of a mail over the limit it gets only
    the beginning. It returns the reply, which is sent for every recipient, and must not raise.
    """

    is_own: Callable[[str], bool]
    accept: Callable[[bytes, int], Awaitable[str]]
    limits: Limits
    memory_budget: MemoryBudget

    # aiosmtpd calls these methods by name ("handler hooks").

    async def handle_RCPT(  # noqa: N802
        self, _server: LMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept a recipient if it is an address of takmail's."""
        if not self.is_own(normal_address(address)):
            return "550 5.1.1 Nobody has that address here"
        if len(envelope.rcpt_tos) >= MAX_LMTP_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_exception(self, error: Exception) -> str:
        """Answer a command that aiosmtpd can't parse. Some addresses cause this."""
        if not isinstance(error, OSError):  # a client that has disconnected gets no answer
            log.warning("LMTP: cannot parse a command (%s)", type(error).__name__)
        return "501 5.5.2 Not understood"


class Connection(LMTP):
    """The connection to one client.

    `is_taking` is true while the client sends a mail. If `is_leaving` is true, the client is disconnected after that.
    """

    line_length_limit = PIECE_BYTES

    def __init__(
        self,
        reception: LmtpHandler,
        on_connect: Callable[["Connection", asyncio.Task[None]], None],
        on_failure: Callable[[BaseException], None],
    ) -> None:
        super().__init__(
            reception,
            # No SIZE limit is announced, as a mail over the limit is accepted and its writer gets an answer.
            data_size_limit=None,
            enable_SMTPUTF8=True,
            hostname=HOSTNAME,
            ident="LMTP",
            timeout=TIMEOUT,
            loop=asyncio.get_running_loop(),
        )
        self.is_taking = False
        self.is_leaving = False
        self._reception = reception
        self._on_connect = on_connect
        self._on_failure = on_failure

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the connection, and report its task, or the error that prevents it."""
        try:
            super().connection_made(transport)
        except Exception as error:  # asyncio would leave the client waiting
            self._on_failure(error)
            transport.set_protocol(asyncio.Protocol())
            transport.close()
            return
        assert self._handler_coroutine is not None
        self._on_connect(self, self._handler_coroutine)

    def leave(self) -> None:
        """Disconnect the client, after its current mail if it is sending one."""
        self.is_leaving = True
        if not self.is_taking and isinstance(self.transport, asyncio.WriteTransport):
            self.transport.write(b"421 4.3.2 Going away\r\n")
            self.transport.close()

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - the name is aiosmtpd's
        """Receive one mail, and send a reply for each recipient (RFC 2033 §4.2)."""
        if await self.check_helo_needed("LHLO"):
            return
        assert self.envelope is not None
        recipients = self.envelope.rcpt_tos
        if arg or not recipients:
            await self.push("501 5.5.4 DATA stands alone" if arg else "503 5.5.1 No recipient yet")
            return
        self.is_taking = True
        try:
            await self.push("354 End with a dot on a line of its own")
            answer = await self._answer(_delivery_headers(self.envelope.mail_from, recipients))
            self.envelope = self._create_envelope()
            await self.push("\r\n".join([answer] * len(recipients)))
        finally:
            self.is_taking = False
        if self.is_leaving:
            self.leave()

    async def _answer(self, delivery: bytes) -> str:
        """Read the mail, pass it to `accept` and return the reply."""
        mail = IncomingMail(self._reception.limits, self._reception.memory_budget)
        try:
            while not mail.take(await self._piece()):
                pass
            if mail.is_crowded:
                return "452 4.3.1 Too much at once; try again later"
            raw = delivery + mail.content()
            return await self._reception.accept(raw, len(delivery) + mail.size if mail.is_cut else len(raw))
        finally:
            mail.let_go()

    async def _piece(self) -> bytes:
        """Read the next bytes of the mail, at most up to where it may end."""
        try:
            return await self._reader.readuntil(END)
        except asyncio.LimitOverrunError as over:
            return await self._reader.read(over.consumed)


def _delivery_headers(mail_from: str | None, recipients: list[str]) -> bytes:
    """Return the headers of a final delivery (RFC 5321 §4.4), which name the envelope's sender and recipients.

    The null sender is written as `<>`. No Received header with a time is added, so that each delivery of a mail has
    the same bytes.
    """
    # aiosmtpd does not check the sender: it may be `<>`, or contain anything that the client has sent.
    sender = one_line(mail_from or "").strip("<>")
    ours = dict.fromkeys(normal_address(one) for one in recipients)
    lines = (f"Return-Path: <{sender}>", *(f"Delivered-To: {one}" for one in ours), "")
    return "\r\n".join(lines).encode("utf-8", "replace")
