"""The LMTP protocol (RFC 2033): a mail server hands over a mail and gets a reply for each recipient.

aiosmtpd implements it, except for the data after DATA. Its own reader keeps every line as a separate object, and
gives one reply for all recipients if a mail is too long.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session, syntax

from takmail.mail.address import normal_address
from takmail.mail.headers import one_line
from takmail.mail.limits import Limits

END = b".\r\n"
"""The end of a mail, on a separate line (RFC 5321 §4.1.1.4). After other line ends it is part of the mail."""


class MemoryBudget:
    """The bytes that all incoming mails may still use together."""

    def __init__(self, free: int) -> None:
        self.free = free


class IncomingMail:
    """A mail while it is received. Of a mail over the limit only the beginning is kept.

    `size` is its length in bytes as sent. `is_cut`: it is over the limit. `is_crowded`: there was no memory for it,
    and nothing is kept.
    """

    def __init__(self, limits: Limits, room: MemoryBudget) -> None:
        self.size = 0
        self.is_cut = False
        self.is_crowded = False
        self._kept = bytearray()
        self._limits = limits
        self._room = room
        # The DATA line before the mail ended with this.
        self._tail = b"\r\n"

    def take(self, piece: bytes) -> bool:
        """Add a piece. Return True if it ends the mail. A piece must not extend beyond the first END in it."""
        self.size += len(piece)
        self._tail = (self._tail + piece)[-len(END) - 2 :]
        self._keep(piece)
        if self._tail != b"\r\n" + END:
            return False
        self.size -= len(END)
        return True

    def content(self) -> bytes:
        """Return the mail, or its beginning, with dot-stuffing removed (RFC 5321 §4.5.2)."""
        sent = b"\r\n" + self._kept[: self.size]
        return sent.replace(b"\r\n.", b"\r\n")[2:]

    def let_go(self) -> None:
        """Free the memory."""
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
"""The name in the greeting. It needs no DNS lookup and differs from any mail server's name."""

TIMEOUT = 300.0
"""Seconds within which the next command has to come, and a whole mail once it has begun."""

MOST_RECIPIENTS = 100
"""Recipients that one mail may have (RFC 5321 §4.5.3.1.8)."""

PIECE_BYTES = 64 * 1024
"""Bytes of a mail that are processed at once."""


@dataclass(frozen=True, slots=True)
class LmtpHandler:
    """What a connection depends on: which addresses are ours, the limits, and the receiver of mails.

    `accept` gets a mail with its delivery headers, or the beginning of one over the limit, and its full length in
    bytes. Its reply holds for every recipient. It must not raise.
    """

    is_own: Callable[[str], bool]
    accept: Callable[[bytes, int], Awaitable[str]]
    limits: Limits
    memory_budget: MemoryBudget

    # aiosmtpd calls these methods by name ("handler hooks").

    async def handle_RCPT(  # noqa: N802
        self, _server: LMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept a recipient that is ours."""
        if not self.is_own(normal_address(address)):
            return "550 5.1.1 Nobody has that address here"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_exception(self, error: Exception) -> str:
        """Answer a command that aiosmtpd can't parse. Some addresses are among these."""
        if not isinstance(error, OSError):  # a client that has disconnected gets no answer
            log.warning("LMTP: cannot parse a command (%s)", type(error).__name__)
        return "501 5.5.2 Not understood"


class Connection(LMTP):
    """One client. `is_taking`: it is sending a mail. `is_leaving`: it is disconnected after that."""

    line_length_limit = PIECE_BYTES

    def __init__(
        self, reception: LmtpHandler, on_connect: Callable[["Connection", asyncio.Task[None]], None]
    ) -> None:
        super().__init__(
            reception,
            # No SIZE limit is announced. A mail over the limit is accepted, so that its writer gets an answer.
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

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start, and report the task of this connection."""
        super().connection_made(transport)
        assert self._handler_coroutine is not None
        self._on_connect(self, self._handler_coroutine)

    def leave(self) -> None:
        """Disconnect, after the current mail."""
        self.is_leaving = True
        if not self.is_taking and isinstance(self.transport, asyncio.WriteTransport):
            self.transport.write(b"421 4.3.2 Going away\r\n")
            self.transport.close()

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - the name is aiosmtpd's
        """Receive one mail, and reply for each recipient (RFC 2033 §4.2)."""
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
        """Read the mail, pass it on and return the reply."""
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
        """Read the next piece, up to where the mail may end."""
        try:
            return await self._reader.readuntil(END)
        except asyncio.LimitOverrunError as over:
            return await self._reader.read(over.consumed)


def _delivery_headers(mail_from: str | None, recipients: list[str]) -> bytes:
    """Return the headers of a final delivery (RFC 5321 §4.4): the envelope's sender, `<>` if null, and the recipients.

    There is no Received header with a time, so that a mail that is delivered again has the same bytes.
    """
    # aiosmtpd returns the null sender as written, and other content of the command as well.
    sender = one_line(mail_from or "").strip("<>")
    ours = dict.fromkeys(normal_address(one) for one in recipients)
    lines = (f"Return-Path: <{sender}>", *(f"Delivered-To: {one}" for one in ours), "")
    return "\r\n".join(lines).encode("utf-8", "replace")
