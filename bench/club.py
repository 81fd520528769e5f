"""Simulate players. Their mails quote the letter that they answer, as those of mail programs do."""

import json
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import cycle, islice
from pathlib import Path
from uuid import uuid4

from bench.letters import answer
from bench.served import Served
from bench.town import MailNetwork

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.json"
SIZE = 6


@dataclass(slots=True)
class Game:
    """One game: its players, its turns in Tak by Mail notation, and the number of turns written so far."""

    white: str
    black: str
    turns: list[str]
    written: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """A letter that takmail has sent."""

    mail_from: str
    mail_to: str
    raw: bytes


@dataclass(slots=True)
class Players:
    """The players of several simultaneous games with one takmail."""

    town: MailNetwork
    takmail: Served
    address: str
    database: Path
    tables: list[Game]
    letters: dict[str, bytes] = field(default_factory=dict)
    _seen: int = 0

    def begin(self) -> None:
        """Start all games. The host invites and confirms, and then the guest accepts."""
        for table in self.tables:
            self.town.put(self.address, [self.first(table.white, f"new {SIZE} vs {table.black} first=me")])
        self._wait_until_idle()
        self.town.put(self.address, [self.reply(table.white, "yes") for table in self.tables])
        self._wait_until_idle()
        self.town.put(self.address, [self.reply(table.black, "accept") for table in self.tables])
        self._wait_until_idle()

    def moves(self) -> list[bytes]:
        """Return the mail with the next turn of each game, from the player to move."""
        mails = []
        for table in self.tables:
            who = (table.white, table.black)[table.written % 2]
            mails.append(self.reply(who, table.turns[table.written]))
            table.written += 1
        return mails

    def first(self, who: str, words: str) -> bytes:
        """Return a mail of a player that answers nothing."""
        return mail_of(who, self.address, words).replace(b"\r\n", b"\n")

    def reply(self, who: str, words: str) -> bytes:
        """Return a mail of a player that answers and quotes the newest letter to that player."""
        return mail_of(who, self.address, words, self.letters[who]).replace(b"\r\n", b"\n")

    def collect(self) -> list[Sent]:
        """Return the letters that have been written since the last call."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as store:
            rows = store.execute(
                "SELECT id, mail_from, mail_to, raw FROM outbox WHERE id > ? ORDER BY id", (self._seen,)
            ).fetchall()
        store.close()
        found = [Sent(*row[1:]) for row in rows]
        self._seen = max((row[0] for row in rows), default=self._seen)
        self.letters |= {letter.mail_to: letter.raw for letter in found}
        return found

    def _wait_until_idle(self) -> None:
        """Wait until every mail is handled and every letter is sent."""
        while self.town.left_in(self.address) or self._waiting():
            time.sleep(0.1)
        self.collect()

    def _waiting(self) -> int:
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True) as store:
            (unsent,) = store.execute("SELECT count(*) FROM outbox WHERE state = 'queued'").fetchone()
            (new,) = store.execute("SELECT count(*) FROM inbox WHERE state = 'new'").fetchone()
        store.close()
        return int(unsent + new)


def mail_of(who: str, address: str, words: str, letter: bytes | None = None) -> bytes:
    """Return a mail of a player as a mail server hands it over. It answers and quotes a letter, if there is one."""
    mail = EmailMessage(policy=policy.SMTP)
    # Mail servers add these headers on top.
    mail["Return-Path"] = f"<{who}>"
    mail["Received"] = f"from mail.example.test by localhost with LMTP id {uuid4().hex}"
    mail["From"] = f"{who.partition('-')[0].capitalize()} <{who}>"
    mail["Message-ID"] = f"<{uuid4()}@example.test>"
    mail["Date"] = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime())
    if letter is None:
        mail["To"], mail["Subject"] = address, "A game"
        mail.set_content(words)
    else:
        answer(mail, words, message_from_bytes(letter, policy=policy.default))
    return mail.as_bytes()


def tables(games: int, turns: int) -> Iterator[Game]:
    """Yield games of more than `turns` turns, each between two players who have no other game."""
    written = [game["mail"] for game in json.loads(GAMES.read_text()) if game["size"] == SIZE]
    long_ones = [one for one in written if len(one) > turns]
    for number, one in enumerate(islice(cycle(long_ones), games)):
        yield Game(f"ada-{number:04}@example.test", f"ben-{number:04}@example.test", one)
