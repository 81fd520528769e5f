"""Run a whole mail system in one event loop. pymap serves IMAP, and aiosmtpd SMTP."""

import asyncio
import logging
from argparse import Namespace
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from takmail.config.extras import how_to_install
from takmail.store.machine_time import TimeSource, utc_now

try:
    from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
    from proxyprotocol.sock import SocketInfoLocal
    from pymap.backend.dict import DictBackend, Identity
    from pymap.backend.dict.mailbox import MailboxSet
    from pymap.concurrent import Subsystem
    from pymap.imap import IMAPServer
    from pymap.parsing.message import AppendMessage
    from pymap.user import Passwords, UserMetadata
    from pysasl.hashing import Cleartext
except ImportError as missing:
    raise ImportError(
        f"the built-in mail system needs {missing.name}; run: {how_to_install('demo')}", name=missing.name
    ) from missing

_HOST = "127.0.0.1"
_CLOSE_SECONDS = 2.0  # the time that connections have to end before they are cancelled
_LOGGERS = ("mail.log", "mail.error", "mail.debug", "pymap", "proxyprotocol")
_NO_USER = "550 5.1.1 <{}>: Recipient address rejected: User unknown"


@dataclass(slots=True)
class _User:
    identity: Identity
    password: str = field(repr=False)


class MailSystem:
    """A mail system on loopback that keeps its mails in memory. The operating system chooses the ports.

    `users` maps addresses to passwords. The address is also the login name. Mail to `ada+anything@…` goes to `ada@…`,
    and mail to other addresses is refused. `time_source` tells when mails arrive. Use it as an async context manager,
    or call `start` and `stop`. The ports are known after the start.
    """

    def __init__(self, users: Mapping[str, str], time_source: TimeSource = utc_now) -> None:
        self._now = time_source
        self.host = _HOST
        self.imap_port = 0
        self.smtp_port = 0
        self._passwords = {address.lower(): password for address, password in users.items()}
        self._users: dict[str, _User] = {}
        self._imap: IMAPServer | None = None
        self._servers: list[asyncio.Server] = []
        self._clients: dict[asyncio.Task[Any], asyncio.StreamWriter | SMTP] = {}
        self._levels: dict[str, int] = {}

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Start to listen. After a `stop`, the ports and the mails are the same as before."""
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            self._levels[name] = logger.level
            logger.setLevel(logging.CRITICAL + 1)
        if self._imap is None:
            await self._set_up()
        imap = await asyncio.start_server(self._serve_imap, _HOST, self.imap_port)
        self._servers.append(imap)
        smtp = await asyncio.get_running_loop().create_server(self._new_smtp, _HOST, self.smtp_port)
        self._servers.append(smtp)
        self.imap_port = imap.sockets[0].getsockname()[1]
        self.smtp_port = smtp.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Disconnect all clients and stop listening. The mails are kept for another `start`."""
        for server in self._servers:
            server.close()
        for client in list(self._clients.values()):
            _disconnect(client)
        if self._clients:
            await asyncio.wait(self._clients, timeout=_CLOSE_SECONDS)
        for task in list(self._clients):
            task.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)
        for server in self._servers:
            await server.wait_closed()
        self._servers.clear()
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)
        self._levels.clear()

    async def deliver(
        self, address: str, raw: bytes, mail_from: str = "", received: datetime | None = None
    ) -> bytes:
        """Put a mail into the inbox of `address`, which may be a plus address. Return it as it is stored.

        `raw` is stored byte for byte below the headers that a mail server adds. `received` is its INTERNALDATE, or now
        if it is None. Raises LookupError for an unknown user, and RecursionError for a mail nested too deep for pymap.
        """
        user = self._user(address)
        stored = f"Return-Path: <{mail_from}>\r\nDelivered-To: {address}\r\n".encode() + raw
        async with self._folders(user) as folders:
            inbox = await folders.get_mailbox("INBOX")
            await inbox.append(AppendMessage(stored, received or self._now()), recent=True)
        return stored

    async def _set_up(self) -> None:
        args = Namespace(
            host=_HOST, port="0", debug=False, cert=None, key=None, tls=False, proxy_protocol=None,
            passlib_cfg=None, inherited_sockets=None, demo_data=False, demo_user="", demo_password="",
            skip_services=[],
        )  # fmt: skip
        backend, config = await DictBackend.init(
            args,
            # A demo's passwords are not secret, and a slow hash would take most of a test's time.
            hash_context=Cleartext(),
            cpu_subsystem=Subsystem.for_asyncio(),
            invalid_user_sleep=0,
        )
        for address, password in self._passwords.items():
            hashed = await Passwords(config).hash_password(password)
            identity = Identity(address, backend.login, None, frozenset({"admin"}))
            await identity.set(UserMetadata(config, address, password=hashed))
            self._users[address] = _User(identity, password)
        self._imap = IMAPServer(backend.login, config)

    @asynccontextmanager
    async def _folders(self, user: _User) -> AsyncIterator[MailboxSet]:
        async with user.identity.new_session() as session:
            yield session.mailbox_set

    def _user(self, address: str) -> _User:
        """Return the user with this address, which may be a plus address. Raises LookupError if there is none."""
        local, _, domain = address.lower().rpartition("@")
        try:
            return self._users[f"{local.partition('+')[0]}@{domain}"]
        except KeyError:
            raise LookupError(f"There is no {address} here.") from None

    async def _serve_imap(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert self._imap is not None
        self._keep(asyncio.current_task(), writer)
        # pymap reports its errors to the client, and asyncio would only log it again.
        with closing(writer), suppress(Exception, asyncio.CancelledError):
            await self._imap(reader, writer, SocketInfoLocal(writer))

    def _new_smtp(self) -> SMTP:
        return _Smtp(
            self,
            enable_SMTPUTF8=True,
            hostname="mail.localhost",
            auth_require_tls=False,
            authenticator=self._authenticate,
        )

    def _authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, login: LoginPassword
    ) -> AuthResult:
        user = self._users.get(login.login.decode("utf-8", "replace").lower())
        right = user is not None and user.password == login.password.decode("utf-8", "replace")
        return AuthResult(success=right, handled=False)

    def _keep(self, task: asyncio.Task[Any] | None, client: asyncio.StreamWriter | SMTP) -> None:
        if task is not None:
            self._clients[task] = client
            task.add_done_callback(self._remove)

    def _remove(self, task: asyncio.Task[Any]) -> None:
        self._clients.pop(task, None)
        if not task.cancelled():
            # An exception that is never retrieved is logged by asyncio, even if a client has only disconnected.
            task.exception()

    # aiosmtpd calls the following methods by their names ("handler hooks").

    async def handle_MAIL(  # noqa: N802
        self, _server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        # aiosmtpd's option `auth_required` is not used, because it warns at each connection without TLS.
        if not session.authenticated:
            return "530 5.7.0 Authentication required"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 Ok"

    async def handle_RCPT(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        try:
            self._user(address)
        except LookupError:
            return _NO_USER.format(address)
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        # aiosmtpd leaves the null sender as `<>`, because an empty sender means to it that there was no MAIL command.
        mail_from = (envelope.mail_from or "").removeprefix("<").removesuffix(">")
        try:
            for address in envelope.rcpt_tos:
                await self.deliver(address, envelope.content, mail_from)
        except RecursionError:
            return "451 4.3.0 The mail is nested too deep for this mail system"
        return "250 2.0.0 Ok: queued"


class _Smtp(SMTP):
    """An SMTP connection that registers itself at the mail system, which closes all connections at the end."""

    def __init__(self, system: MailSystem, **options: Any) -> None:
        super().__init__(system, **options)
        self._system = system

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._system._keep(self._handler_coroutine, self)


def _disconnect(client: asyncio.StreamWriter | SMTP) -> None:
    if isinstance(client, asyncio.StreamWriter):
        client.close()
    elif client.transport is not None:
        client.transport.close()
