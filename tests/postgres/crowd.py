"""Several takmails at once on one database: processes of their own, and mails of many games for them to share."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from itertools import count
from pathlib import Path

from takmail.config import loading
from takmail.games.interface import Seat
from takmail.mail.tokens import SeatKey
from takmail.runtime.bootstrap import App

TAK = "tak@example.org"
MOVES = ("ps a1", "ps e5", "ps c3", "ps b4", "ps d2", "pw a5", "ps e1", "ps c1", "pw b2", "ps d4")
"""Turns of a game on 5x5 that goes on after them; none can be played before the one that stands before it."""

_numbers = count(1)


def config_at(folder: Path, url: str, smtp: int) -> Path:
    """The config.toml of a takmail that gets its mails from the queue alone, and sends letters to a port here."""
    file = folder / "config.toml"
    file.write_text(
        f'[service]\naddress = "{TAK}"\nletters = "text"\n[store]\nurl = "{url}"\n'
        f'[smtp]\nhost = "127.0.0.1"\nport = {smtp}\nuser = "{TAK}"\npassword = "secret"\ntls = "none"\n'
        "[limits]\nanswers_per_hour = 100000\nletters_per_day = 100000\n"
        # Many games begin at once, each with letters to two strangers.
        "total_stranger_answers_per_hour = 100000\ntotal_stranger_answers_per_day = 100000\n"
        "total_stranger_invitations_per_hour = 100000\ntotal_stranger_invitations_per_day = 100000\n"
    )
    return file


def app_of(file: Path) -> App:
    """The same takmail in this process."""
    return App(loading.load(file))


def players(game: int) -> tuple[str, str]:
    """The two people who play a game and no other: the one who moves first, and the one who was invited."""
    return f"ada{game}@example.org", f"ben{game}@example.org"


def begin(app: App, games: int) -> None:
    """Have so many games begun, each by people of its own."""
    key = app.services.key
    for number in range(1, games + 1):
        ada, ben = players(number)
        for who, words, to in (
            (ada, f"new 5 vs {ben} first=me", key.personal_address(ada)),
            (ben, "accept", key.reply_address(number, Seat.SECOND)),
        ):
            app.mail_worker.keep_one(mail(who, words, to))
            app.mail_worker.work()


def moves(key: SeatKey, games: int, turns: Sequence[str] = MOVES) -> Iterator[bytes]:
    """The mails of all turns of all games: the first ones of every game, then the second ones."""
    for number, turn in enumerate(turns):
        for game in range(1, games + 1):
            yield mail(players(game)[number % 2], turn, key.reply_address(game, Seat(number % 2)))


def mail(sender: str, words: str, to: str) -> bytes:
    """A mail as a person's program writes it."""
    written = EmailMessage()
    written["From"] = f"{sender[:3].capitalize()} <{sender}>"
    written["To"], written["Message-ID"] = to, f"<{next(_numbers)}@mail.example.org>"
    written.set_content(words)
    return written.as_bytes()


class Worker:
    """A `takmail serve` in a process of its own, which may be killed and started again."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it; it says nothing here, and its log goes beside the config."""
        words = ("-m", "takmail", "serve", "--config", str(self._file))
        with (self._file.parent / "log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(sys.executable, *words, stderr=log)

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    async def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()

    async def end(self) -> int:
        """Ask it to stop if it still runs; gives its exit code."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.terminate()
        return await self._process.wait()
