"""Send letters to the mail server, over SMTP (RFC 5321, 6409)."""

import asyncio
import re
import ssl
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import aiosmtplib
from aiosmtplib.email import parse_address

from takmail.config.tls import tls_context
from takmail.mail.sending_limit import is_sending_limit
from takmail.mail.smtp_refusal import classify
from takmail.runtime.net.access_tokens import Account, bearer_login, reason_in
from takmail.runtime.net.login_errors import (
    NO_PASSWORDS,
    NoGreeting,
    explained,
    takes_only_tokens,
    to_check,
    without_secrets,
)
from takmail.runtime.net.smtp_session import Envelope, SmtpSession

SECTION = "smtp"
"""The section of config.toml that the errors refer to."""

_GREETING = "[127.0.0.1]"
"""The name in EHLO."""
_QUIT_SECONDS = 2.0  # seconds for a polite QUIT
_LOGIN_CODES = frozenset({530, 534, 535, 538})  # RFC 4954 §6: authentication required, or a different one
_PLAIN_ADDRESS = re.compile(r"[\w+-]+(?:\.[\w+-]+)*@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*", re.ASCII)
_NO_SUCH_SENDER = frozenset(
    {501, 550, 553, 554}
)  # not 552 or 555, which are about the size and other parameters
# RFC 5321 §4.2.2, RFC 1870, 3463 and 6531: a letter's size, its parameters, and what needs them
_ABOUT_LETTER = re.compile(
    r"^(?:50[14]|55[25])|\b5\.(?:2\.3|3\.4|5\.4|6\.\d+)\b|\bsize\b|\btoo (?:big|large|long)\b", re.IGNORECASE
)
_NO_SUCH_RECIPIENT = frozenset({550, 551, 552, 553, 556})  # RFC 5321 §4.2.2, RFC 7504


@dataclass(frozen=True, slots=True)
class SmtpAccount(Account):
    """The mail server that takes letters, and the login there."""

    section = SECTION

    tls: Literal["starttls", "implicit", "none"] = "starttls"


@dataclass(frozen=True, slots=True)
class Sent:
    """The server accepted the letter with `answer`."""

    answer: str = ""


@dataclass(frozen=True, slots=True)
class Later:
    """The letter could not be sent now and is to be retried. `reason` is for the operator.

    If `unreachable` is true, connecting or the login failed, or the server takes no letters from us, so that no letter
    can be sent. If `is_limit` is true, the server named a limit on our sending.
    """

    reason: str
    unreachable: bool = False
    is_limit: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """The server has rejected the letter for good. `reason` is for the operator.

    If `no_such_recipient` is true, the server says that the address does not exist or accepts no mail.
    """

    reason: str
    no_such_recipient: bool = False


class CannotSend(ConnectionError):  # noqa: N818  (the name says what happened)
    """No letter can be sent, because connecting, TLS or the login failed. The message is for the operator."""


class _Client(aiosmtplib.SMTP):
    """The library's client, but it closes its connection without a wait for the server, also if `connect` fails."""

    def close(self) -> None:
        # Over TLS, the transport's `close` would wait for the server's answer. After `abort`, the socket is closed in
        # the next turn of the event loop.
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()
        super().close()


class SmtpSender:
    """Sends letters one after the other over one connection. It connects when it has a letter to send."""

    def __init__(self, account: SmtpAccount) -> None:
        self.account = account
        self._client: aiosmtplib.SMTP | None = None
        self._session: SmtpSession | None = None
        self._context: ssl.SSLContext | None = None
        self._lock = asyncio.Lock()

    @property
    def is_connected(self) -> bool:
        """Whether the connection is open and logged in, as far as is known."""
        return self._session is not None and self._session.is_open

    async def send(self, raw: bytes, mail_from: str, to: str) -> Sent | Later | Failed:
        """Send one letter to one recipient, byte for byte. If `mail_from` is '', the null sender is used.

        `raw` must have CRLF line ends and end with one. Errors of the network and the server are returned, not raised.
        """
        if not to:
            return Failed("the letter has no recipient")
        for address in (mail_from, to):
            if not _is_address(address):
                return Failed(f"{address!r} is not an address")
        async with self._lock:
            try:
                return await self._deliver(raw, mail_from, to)
            except CannotSend as reason:
                return Later(str(reason), unreachable=True, is_limit=_is_limit(reason.__cause__))
            except BaseException:
                # Close the connection, as the server's late answer would be taken for the answer to the next letter.
                await self._drop()
                raise

    async def check(self, mail_from: str = "") -> None:
        """Connect and log in, to check the settings. Raises CannotSend.

        If `mail_from` is given, also ask whether the server takes a letter from this address. None is sent.
        """
        async with self._lock:
            _, session = await self._connect()
            if not mail_from:
                return
            try:
                # Postfix, for example, refuses a sender only after RCPT.
                await session.check(Envelope(mail_from, mail_from))
            except (aiosmtplib.SMTPException, OSError) as error:
                if isinstance(error, aiosmtplib.SMTPResponseException) and error.code < 500:
                    return  # a temporary refusal says nothing about the settings
                await self._drop()
                raise CannotSend(f"{self.account.server}: {self._explain(error)}") from error

    async def close(self) -> None:
        """Send QUIT and disconnect, within about two seconds. The next letter connects again."""
        async with self._lock:
            try:
                if self._session is not None and self._session.is_open:
                    with suppress(aiosmtplib.SMTPException, OSError):
                        async with asyncio.timeout(_QUIT_SECONDS):
                            await self._session.quit()
            finally:
                await self._drop()

    async def _deliver(self, raw: bytes, mail_from: str, to: str) -> Sent | Later | Failed:
        reused = self._session is not None
        client, session = await self._connect()
        utf8 = not (mail_from + to).isascii()
        if utf8 and not client.supports_extension("smtputf8"):
            return Failed(
                f"{self.account.server} takes only ASCII in addresses (no SMTPUTF8), and {to} is not"
            )
        try:
            return Sent(await session.send(Envelope(mail_from, to, _parameters(client, raw, utf8)), raw))
        except (aiosmtplib.SMTPException, OSError) as error:
            verdict = self._verdict(error)
            is_used_up = not session.is_open or (isinstance(verdict, Later) and verdict.unreachable)
            if reused and is_used_up and not session.has_sent_text:
                # A server may disconnect an idle client, or take no more letters over one connection. So retry the
                # letter at once over another one.
                await self._drop()
                return await self._deliver(raw, mail_from, to)
            await self._reset(session, error)
            return verdict

    async def _connect(self) -> tuple[aiosmtplib.SMTP, SmtpSession]:
        """Return the open connection: the client that has opened it, and the session that uses it."""
        if self._client is not None and self._session is not None and self._session.is_open:
            return self._client, self._session
        account = self.account
        try:
            if self._context is None and account.tls != "none":
                self._context = tls_context(account.ca_file)
            client = await account.log_in(self._opened, aiosmtplib.SMTPAuthenticationError)
        except Exception as error:  # whatever it is, the letters are not to blame
            await self._drop()
            raise CannotSend(f"{self.account.server}: {self._explain(error)}") from error
        assert isinstance(client.transport, asyncio.Transport)
        self._session = SmtpSession(
            client.transport,
            pipelining=client.supports_extension("pipelining"),
            timeout=account.timeout,
        )
        return client, self._session

    async def _opened(self, token: str | None) -> aiosmtplib.SMTP:
        """Connect, and log in with an access token, or with the password if it is None."""
        await self._drop()
        account = self.account
        client = _Client(
            hostname=account.host,
            port=account.port,
            timeout=account.timeout,
            use_tls=account.tls == "implicit",
            start_tls=account.tls == "starttls",
            tls_context=self._context,
            # Without a name, the library would query the DNS for this machine's name and disclose it.
            local_hostname=_GREETING,
        )
        await client.connect()
        self._client = client
        if client.is_ehlo_or_helo_needed:
            await client.ehlo()
        offered = {method.upper() for method in client.server_auth_methods}
        if token is not None:
            await _authenticate(client, account, token, offered)
        elif account.user and takes_only_tokens(offered):
            raise aiosmtplib.SMTPException(NO_PASSWORDS.format(section=SECTION))
        elif account.user:
            # If `connect` logged in itself, it would leak its transport when the login is refused.
            await client.login(account.user, account.password)
        return client

    def _explain(self, error: Exception) -> str:
        answer = str(error)
        if isinstance(error, aiosmtplib.SMTPResponseException):
            answer = f"{error.code} {error.message}"
        answer = without_secrets(answer, self.account.password, user=self.account.user)
        login = self.account.advice(answer)
        match error:
            case _ if _is_limit(error):
                return f"{answer}; a limit on sending: {to_check(SECTION, 'per_minute', 'per_day')}"
            case aiosmtplib.SMTPResponseException() if error.code < 0:
                # The library's code for an answer that has none. Its message quotes the answer.
                begins = answer.partition(": ")[2].split("\n")[0].strip()
                return f'the server answered "{begins}", so it isn\'t SMTP; {to_check(SECTION, "port")}'
            case aiosmtplib.SMTPException() if "SMTP AUTH" in answer:
                another = ' or `tls` ("starttls")' if self.account.tls == "none" else ""
                without = f"or leave out `user` and `{self.account.password_key}`"
                return f"no login is possible at this port; check `port`{another} in [{SECTION}], {without}"
            case aiosmtplib.SMTPException() if "STARTTLS" in answer:
                return f"{answer}; {to_check(SECTION, 'port', 'tls')}"
            case aiosmtplib.SMTPAuthenticationError():
                return f"the login of {self.account.user} was refused: {answer}; {login}"
            case aiosmtplib.SMTPResponseException() if error.code in _LOGIN_CODES:
                return f"{answer}; {login}"
            case aiosmtplib.SMTPResponseException() if _refuses_sender(error):
                return f"{answer}; {to_check('service', 'address')}"
            case aiosmtplib.SMTPResponseException():
                return answer
            case aiosmtplib.SMTPConnectTimeoutError(__cause__=aiosmtplib.SMTPReadTimeoutError()):
                return explained(NoGreeting(), SECTION)
            case aiosmtplib.SMTPTimeoutError() if not isinstance(error, aiosmtplib.SMTPConnectError):
                # The server has answered before, so the hints about host and port don't apply.
                return str(error)
        return explained(error, SECTION)

    def _verdict(self, error: Exception) -> Later | Failed:
        reason = f"{self.account.server}: {self._explain(error)}"
        if _is_limit(error) or _refuses_all(error):
            return Later(reason, isinstance(error, aiosmtplib.SMTPSenderRefused), _is_limit(error))
        code = error.code if isinstance(error, aiosmtplib.SMTPResponseException) else 0
        if 500 <= code < 600 and code not in _LOGIN_CODES:
            return Failed(reason, no_such_recipient=_is_unknown_recipient(error))
        return Later(reason)

    async def _reset(self, session: SmtpSession, error: Exception) -> None:
        """Reset the connection for the next letter, or close it."""
        with suppress(aiosmtplib.SMTPException, OSError):
            if isinstance(error, aiosmtplib.SMTPResponseException) and session.is_open:
                await session.reset()
                return
        await self._drop()

    async def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = self._session = None
        await asyncio.sleep(0)


async def _authenticate(
    client: aiosmtplib.SMTP, account: SmtpAccount, token: str, offered: Collection[str]
) -> None:
    """Log in with an access token (RFC 4954). Raises SMTPAuthenticationError if the server refuses it."""
    mechanism, first, acknowledgement = bearer_login(
        account.user, token, (account.host, account.port), offered
    )
    answer, reason = await client.execute_command(b"AUTH", mechanism.encode(), first.encode()), ""
    if answer.code == aiosmtplib.SMTPStatus.auth_continue:
        reason = reason_in(answer.message)
        answer = await client.execute_command(acknowledgement.encode())
    if answer.code != aiosmtplib.SMTPStatus.auth_successful:
        said = f"{without_secrets(answer.message, first, token)}{reason and f' ({reason})'}"
        error = aiosmtplib.SMTPResponseException(answer.code, said)
        raise (
            error if error.code < 500 or _is_limit(error) else aiosmtplib.SMTPAuthenticationError(*error.args)
        )


def _is_limit(error: BaseException | None) -> bool:
    """Return whether the server named a limit on our sending. Only after RCPT its answer may be about a recipient."""
    return isinstance(error, aiosmtplib.SMTPResponseException) and is_sending_limit(
        f"{error.code} {error.message}",
        before_recipient=not isinstance(error, aiosmtplib.SMTPRecipientRefused | aiosmtplib.SMTPDataError),
    )


def _refuses_all(error: Exception) -> bool:
    """Return whether the server refuses each letter from our address: before a recipient, and not for its content.

    Letters with the null sender are of their own kind, as some servers refuse only those.
    """
    return (
        isinstance(error, aiosmtplib.SMTPSenderRefused)
        and error.code >= 500
        and error.sender != ""
        and not _ABOUT_LETTER.search(f"{error.code} {error.message}")
    )


def _is_unknown_recipient(error: Exception) -> bool:
    """Return whether the server refused because of the recipient, and not because takmail may not send."""
    return (
        isinstance(error, aiosmtplib.SMTPRecipientRefused)
        and error.code in _NO_SUCH_RECIPIENT
        and classify(f"{error.code} {error.message}").refuses_recipient
    )


def _refuses_sender(error: aiosmtplib.SMTPResponseException) -> bool:
    """Return whether the server refuses for good to take letters from takmail's address."""
    is_sender = isinstance(error, aiosmtplib.SMTPSenderRefused) and error.code in _NO_SUCH_SENDER
    return is_sender or (error.code >= 500 and "sender address" in error.message.lower())


def _is_address(address: str) -> bool:
    """Return whether the library sends this address unchanged."""
    if _PLAIN_ADDRESS.fullmatch(address):
        return True  # the common case; parsing takes a hundred times as long
    try:
        return address.isprintable() and parse_address(address) == address
    except ValueError:
        return False


def _parameters(client: aiosmtplib.SMTP, raw: bytes, utf8: bool) -> list[str]:
    parameters = []
    if client.supports_extension("size"):
        parameters.append(f"SIZE={len(raw)}")  # RFC 1870
    if not raw.isascii() and client.supports_extension("8bitmime"):
        parameters.append("BODY=8BITMIME")  # RFC 6152
    if utf8:
        parameters.append("SMTPUTF8")  # RFC 6531
    return parameters
