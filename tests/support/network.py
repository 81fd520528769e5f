"""A takmail on a mail system of its own, with players who write and read real mails."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from takmail.app import App
from takmail.demo.mailsystem import MailSystem
from takmail.settings import ImapSettings, ServiceSettings, Settings, SmtpSettings, StoreSettings
from tests.support.databases import url_in

TAK = "tak@example.org"
ADA = "ada@example.org"
BEN = "ben@example.org"
PASSWORDS = {TAK: "secret", ADA: "secret", BEN: "secret"}


@dataclass
class Network:
    """The mail system and the means to start takmail on it, again and again."""

    system: MailSystem
    folder: Path
    written: int = 0

    def settings(self, **imap: object) -> Settings:
        """The settings that an operator would write for this mail system."""
        folder, system = self.folder, self.system
        login = {"host": system.host, "user": TAK, "password": "secret", "tls": "none"}
        return Settings(
            service=ServiceSettings(address=TAK, key_file=folder / "takmail.key"),
            imap=ImapSettings(**{"port": system.imap_port, "poll_seconds": 5, **login, **imap}),  # type: ignore[arg-type]
            smtp=SmtpSettings(port=system.smtp_port, **login),  # type: ignore[arg-type]
            store=StoreSettings(url=url_in(folder)),
        )

    def app(self, **imap: object) -> App:
        """A takmail just started, on the database that the last one left."""
        app = App(self.settings(**imap))
        app.outbound.take_over()
        return app

    async def write(
        self,
        sender: str,
        text: str,
        to: str = TAK,
        message_id: str | None = None,
        received: datetime | None = None,
    ) -> None:
        """Put a mail into takmail's mailbox, as the mail server does."""
        self.written += 1
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = sender, to, "Tak"
        mail["Message-ID"] = message_id or f"<{self.written}@mail.example.org>"
        mail.set_content(text)
        await self.system.deliver(TAK, mail.as_bytes(), mail_from=sender, received=received)

    async def letters(self, who: str, seen: int = 0) -> list[EmailMessage]:
        """The letters that somebody has got after the first `seen`, oldest first."""
        return [_parsed(raw) for raw in (await self.system.mails(who))[seen:]]


def text_of(letter: EmailMessage) -> str:
    """The text side of a letter."""
    side = letter.get_body(("plain",))
    assert side is not None
    return str(side.get_content()).replace("\r\n", "\n")


async def one_round(app: App) -> None:
    """One mail's whole way: in, through the service, away, and its letters out."""
    assert app.mailbox is not None
    async with app.mailbox as mailbox:
        await app.poller.round(mailbox)
    await app.inbound.settle()
    await app.outbound.send_due()


@asynccontextmanager
async def live(folder: Path) -> AsyncIterator[Network]:
    """A mail system with a place for the database."""
    async with MailSystem(PASSWORDS) as system:
        yield Network(system, folder)


async def invite(game: Network, app: App, words: str) -> None:
    """Ada asks Ben to a game, and says that it is her who asks."""
    await game.write(f"Ada <{ADA}>", words)
    await one_round(app)
    question = (await game.letters(ADA))[-1]
    await game.write(f"Ada <{ADA}>", "yes", to=str(question["Reply-To"].addresses[0].addr_spec))
    await one_round(app)


async def begin(game: Network) -> App:
    """A 5x5 game between Ada, who plays White, and Ben, ready for its first turn."""
    app = game.app(first_start="all")
    await invite(game, app, f"new 5 vs {BEN} first=me")
    invitation = (await game.letters(BEN))[-1]
    await game.write(f"Ben <{BEN}>", "accept", to=str(invitation["Reply-To"].addresses[0].addr_spec))
    await one_round(app)
    return app


async def bury(app: App) -> None:
    """Let go of what the operating system closes when a process has died."""
    if app.mailbox is not None:
        await app.mailbox.close()
    await app.outbound.close()
    app.close()


def _parsed(raw: bytes) -> EmailMessage:
    mail = message_from_bytes(raw, policy=policy.default)
    assert isinstance(mail, EmailMessage)
    return mail
