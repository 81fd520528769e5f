"""LMTP (RFC 2033): a mail server hands over a mail and gets an answer for each recipient.

aiosmtpd speaks it. What comes after DATA is read here: its own reader holds every line as an object of its own,
and knows one answer for all recipients where a mail is too long.
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
"""What a mail ends with, on a line of its own (RFC 5321 §4.1.1.4); with no other line ends it is part of the mail."""


class MemoryBudget:
    """How many bytes all mails that are in hand may still take up together."""

    def __init__(self, free: int) -> None:
        self.free = free


class IncomingMail:
    """One mail on its way in; of one over the limit only its beginning is held.

    `size` is its length in bytes as it is sent; `is_cut` tells that it is over the limit, `is_crowded` that there
    was no room, and nothing is held.
    """

    def __init__(self, limits: Limits, room: MemoryBudget) -> None:
        self.size = 0
        self.is_cut = False
        self.is_crowded = False
        self._held = bytearray()
        self._limits = limits
        self._room = room
        # The line before the mail, DATA, has ended so.
        self._tail = b"\r\n"

    def take(self, piece: bytes) -> bool:
        """Add a piece; True if the mail ends with it. A piece must reach no farther than the first END in it."""
        self.size += len(piece)
        self._tail = (self._tail + piece)[-len(END) - 2 :]
        self._hold(piece)
        if self._tail != b"\r\n" + END:
            return False
        self.size -= len(END)
        return True

    def content(self) -> bytes:
        """The mail, or its beginning, without the dots that were put before dots (RFC 5321 §4.5.2)."""
        sent = b"\r\n" + self._held[: self.size]
        return sent.replace(b"\r\n.", b"\r\n")[2:]

    def let_go(self) -> None:
        """Hold nothing any more."""
        self._cut(0)

    def _hold(self, piece: bytes) -> None:
        if self.is_crowded or self.is_cut:
            return
        if self.size > self._limits.mail_bytes + len(END):
            self.is_cut = True
            piece = piece[: max(0, self._limits.header_bytes - len(self._held))]
            self._cut(self._limits.header_bytes)
        if len(piece) > self._room.free:
            self.is_crowded = True
            self.let_go()
        else:
            self._room.free -= len(piece)
            self._held += piece

    def _cut(self, at_most: int) -> None:
        self._room.free += max(0, len(self._held) - at_most)
        del self._held[at_most:]


log = logging.getLogger(__name__)

HOSTNAME = "takmail"
"""What a connection calls itself: no name that has to be looked up, and none that a mail server has itself."""

PATIENCE = 300.0
"""Seconds within which the next command has to come, and a whole mail once it has begun."""

MOST_RECIPIENTS = 100
"""How many recipients one mail may have (RFC 5321 §4.5.3.1.8)."""

PIECE_BYTES = 64 * 1024
"""How much of a mail is looked at in one go."""


@dataclass(frozen=True, slots=True)
class LmtpHandler:
    """What a connection needs to know: which addresses are ours, what is too long, and who takes the mails.

    `accept` gets a mail with the headers of its delivery, or the beginning of one over the limit, and its whole
    length in bytes; what it answers holds for every recipient. It must not raise.
    """

    is_own: Callable[[str], bool]
    accept: Callable[[bytes, int], Awaitable[str]]
    limits: Limits
    room: MemoryBudget

    # What aiosmtpd calls, by these names (its "handler hooks").

    async def handle_RCPT(  # noqa: N802
        self, _server: LMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take a recipient that is ours."""
        if not self.is_own(normal_address(address)):
            return "550 5.1.1 Nobody has that address here"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_exception(self, error: Exception) -> str:
        """Answer a command that aiosmtpd can't read, as it can't some addresses."""
        if not isinstance(error, OSError):  # whoever has hung up gets no answer
            log.warning("LMTP: a command was not understood (%s)", type(error).__name__)
        return "501 5.5.2 Not understood"


class Connection(LMTP):
    """One client; `is_taking` a mail or not, and whether it `is_leaving` after that."""

    line_length_limit = PIECE_BYTES

    def __init__(
        self, reception: LmtpHandler, met: Callable[["Connection", asyncio.Task[None]], None]
    ) -> None:
        super().__init__(
            reception,
            # One over the limit is taken, too, and its writer told; so no length is announced.
            data_size_limit=None,
            enable_SMTPUTF8=True,
            hostname=HOSTNAME,
            ident="LMTP",
            timeout=PATIENCE,
            loop=asyncio.get_running_loop(),
        )
        self.is_taking = False
        self.is_leaving = False
        self._reception = reception
        self._met = met

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin, and tell by which task."""
        super().connection_made(transport)
        assert self._handler_coroutine is not None
        self._met(self, self._handler_coroutine)

    def leave(self) -> None:
        """Hang up, after the mail that is being taken."""
        self.is_leaving = True
        if not self.is_taking and isinstance(self.transport, asyncio.WriteTransport):
            self.transport.write(b"421 4.3.2 Going away\r\n")
            self.transport.close()

    @syntax("DATA")
    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - the name is aiosmtpd's
        """Take one mail, and answer for each recipient (RFC 2033 §4.2)."""
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
            answer = await self._answer(_trace(self.envelope.mail_from, recipients))
            self.envelope = self._create_envelope()
            await self.push("\r\n".join([answer] * len(recipients)))
        finally:
            self.is_taking = False
        if self.is_leaving:
            self.leave()

    async def _answer(self, trace: bytes) -> str:
        """Read the mail and hand it on; gives the answer."""
        mail = IncomingMail(self._reception.limits, self._reception.room)
        try:
            while not mail.take(await self._piece()):
                pass
            if mail.is_crowded:
                return "452 4.3.1 Too much at once; try again later"
            raw = trace + mail.content()
            return await self._reception.accept(raw, len(trace) + mail.size if mail.is_cut else len(raw))
        finally:
            mail.let_go()

    async def _piece(self) -> bytes:
        """What comes next, up to where the mail may end."""
        try:
            return await self._reader.readuntil(END)
        except asyncio.LimitOverrunError as over:
            return await self._reader.read(over.consumed)


def _trace(mail_from: str | None, recipients: list[str]) -> bytes:
    """The headers of a final delivery: the sender in the envelope, `<>` for none, and who the mail came for.

    RFC 5321 §4.4. There is no Received with a time, so that a mail which comes again has the same bytes.
    """
    # aiosmtpd gives the null sender as it was written, and whatever else may stand in a command.
    sender = one_line(mail_from or "").strip("<>")
    ours = dict.fromkeys(normal_address(one) for one in recipients)
    lines = (f"Return-Path: <{sender}>", *(f"Delivered-To: {one}" for one in ours), "")
    return "\r\n".join(lines).encode("utf-8", "replace")
