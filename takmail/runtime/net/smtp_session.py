"""Send letters over an SMTP connection that is open and logged in (RFC 5321).

If the server permits it, all commands before a letter's text leave in one write (PIPELINING, RFC 2920). A letter then
takes two round trips and not four.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

import aiosmtplib
from aiosmtplib import SMTPResponse

_MAX_LINE_BYTES = 8 * 1024
_MAX_ANSWER_LINES = 100
_NO_CODE = -1
"""The code of an answer that has none, as in aiosmtplib."""
_OK, _WILL_FORWARD, _GO_ON, _CLOSING = 250, 251, 354, 421
_CODE = re.compile(rb"[2-5]\d\d")
_BARE_LINE_END = re.compile(rb"\r(?!\n)|(?<!\r)\n")


@dataclass(frozen=True, slots=True)
class Envelope:
    """The sender and the recipient of a letter, and the parameters of the command MAIL."""

    mail_from: str
    to: str
    parameters: Sequence[str] = ()

    def commands(self) -> tuple[bytes, bytes]:
        """Return the commands MAIL and RCPT."""
        mail = " ".join([f"MAIL FROM:<{self.mail_from}>", *self.parameters])
        return mail.encode(), f"RCPT TO:<{self.to}>".encode()

    def refusal(self, answers: Sequence[SMTPResponse]) -> aiosmtplib.SMTPException | None:
        """Return the first refusal among the answers to the commands and to DATA, as an error."""
        if answers[0].code != _OK:
            return aiosmtplib.SMTPSenderRefused(*answers[0], self.mail_from)
        if answers[1].code not in (_OK, _WILL_FORWARD):
            return aiosmtplib.SMTPRecipientRefused(*answers[1], self.to)
        if len(answers) > 2 and answers[2].code != _GO_ON:
            return aiosmtplib.SMTPDataError(*answers[2])
        return None


class SmtpSession:
    """Sends letters one after the other over `transport`, whose protocol it replaces.

    `pipelining` is whether the server has announced PIPELINING. `timeout` is the maximum wait for the answers to one
    write, in seconds. The methods raise the errors of aiosmtplib, and OSError.
    """

    def __init__(self, transport: asyncio.Transport, *, pipelining: bool, timeout: float) -> None:
        self._pipelining = pipelining
        self._timeout = timeout
        self._transport = transport
        self._reader = asyncio.StreamReader(_MAX_LINE_BYTES)
        protocol = asyncio.StreamReaderProtocol(self._reader)
        transport.set_protocol(protocol)
        protocol.connection_made(transport)
        self._writer = asyncio.StreamWriter(transport, protocol, self._reader, asyncio.get_running_loop())
        self._is_usable = True
        self.has_sent_text = False
        """Whether the text of the last letter left, so that the server may have accepted it."""

    @property
    def is_open(self) -> bool:
        """Whether more commands can be sent, as far as is known."""
        return self._is_usable and not self._transport.is_closing() and not self._reader.at_eof()

    async def send(self, envelope: Envelope, raw: bytes) -> str:
        """Send a letter and return the words of the server's answer. Lines of `raw` should end with CRLF."""
        self.has_sent_text = False
        answers = await self._ask(*envelope.commands(), b"DATA")
        refusal = envelope.refusal(answers)
        if refusal is not None:
            if answers[-1].code == _GO_ON:  # RFC 2920 §3.1: a lone dot ends a text that has no recipients
                await self._ask(b".")
            raise refusal
        self.has_sent_text = True
        [answer] = await self._ask(as_data(raw) + b".")
        if answer.code != _OK:
            raise aiosmtplib.SMTPDataError(*answer)
        return answer.message

    async def check(self, envelope: Envelope) -> None:
        """Ask whether the server takes such a letter. None is sent."""
        refusal = envelope.refusal(await self._ask(*envelope.commands()))
        if refusal is not None:
            raise refusal
        await self.reset()

    async def reset(self) -> None:
        """Forget a letter that was refused."""
        await self._ask(b"RSET")

    async def quit(self) -> None:
        """Take leave of the server."""
        await self._ask(b"QUIT")

    async def _ask(self, *commands: bytes) -> list[SMTPResponse]:
        """Send commands and return their answers. Without PIPELINING a refused command is the last one."""
        if self._pipelining:
            return await self._exchange(*commands)
        answers: list[SMTPResponse] = []
        for command in commands:
            answers += await self._exchange(command)
            if answers[-1].code >= 400:
                break
        return answers

    async def _exchange(self, *commands: bytes) -> list[SMTPResponse]:
        """Send commands in one write and return their answers. 421 is the last one, as the server then disconnects."""
        answers: list[SMTPResponse] = []
        try:
            async with asyncio.timeout(self._timeout):
                self._writer.write(b"".join(one + b"\r\n" for one in commands))
                await self._writer.drain()
                while len(answers) < len(commands) and self._is_usable:
                    answers.append(await self._answer())
                    self._is_usable = answers[-1].code != _CLOSING
        except BaseException as error:
            # The answers that are still to come would be taken for those to the next commands.
            self._is_usable = False
            if isinstance(error, TimeoutError):
                raise aiosmtplib.SMTPReadTimeoutError("Timed out waiting for server response") from error
            raise
        return answers

    async def _answer(self) -> SMTPResponse:
        lines: list[str] = []
        for _ in range(_MAX_ANSWER_LINES):
            try:
                line = await self._reader.readline()
            except ValueError:
                break  # the line is too long
            if not line.endswith(b"\n"):
                raise aiosmtplib.SMTPServerDisconnected("Connection lost")
            if not _CODE.match(line):
                words = line.decode("utf-8", "replace")
                raise aiosmtplib.SMTPResponseException(_NO_CODE, f"Malformed SMTP response line: {words}")
            lines.append(line[4:].strip().decode("utf-8", "surrogateescape"))
            if line[3:4] != b"-":
                return SMTPResponse(int(line[:3]), "\n".join(lines))
        raise aiosmtplib.SMTPResponseException(_NO_CODE, "Response too long")


def as_data(raw: bytes) -> bytes:
    """Return a text as DATA sends it: lines end with CRLF, and a leading dot is doubled (RFC 5321 §4.5.2)."""
    lines = _BARE_LINE_END.sub(b"\r\n", raw)
    end = b"" if lines.endswith(b"\r\n") else b"\r\n"
    return (b"\r\n" + lines + end).replace(b"\r\n.", b"\r\n..")[2:]
