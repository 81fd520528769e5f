"""A takmail on its own mail system, with players who write and read real mails."""

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from pathlib import Path

from pymap.parsing.message import AppendMessage
from pysasl import SASLAuth

from takmail.config import ImapSettings, LimitSettings, ServiceSettings, Settings, SmtpSettings, StoreSettings
from takmail.config.bots import BotSettings
from takmail.runtime.bootstrap import App
from tests.support.databases import ON_POSTGRESQL, url_in
from tests.support.mail_system import MailSystem
from tests.support.scenes import copied

TAK = "tak@example.org"
ADA = "ada@example.org"
BEN = "ben@example.org"
PASSWORDS = {TAK: "secret", ADA: "secret", BEN: "secret"}

# Otherwise pymap scans all installed packages at each login.
SASLAuth.defaults = cache(SASLAuth.defaults)  # type: ignore[method-assign]


@dataclass
class Network:
    """The mail system, and a way to start takmail on it repeatedly."""

    system: MailSystem
    folder: Path
    written: int = 0
    limits: LimitSettings = field(default_factory=LimitSettings)

    def settings(self, **imap: object) -> Settings:
        """Return an operator's settings for this mail system, for letters without pictures.

        There are no bots: a round doesn't think, so nothing may wait for that.
        """
        folder, system = self.folder, self.system
        login = {"host": system.host, "user": TAK, "password": "secret", "tls": "none"}
        return Settings(
            service=ServiceSettings(address=TAK, key_file=folder / "takmail.key", letters="text"),
            imap=ImapSettings(**{"port": system.imap_port, "poll_seconds": 5, **login, **imap}),  # type: ignore[arg-type]
            smtp=SmtpSettings(port=system.smtp_port, **login),  # type: ignore[arg-type]
            store=StoreSettings(url=url_in(folder)),
            bots=BotSettings(enabled=False),
            limits=self.limits,
        )

    def app(self, **imap: object) -> App:
        """Return a newly started takmail, on the database that the last one left."""
        app = App(self.settings(**imap))
        app.process_lease.renew()
        return app

    async def write(
        self,
        sender: str,
        text: str,
        to: str = TAK,
        message_id: str | None = None,
        received: datetime | None = None,
        answers: str = "",
    ) -> None:
        """Put a mail into takmail's mailbox, as the mail server does. `answers` is a letter's Message-ID."""
        self.written += 1
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = sender, to, "Tak"
        mail["Message-ID"] = message_id or f"<{self.written}@mail.example.org>"
        if answers:
            mail["In-Reply-To"] = answers
        mail.set_content(text)
        await self.system.deliver(TAK, mail.as_bytes(), mail_from=sender, received=received)

    async def letters(self, who: str, seen: int = 0) -> list[EmailMessage]:
        """Return the letters to somebody after the first `seen`, oldest first."""
        return [_parsed(raw) for raw in (await self.system.mails(who))[seen:]]


def text_of(letter: EmailMessage) -> str:
    """Return the text side of a letter."""
    side = letter.get_body(("plain",))
    assert side is not None
    return str(side.get_content()).replace("\r\n", "\n")


@contextmanager
def logged(words: str) -> Iterator[asyncio.Event]:
    """Yield an event that is set when takmail logs a line with these words."""
    event = asyncio.Event()

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if words in record.getMessage():
                event.set()

    ear, logger = Ear(), logging.getLogger("takmail")
    level = logger.level
    logger.addHandler(ear)
    logger.setLevel(logging.INFO)
    try:
        yield event
    finally:
        logger.removeHandler(ear)
        logger.setLevel(level)


async def one_round(app: App) -> None:
    """Process a mail completely: receive it, handle it, file it, and send its letters."""
    assert app.mailbox is not None
    async with app.mailbox as mailbox:
        await app.poller.round(mailbox)
    while app.mail_worker.reads_apart:  # noqa: ASYNC110 - it tells nobody
        await asyncio.sleep(0.001)
    await app.delivery_worker.send_due()


@asynccontextmanager
async def live(folder: Path) -> AsyncIterator[Network]:
    """Yield a mail system with a folder for the database."""
    async with MailSystem(PASSWORDS) as system:
        yield Network(system, folder)


async def invite(game: Network, app: App, words: str) -> None:
    """Ada invites Ben to a game and confirms that she wrote the mail."""
    await game.write(f"Ada <{ADA}>", words)
    await one_round(app)
    question = (await game.letters(ADA))[-1]
    await game.write(f"Ada <{ADA}>", "yes", to=str(question["Reply-To"].addresses[0].addr_spec))
    await one_round(app)


async def begin(game: Network) -> App:
    """Begin a 5x5 game between Ada (White) and Ben. Later calls in this process copy the result of the first one."""
    if ON_POSTGRESQL or (game.folder / "takmail.sqlite").exists():
        return await _begin(game)
    if _begun:
        await _begun[0].restore(game)
        return game.app(first_start="all")
    app = await _begin(game)
    _begun.append(await Begun.of(game, app))
    return app


async def _begin(game: Network) -> App:
    app = game.app(first_start="all")
    await invite(game, app, f"new 5 vs {BEN} first=me")
    invitation = (await game.letters(BEN))[-1]
    await game.write(f"Ben <{BEN}>", "accept", to=str(invitation["Reply-To"].addresses[0].addr_spec))
    await one_round(app)
    return app


@dataclass(frozen=True)
class Begun:
    """The data of a game that has just begun: a database, a key, letters, and filed mails."""

    database: sqlite3.Connection
    key: bytes
    letters: Mapping[str, Sequence[bytes]]
    filed: Sequence[bytes]
    written: int

    @classmethod
    async def of(cls, game: Network, app: App) -> "Begun":
        """Record the data of a game."""
        return cls(
            copied(app.store),
            game.settings().service.key_file.read_bytes(),
            {who: await game.system.mails(who) for who in (ADA, BEN)},
            await game.system.mails(TAK, "Processed"),
            game.written,
        )

    async def restore(self, game: Network) -> None:
        """Restore this data for another game."""
        game.settings().service.key_file.write_bytes(self.key)
        for who, letters in self.letters.items():
            for raw in letters:
                await game.system.deliver(who, _before_delivery(raw))
        async with game.system._folders(game.system._users[TAK]) as folders:
            validity = (await folders.get_mailbox("INBOX")).uid_validity
            await folders.add_mailbox("Processed")
            for raw in self.filed:
                await (await folders.get_mailbox("Processed")).append(AppendMessage(raw))
        game.written = self.written
        with closing(sqlite3.connect(game.folder / "takmail.sqlite")) as database:
            self.database.backup(database)
            with database:
                database.execute("UPDATE watermark SET uid_validity = ?", (validity,))


_begun: list[Begun] = []


def _before_delivery(raw: bytes) -> bytes:
    """Return a mail without the two headers that the mail system added."""
    return raw.split(b"\r\n", 2)[2]


async def bury(app: App) -> None:
    """Close everything that the operating system closes when a process dies."""
    if app.mailbox is not None:
        await app.mailbox.close()
    await app.delivery_worker.close()
    app.close()


def _parsed(raw: bytes) -> EmailMessage:
    mail = message_from_bytes(raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    return mail
