"""A takmail without a mailbox, and players whose mails it receives by LMTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email import policy
from email.message import EmailMessage
from pathlib import Path

from sqlmodel import select

from takmail.config import LimitSettings, LmtpSettings
from takmail.limits.mails import DEFAULT_LIMITS
from takmail.runtime.bootstrap import App
from takmail.store.records import TURNS
from takmail.store.tables import InboxRow
from tests.support.cost import PATIENCE
from tests.support.lmtp import Client, connected
from tests.support.network import ADA, BEN, TAK, Network, begin, bury, live, logged, text_of

KEPT = "250 2.0.0 kept as mail {}"


def place(game: Network) -> Path:
    return game.folder / "lmtp.sock"


def app_on(game: Network) -> App:
    """Return a takmail without a mailbox, on the database that the last one left."""
    lmtp = LmtpSettings(socket=place(game))
    return App(game.settings().model_copy(update={"imap": None, "lmtp": lmtp}))


@asynccontextmanager
async def serving(game: Network) -> AsyncIterator[App]:
    app, stop = app_on(game), asyncio.Event()
    with logged("listening at") as listens:
        task = asyncio.create_task(app.serve(stop))
        async with asyncio.timeout(PATIENCE):
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
    """Ada and Ben, who write by LMTP and read their letters."""

    def __init__(self, game: Network, client: Client) -> None:
        self._game = game
        self.client = client
        self.last: dict[str, EmailMessage] = {}

    async def write(self, who: str, text: str, to: str = "") -> str:
        """Deliver a mail, as a reply to the last letter if there is one. Return the server's answer."""
        self._game.written += 1
        to = to or reply_address(self.last[who])
        [answer] = await self.client.sent(mail(who, text, to, self._game.written), [to], who)
        return answer

    async def read(self, who: str, letters: int = 1) -> str:
        """Return the newest of the next `letters` letters."""
        for _ in range(letters):
            await self._game.system.next_mail(who, PATIENCE)
        self.last[who] = (await self._game.letters(who))[-1]
        return text_of(self.last[who])


def reply_address(letter: EmailMessage) -> str:
    return str(letter["Reply-To"].addresses[0].addr_spec)


@asynccontextmanager
async def begun(folder: Path, mail_bytes: int = DEFAULT_LIMITS.mail_bytes) -> AsyncIterator[Network]:
    """Begin a 5x5 game in which Ada has the first turn, and wait for its first letters."""
    async with live(folder) as game:
        game.limits = LimitSettings(mail_bytes=mail_bytes)
        await bury(await begin(game))
        yield game


@asynccontextmanager
async def play(game: Network) -> AsyncIterator[Post]:
    """Yield the players after they have read all letters so far."""
    async with connected(place(game)) as client:
        post = Post(game, client)
        for who in (ADA, BEN):
            if letters := await game.letters(who):
                await post.read(who, len(letters))
        yield post


def rows(app: App) -> list[InboxRow]:
    with app.store.transaction() as session:
        return list(session.exec(select(InboxRow).order_by(InboxRow.id)))  # type: ignore[arg-type]


def turns(app: App) -> list[str]:
    with app.store.transaction() as session:
        return [turn.text for turn in TURNS.load(session, 1)]
