"""The error messages that an operator sees if a server can't be reached."""

import asyncio
import errno
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

import pytest

from takmail.runtime.net.imap import ImapAccount, Mailbox, MailboxLost
from takmail.runtime.net.login_errors import explained
from takmail.runtime.net.smtp import CannotSend, SmtpAccount
from tests.support.closing import Sender

HOST = "127.0.0.1"


@asynccontextmanager
async def saying(greeting: bytes) -> AsyncIterator[int]:
    """Run a server that sends one line to each client, and nothing more; yield its port."""
    clients: list[asyncio.StreamWriter] = []

    def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        clients.append(writer)
        writer.write(greeting)

    listening = await asyncio.start_server(serve, HOST)
    try:
        yield listening.sockets[0].getsockname()[1]
    finally:
        listening.close()
        for writer in clients:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in clients), return_exceptions=True)


async def told(port: int, tls: Literal["implicit", "none"], limit: float = 5) -> set[str]:
    """Return the errors of the IMAP client and of the SMTP client for this port. The section is left open."""
    imap = ImapAccount(HOST, port, "tak", "secret", tls=tls, timeout=limit)
    with pytest.raises(MailboxLost) as read:
        await Mailbox(imap).check()
    async with Sender(SmtpAccount(HOST, port, tls=tls, timeout=limit)) as sender:
        with pytest.raises(CannotSend) as sent:
            await sender.check()
    return {str(read.value).replace("[imap]", "[…]"), str(sent.value).replace("[smtp]", "[…]")}


async def test_a_closed_port_is_told_as_nobody_there() -> None:
    async with saying(b"") as port:
        pass
    words = (
        f"{HOST}:{port}: connection refused; check `host` and `port` in […], and that the server is running"
    )
    assert await told(port, "none") == {words}


async def test_a_server_without_tls_is_told_as_such() -> None:
    async with saying(b"220 ready\r\n") as port:
        words = f"{HOST}:{port}: the server doesn't speak TLS at this port; check `port` and `tls` in […]"
        assert await told(port, "implicit") == {words}


async def test_a_greeting_that_never_comes_lets_the_operator_look_at_port_and_tls() -> None:
    async with saying(b"") as port:
        words = f"{HOST}:{port}: no greeting from the server; check `port` and `tls` in […]"
        assert await told(port, "none", limit=0.1) == {words}


async def test_a_server_that_never_begins_tls_is_told_as_silent() -> None:
    async with saying(b"") as port:
        words = f"{HOST}:{port}: no answer in time; check `host` and `port` in […]"
        assert await told(port, "implicit", limit=0.1) == {words}


def test_a_name_that_nobody_has_is_told_as_such() -> None:
    unknown = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
    words = "the name of the host can't be looked up (Name or service not known); check `host` in [imap]"
    assert explained(unknown, "imap") == words


@pytest.mark.parametrize(
    ("code", "reason", "key"),
    [
        (18, "self-signed certificate", "ca_file"),
        (62, "Hostname mismatch, certificate is not valid for 'mail.example.org'.", "host"),
        (64, "IP address mismatch, certificate is not valid for '192.0.2.1'.", "host"),
    ],
)
def test_a_certificate_that_is_not_trusted_is_told_with_its_reason_and_the_way_out(
    code: int, reason: str, key: str
) -> None:
    error = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] (_ssl.c:1006)")
    error.verify_code, error.verify_message = code, reason
    words = f"the server's certificate is not trusted: {reason.rstrip('.')}; check `{key}` in [smtp]"
    assert explained(error, "smtp") == words


@pytest.mark.parametrize(
    ("code", "words"),
    [(10, "the server's certificate has expired: on a server of your own, renew it"), (9, "clock")],
)
def test_a_certificate_that_is_out_of_date_is_told_with_its_cure(code: int, words: str) -> None:
    error = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] (_ssl.c:1006)")
    error.verify_code, error.verify_message = code, "certificate has expired"
    assert words in explained(error, "smtp")
    assert "ca_file" not in explained(error, "smtp")


def test_a_name_with_two_addresses_where_nobody_answers_is_told_as_one_is() -> None:
    each = "[Errno {0}] Connect call failed ('::1', 1), [Errno {0}] Connect call failed ('127.0.0.1', 1)"
    refused = ConnectionRefusedError(errno.ECONNREFUSED, "Connect call failed")
    several = OSError("Multiple exceptions: " + each.format(refused.errno))
    assert explained(several, "imap") == explained(refused, "imap")


def test_an_error_that_nobody_foresaw_keeps_its_words() -> None:
    assert explained(OSError("strange things"), "imap") == "strange things"
    assert explained(OSError(), "imap") == "OSError"
