"""A database that an older takmail has left, and the people who answer its letters.

`tests/data/upgrade/README.md` tells what is in it and how it was made.
"""

from datetime import UTC, datetime, timedelta
from enum import IntEnum

from takmail.commands.kinds import MailState
from takmail.store import games
from tests.support.harness import Harness, Received, turns

LAST = datetime(2026, 11, 18, 23, 58, tzinfo=UTC)
"""When the last mail had come."""


class Game(IntEnum):
    """The games of the old database, each by what is special about it."""

    ROAD = 1
    FLATS = 2
    RESIGNED = 3
    DRAWN = 4
    RULED = 5
    VOID = 6
    SMALLEST = 8
    RUNNING = 9
    SIX = 10
    EIGHT = 11
    PICTURES = 12
    UNDONE = 13
    BOARD_AGREED = 14
    DRAW_OFFERED = 15
    UNDO_OFFERED = 16
    BACK_PROPOSED = 17
    BOARD_PROPOSED = 18
    RESTART_PROPOSED = 19
    DISPUTED = 20
    RESIGN_ASKED = 21
    WORDS_WAIT = 22
    HELD_OF_STRANGER = 23
    HELD_OF_FROM = 24
    RELAY = 25
    ADJOURNED = 26
    OF_BLOCKED = 27
    OF_STOPPED = 28
    BOUNCED = 29
    RESTING = 30
    FAILED = 31
    POSTPONED = 32
    INVITED = 33
    INVITED_LATER = 34
    OF_FORGOTTEN = 35
    QUEUED = 36
    TRIED_TWICE = 37
    NOT_TRIED = 38
    REMATCH = 39


def address(name: str) -> str:
    return f"{name.lower()}@example.org"


class Upgraded(Harness):
    """The service on the old database, an hour later, with all the letters of before in its box.

    The mails that waited come first, as when `serve` starts.
    """

    def begin_again(self) -> None:
        self.now = LAST + timedelta(hours=1)
        self._mails = 1_000  # no Message-ID comes again
        self.mail_worker.work()
        self.collect()

    def deliver(self, raw: bytes) -> list[Received]:
        """Put a mail through; gives the letters that follow. One that raises fails the test."""
        number = self.mail_worker.keep_one(raw)
        self.mail_worker.work()
        state, note = self.note_of(number)
        assert state not in (MailState.NEW, MailState.SHUNTED), note
        return self.collect()

    def letter(self, to: str, game: Game, nth: int = -1) -> Received:
        """A letter about a game to somebody; the newest one, unless another is asked for."""
        return [one for one in self.box if one.to == to and f"#{game:d}]" in one.subject][nth]

    def answer(
        self, who: str, text: str, game: Game, nth: int = -1, *, sender: str | None = None
    ) -> list[Received]:
        """Somebody answers a letter about a game; gives the letters that follow."""
        own = address(who)
        return self.send(f"{who} <{sender or own}>", text, self.letter(own, game, nth))

    def yes(self, letter: Received) -> list[Received]:
        """The reader of a letter answers it with `yes`."""
        return self.send(f"Somebody <{letter.to}>", "yes", letter)

    def unanswered(self, to: str) -> list[Received]:
        """The letters about no game to an address that ask for a `yes`, oldest first."""
        return [one for one in self.box if one.to == to and " is this " in one.subject]


def turns_of(harness: Harness, game: Game) -> list[str]:
    return turns(harness, game.value)


def standing(harness: Harness, game: Game) -> str:
    with harness.store.transaction() as session:
        found = games.get(session, game.value)
        assert found is not None
        return str(found.standing)
