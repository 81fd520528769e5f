"""A takmail without a mailbox, and players whose mails are handed over to it by LMTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import policy
from email.message import EmailMessage
from pathlib import Path

from sqlmodel import select

from takmail.app import App
from takmail.settings import LmtpSettings
from takmail.store import games
from takmail.store.tables import IntakeRow
from tests.acceptance.test_serving import said
from tests.support.lmtp import Client, connected
from tests.support.network import ADA, BEN, TAK, Network, text_of

KEPT = "250 2.0.0 kept as mail {}"


def place(game: Network) -> Path:
    return game.folder / "lmtp.sock"


def app_on(game: Network) -> App:
    """A takmail without a mailbox, on the database that the last one left."""
    lmtp = LmtpSettings(socket=place(game))
    return App(game.settings().model_copy(update={"imap": None, "lmtp": lmtp}))


@asynccontextmanager
async def serving(game: Network) -> AsyncIterator[App]:
    app, stop = app_on(game), asyncio.Event()
    with said("listening at") as listens:
        task = asyncio.create_task(app.serve(stop))
        async with asyncio.timeout(10):
            await listens.wait()
    try:
        yield app
    finally:
        stop.set()
        await task
        app.close()


def mail(sender: str, text: str, to: str = TAK, number: int = 1) -> bytes:
    written = EmailMessage(policy=policy.SMTP)
    written["From"], written["To"], written["Subject"] = sender, to, "Tak"
    written["Message-ID"] = f"<{number}@mail.example.org>"
    written.set_content(text)
    return written.as_bytes()


class Post:
    """Ada and Ben write by LMTP, and read what has come for them."""

    def __init__(self, game: Network, client: Client) -> None:
        self._game = game
        self._client = client
        self._written = 0
        self.last: dict[str, EmailMessage] = {}

    async def write(self, who: str, text: str, to: str = "") -> str:
        """Hand a mail over, an answer to the last letter if there is one; gives the answer that it got."""
        self._written += 1
        to = to or reply_address(self.last[who])
        [answer] = await self._client.sent(mail(who, text, to, self._written), [to], who)
        return answer

    async def read(self, who: str, letters: int = 1) -> str:
        """The newest of so many letters that are still to come."""
        for _ in range(letters):
            await self._game.system.next_mail(who)
        self.last[who] = (await self._game.letters(who))[-1]
        return text_of(self.last[who])

    async def begin(self) -> None:
        """A game of 5x5, in which Ada has the first turn."""
        await self.write(ADA, f"new 5 vs {BEN} first=me", TAK)
        await self.read(ADA)
        await self.write(ADA, "yes")
        await self.read(BEN)
        await self.write(BEN, "accept")
        await self.read(BEN)
        await self.read(ADA, 2)


def reply_address(letter: EmailMessage) -> str:
    return str(letter["Reply-To"].addresses[0].addr_spec)


@asynccontextmanager
async def play(game: Network) -> AsyncIterator[Post]:
    async with connected(place(game)) as client:
        post = Post(game, client)
        await post.begin()
        yield post


def rows(app: App) -> list[IntakeRow]:
    with app.store.transaction() as session:
        return list(session.exec(select(IntakeRow).order_by(IntakeRow.id)))  # type: ignore[arg-type]


def turns(app: App) -> list[str]:
    with app.store.transaction() as session:
        return [turn.text for turn in games.turns(session, 1)]
