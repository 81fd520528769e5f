"""The mailbox that players write to, over IMAP (RFC 3501, 2177, 4315, 6851)."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Self

from aioimaplib.aioimaplib import Command, Response

from takmail import __version__
from takmail.config.tls import tls_context
from takmail.mail.sending_limit import is_sending_limit
from takmail.runtime.net.access_tokens import Account, bearer_login, reason_in
from takmail.runtime.net.imap_connection import SECTION, CommandRefused, ImapConnection, MailboxLost, said
from takmail.runtime.net.imap_syntax import (
    FetchedMail,
    FolderState,
    Lines,
    mailbox_name,
    quoted,
    read_folder_state,
    read_mails,
    read_number,
    read_sizes,
    read_uids,
    uid_set,
)
from takmail.runtime.net.login_errors import NO_PASSWORDS, takes_only_tokens, to_check, without_secrets

log = logging.getLogger(__name__)

__all__ = [
    "CommandRefused",
    "FetchedMail",
    "FolderState",
    "ImapAccount",
    "LoginRefused",
    "Mailbox",
    "MailboxLost",
]

BATCH = 50
"""The maximum number of UIDs in one command. The library's parser is recursive, and quadratic in the answer's length.
"""

MAX_MARKER_BYTES = 4096
"""The number of bytes of a marker that are read."""

_IDLE_RENEWAL = 8 * 60.0  # seconds; middleboxes drop a connection that is silent for ten minutes
_TEMPORARY = re.compile(r"\[(UNAVAILABLE|INUSE|LIMIT|SERVERBUG)\b", re.IGNORECASE)  # RFC 5530 §3


@dataclass(frozen=True, slots=True)
class ImapAccount(Account):
    """The server, login and folders of a mailbox.

    `poll_seconds` is the maximum time until a new mail is noticed. `timeout` is the maximum time that the server may be
    silent during a command. `marker` is the folder of the marker, or ''. Raises ValueError also if the user or password
    contains a line break.
    """

    section = SECTION

    timeout: float = 30
    mailbox: str = "INBOX"
    processed: str = "Processed"
    rejected: str = "Rejected"
    marker: str = ""
    poll_seconds: float = 60

    def __post_init__(self) -> None:
        Account.__post_init__(self)
        if re.search(r"[\0\r\n]", self.user + self.password):
            raise ValueError("The IMAP user or password contains a line break, which no server accepts.")


class LoginRefused(Exception):  # noqa: N818  (the name says what happened)
    """The server refuses the user and password. A retry is useless until the settings are changed."""


class Mailbox:
    """A connection to the mailbox.

    Any method may raise MailboxLost. The caller should then close the connection, and open it again after a pause
    (`outages.backoff`).
    """

    def __init__(self, account: ImapAccount) -> None:
        self.account = account
        self.before_reading: Callable[[Mailbox], Awaitable[None]] | None = None
        """Called by `open` after the login and before the mailbox is selected. Its errors are raised."""
        self.uid_validity = 0
        self.uid_next = 0
        self.rejected = account.rejected
        self._open: ImapConnection | None = None
        self._capabilities: frozenset[str] = frozenset()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def open(self) -> None:
        """Connect, log in, create missing folders for handled mails, and select the mailbox.

        Raises LoginRefused, MailboxLost and TokenError, and OSError if `ca_file` can't be read.
        """
        with self._all_lost():
            await self.account.log_in(self._open_with, LoginRefused)
        try:
            if self.before_reading is not None:
                await self.before_reading(self)
            with self._all_lost(), _blamed("mailbox"):
                await self._select()
        except BaseException:
            await self.close()
            raise

    @contextmanager
    def _all_lost(self) -> Iterator[None]:
        """Raise MailboxLost for an error of the block that nobody expects."""
        try:
            yield
        except (LoginRefused, OSError):  # MailboxLost and TokenError are OSErrors
            raise
        except Exception as error:  # the service goes on whatever it is
            raise MailboxLost(f"{self.account.server}: {error!r}") from error

    async def _open_with(self, token: str | None) -> None:
        account = self.account
        context = tls_context(account.ca_file) if account.tls == "implicit" else None
        line = await ImapConnection.connect(account.host, account.port, context, account.timeout)
        self._open = line
        try:
            await self._log_in(line, token)
            await self._identify(line)
            with _blamed("processed"):
                await self._make_folder(line, account.processed)
            self.rejected = await self._rejected(line)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Log out and disconnect, within about two seconds. Do nothing if the connection is closed."""
        line, self._open = self._open, None
        if line is not None:
            await line.close()

    async def check(self) -> None:
        """Connect, log in and disconnect, to check the settings. Raises the errors of `open`."""
        async with self:
            pass

    async def new_uids(self, after: int) -> tuple[int, ...]:
        """Return the UIDs of the mailbox's mails that are greater than `after`, ascending."""
        line = self._line
        # Without NOOP, some servers search an outdated state of the mailbox.
        await line.ask("NOOP", line.protocol.simple_command, "NOOP")
        line.protocol.forget_news()
        lines = await self._search(line, f"UID {after + 1}:*")
        # `n:*` includes the last mail even if its UID is below n (RFC 3501 §9, seq-range).
        return tuple(sorted({uid for uid in read_uids(lines) if uid > after}))

    async def sizes(self, uids: Iterable[int]) -> dict[int, int]:
        """Return the sizes of these mails in bytes, by UID. Deleted mails are missing."""
        sizes: dict[int, int] = {}
        for batch in _batches(uids):
            lines = await self._uid("FETCH", uid_set(batch), "(UID RFC822.SIZE)")
            sizes |= {uid: size for uid, size in read_sizes(lines) if uid in batch}
        return sizes

    async def fetch(self, uids: Iterable[int], at_most: int | None = None) -> list[FetchedMail]:
        """Fetch these mails, ascending by UID, without marking them as read. Deleted mails are missing.

        `at_most` is the maximum number of bytes to fetch of each mail. A longer mail is cut, but its `size` is the full
        length.
        """
        part = "BODY.PEEK[]" if at_most is None else f"BODY.PEEK[]<0.{at_most}>"
        mails: dict[int, FetchedMail] = {}
        for batch in _batches(uids):
            lines = await self._uid("FETCH", uid_set(batch), f"(UID RFC822.SIZE INTERNALDATE {part})")
            mails |= {mail.uid: mail for mail in read_mails(lines) if mail.uid in batch}
        return [mails[uid] for uid in sorted(mails)]

    async def file_away(self, uids: Iterable[int], folder: str) -> None:
        """Mark these mails as read and move them to a folder. Deleted mails are ignored."""
        name = mailbox_name(folder)
        for batch in map(uid_set, _batches(uids)):
            await self._uid("STORE", batch, r"+FLAGS.SILENT (\Seen)")
            if "MOVE" in self._capabilities:
                await self._uid("MOVE", batch, name)
                continue
            await self._uid("COPY", batch, name)
            await self._delete(batch)

    async def markers(self, *, makes_folder: bool = True) -> tuple[FolderState, list[FetchedMail]]:
        """Select the folder of markers. Return its state, and the beginnings of its last messages, oldest first.

        If `makes_folder` is false, a missing folder is not created, and has no messages. Only `before_reading` may call
        this, as another folder is selected afterwards.
        """
        line, folder = self._line, self.account.marker
        if makes_folder:
            await self._make_folder(line, folder)
        elif not await self._has_folder(line, mailbox_name(folder)):
            return FolderState(None, None, 0), []
        state = read_folder_state(await self._selected(folder))
        uids = sorted(set(read_uids(await self._search(line, "ALL"))))
        return state, await self.fetch(uids[-BATCH:], MAX_MARKER_BYTES)

    async def add_marker(self, raw: bytes) -> None:
        """Append a message to the folder of markers."""
        line, name = self._line, mailbox_name(self.account.marker)
        await line.ask("APPEND", line.protocol.append, raw, name, r"(\Seen)")

    async def delete_markers(self, uids: Iterable[int]) -> None:
        """Delete messages of the folder of markers, which `markers` has selected. Deleted ones are ignored."""
        for batch in _batches(uids):
            await self._delete(uid_set(batch))

    async def marker_state(self) -> FolderState:
        """Return the state of the folder of markers, while the mailbox stays selected."""
        line, name = self._line, mailbox_name(self.account.marker)
        asked = "(MESSAGES UIDNEXT UIDVALIDITY)"
        return read_folder_state(
            await line.ask("STATUS", line.protocol.simple_command, "STATUS", name, asked)
        )

    def wake(self) -> None:
        """Let `wait` return at once, as if the server had reported new mail."""
        if self._open is not None and not self._open.protocol.news.done():
            self._open.protocol.news.set_result(None)

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait until there may be new mail, but at most `seconds` (`poll_seconds` if None).

        Return whether the server has reported new mail. After a cancellation the connection stays usable.
        """
        line, loop = self._line, asyncio.get_running_loop()
        until = loop.time() + (self.account.poll_seconds if seconds is None else seconds)
        while (left := until - loop.time()) > 0:
            if line.protocol.news.done() or "IDLE" not in self._capabilities:
                return await line.listen(left)
            news = await line.idle(min(left, _IDLE_RENEWAL))
            if news is None:
                self._capabilities -= {"IDLE"}  # the server offers IDLE but refuses it, so poll instead
            elif news:
                return True
        return False

    @property
    def _line(self) -> ImapConnection:
        if self._open is None:
            raise MailboxLost(f"{self.account.server}: the mailbox is not open")
        return self._open

    async def _log_in(self, line: ImapConnection, token: str | None) -> None:
        """Log in with an access token, or with the password if it is None."""
        protocol, account, user = line.protocol, self.account, self.account.user
        offered = {word.upper().removeprefix("AUTH=") for word in protocol.capabilities}
        login = ("", account.password, "")
        if token is not None:
            login = bearer_login(user, token, (account.host, account.port), offered)
            response = await line.run("AUTHENTICATE", protocol.authenticate, *login)
        elif "LOGINDISABLED" in offered and takes_only_tokens(offered):
            raise LoginRefused(f"{line.server}: {NO_PASSWORDS.format(section=SECTION)}")
        elif "LOGINDISABLED" in offered:
            raise LoginRefused(f"{line.server} accepts no password without TLS; {to_check(SECTION, 'tls')}")
        else:
            response = await line.run("LOGIN", protocol.login, quoted(user), account.password)
        answer = without_secrets(said(response), login[1], token, quoted(login[1])[1:-1], user=user)
        is_limit = is_sending_limit(answer, before_recipient=True)
        if response.result != "OK" and (is_limit or _TEMPORARY.search(answer)):
            raise MailboxLost(f"{line.server}: the login was answered with {answer}")
        if response.result != "OK":
            advice = account.advice(answer, offered)
            if token is not None:
                answer += "".join(f" ({reason})" for reason in map(reason_in, response.lines[:-1]) if reason)
            raise LoginRefused(f"{line.server} refused the login of {user}: {answer}; {advice}")
        # A server often offers more capabilities after the login, but the library keeps the first list.
        await line.run("CAPABILITY", protocol.capability)
        protocol.capabilities = {word.upper() for word in protocol.capabilities}
        self._capabilities = frozenset(protocol.capabilities)

    async def _identify(self, line: ImapConnection) -> None:
        """Name this program (RFC 2971) if the server wants to know. Those of 163.com and 126.com refuse SELECT before.

        The answer counts for nothing.
        """
        if "ID" in self._capabilities:
            # The library's `id` puts spaces inside the parentheses, where RFC 2971 has none.
            name = f'("name" "takmail" "version" "{__version__}")'
            command = Command("ID", line.protocol.new_tag(), name)
            await line.run("ID", line.protocol.execute, command)

    async def _rejected(self, line: ImapConnection) -> str:
        """Create and return the folder for rejected mails. If the server refuses, return that for processed mails."""
        account = self.account
        try:
            await self._make_folder(line, account.rejected)
        except CommandRefused as error:
            log.warning(
                "cannot create the folder %s, using %s instead: %s",
                account.rejected,
                account.processed,
                error,
            )
            return account.processed
        return account.rejected

    async def _make_folder(self, line: ImapConnection, folder: str) -> None:
        name = mailbox_name(folder)
        if await self._has_folder(line, name):
            return
        try:
            await line.ask("CREATE", line.protocol.simple_command, "CREATE", name)
        except CommandRefused:
            # Another program or the server may have created the folder since the check.
            if not await self._has_folder(line, name):
                raise

    async def _has_folder(self, line: ImapConnection, name: str) -> bool:
        folders = await line.ask("LIST", line.protocol.simple_command, "LIST", '""', name)
        return any(re.match(rb"\((?!.*\\NonExistent)", folder, re.IGNORECASE) for folder in folders[:-1])

    async def _select(self) -> None:
        line = self._line
        lines = await self._selected(self.account.mailbox)
        validity, upcoming = read_number("UIDVALIDITY", lines), read_number("UIDNEXT", lines)
        if validity is None:
            raise CommandRefused(f"{line.server} reports no UIDVALIDITY for {self.account.mailbox}")
        if upcoming is None:
            # Servers older than RFC 3501 may omit UIDNEXT. Then search for the last mail (`*`) and its UID.
            upcoming = max(read_uids(await self._search(line, "UID *")), default=0) + 1
        self.uid_validity, self.uid_next = validity, upcoming

    async def _selected(self, folder: str) -> Lines:
        line = self._line
        line.protocol.validity = None  # that of the folder before
        return await line.ask("SELECT", line.protocol.select, mailbox_name(folder))

    async def _search(self, line: ImapConnection, criterion: str) -> Lines:
        def search() -> Coroutine[Any, Any, Response]:
            # Several servers refuse the CHARSET that the library adds by default.
            return line.protocol.search(criterion, charset=None, by_uid=True)

        return await line.ask("UID SEARCH", search)

    async def _delete(self, batch: str) -> None:
        await self._uid("STORE", batch, r"+FLAGS.SILENT (\Deleted)")
        if "UIDPLUS" in self._capabilities:
            await self._uid("EXPUNGE", batch)
        else:
            await self._line.ask("EXPUNGE", self._line.protocol.expunge)

    async def _uid(self, name: str, *args: str) -> Lines:
        command: Callable[..., Coroutine[Any, Any, Response]] = self._line.protocol.uid
        return await self._line.ask(f"UID {name}", command, name, *args)


@contextmanager
def _blamed(key: str) -> Iterator[None]:
    """Add to a CommandRefused in the block which key of config.toml the operator can check."""
    try:
        yield
    except CommandRefused as error:
        raise CommandRefused(f"{error}; {to_check(SECTION, key)}") from error


def _batches(uids: Iterable[int]) -> Iterator[list[int]]:
    ordered = iter(sorted(set(uids)))
    while batch := list(islice(ordered, BATCH)):
        yield batch
