"""Define what is stored about letters, and the chat text in them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from takmail.games.interface import Seat
from takmail.games.readonly import read_only
from takmail.world.kinds import GameNumber, LetterPurpose, LetterState, MessageId, PlayerId
from takmail.world.records import ShownBoard


class ChatLetter(NamedTuple):
    """A letter that contains only chat, with the time when it was written."""

    letter: MessageId
    written_at: datetime


class CountedLetter(NamedTuple):
    """A letter that counts in a budget of letters to strangers.

    `leaves_at` is about when it leaves. `player` typed the recipient's address, None if it answers a mail.
    """

    to: str
    leaves_at: datetime
    player: PlayerId | None = None
    player_addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Budget:
    """The numbers of letters that were recently written to one address.

    Letters dated in the future, which exist if the clock was set back, do not count.

    * `hour` and `day` count the letters of the last hour and day by purpose, including cancelled ones
    * `news` counts letters about events in a game, by game. It covers the last day, or the time since the owner's last
      verified mail if that is shorter.
    * `postponed` counts the letters that are postponed now, by purpose. Letters about events in a game are counted for
      each game.
    * `chats` are the letters of the last hour that contain only chat and are not cancelled, newest first
    """

    hour: Mapping[LetterPurpose, int] = field(default_factory=dict)
    day: Mapping[LetterPurpose, int] = field(default_factory=dict)
    news: Mapping[GameNumber, int] = field(default_factory=dict)
    postponed: Mapping[tuple[LetterPurpose, GameNumber | None], int] = field(default_factory=dict)
    chats: tuple[ChatLetter, ...] = ()

    def __post_init__(self) -> None:
        read_only(self, "hour", "day", "news", "postponed")


@dataclass(frozen=True, slots=True)
class WaitingChat:
    """Chat text of a seat that waits for a letter. `version` identifies the text in its game.

    `letter` is a postponed letter that contains only this text, None if there is none. The next letter to the same
    reader takes the text over.
    """

    version: int
    seat: Seat
    words: str
    letter: MessageId | None = None


class HeldLetter(NamedTuple):
    """A letter about a turn in a game that waits for a digest."""

    letter: MessageId
    game: GameNumber


NO_LETTERS = Budget()
"""The budget of an address to which no letter was written recently."""


@dataclass(frozen=True, slots=True)
class SentLetter:
    """A letter that takmail sent, with the data needed to recognise it when a mail quotes it.

    * `text` and `html_text` are the text of its two sides, '' and None if they are not stored
    * `version` and `turn` are the game's version and last turn that the letter shows
    """

    message_id: MessageId
    game: GameNumber | None
    seat: Seat | None
    version: int | None
    turn: int | None
    text: str
    html_text: str | None


@dataclass(frozen=True, slots=True)
class Thread:
    """The mail thread of a seat: the Message-IDs of letters to that seat, and the text of the newest ones.

    Cancelled letters do not count.

    * `first` and `last` are the oldest and the newest letter, and `before` is the letter before `last`
    * `texts` are the two sides of the newest letters, newest first
    * `reported_turn` is the turn that `last` reports, None if `last` reports anything else except chat
    * `is_unclaimed`: no delivery worker has claimed `last` yet
    * `chat` is the chat text in `last`, which waits again if `last` is cancelled
    * `waiting_for_thought` is the newest letter that waits for what a process thinks about, None if none does
    """

    first: MessageId | None = None
    last: MessageId | None = None
    before: MessageId | None = None
    texts: tuple[tuple[str, str | None], ...] = ()
    reported_turn: int | None = None
    is_unclaimed: bool = False
    chat: tuple[WaitingChat, ...] = ()
    waiting_for_thought: MessageId | None = None

    def without(self, letter: MessageId) -> "Thread":
        """Return the thread after a letter is cancelled."""
        waiting = None if letter == self.waiting_for_thought else self.waiting_for_thought
        if letter != self.last:
            return replace(self, waiting_for_thought=waiting)
        first = None if self.first == self.last else self.first
        return Thread(first, self.before, texts=self.texts, waiting_for_thought=waiting)

    def with_letter(self, letter: MessageId) -> "Thread":
        """Return the thread after a new letter."""
        return Thread(
            self.first or letter, letter, self.last, self.texts, waiting_for_thought=self.waiting_for_thought
        )

    @property
    def ids(self) -> list[str]:
        """The Message-IDs that the References header of a new letter begins with, oldest first."""
        return list(dict.fromkeys(letter for letter in (self.first, self.last) if letter is not None))


@dataclass(frozen=True, slots=True)
class Correspondence:
    """What goes between the players of a game beside turns and offers, and the letters to them.

    * `waiting_chat` is the chat that waits for a letter
    * `last_chat` is the last delivered chat of each seat, None if there is none
    * `threads` are the letters to each seat
    * `shown_boards` is, for each seat, the last board that its player sent, None if there is none
    * `last_chat_versions` is the game's version after the `last_chat` of each seat
    """

    waiting_chat: tuple[WaitingChat, ...] = ()
    last_chat: tuple[str | None, str | None] = (None, None)
    threads: tuple[Thread, Thread] = (Thread(), Thread())
    shown_boards: tuple[ShownBoard | None, ShownBoard | None] = (None, None)
    last_chat_versions: tuple[int, int] = (0, 0)

    @property
    def chat(self) -> tuple[WaitingChat, ...]:
        """The chat that waits for a letter, and that in letters that can still be withdrawn."""
        first, second = self.threads
        return (*self.waiting_chat, *first.chat, *second.chat)

    def with_seats_swapped(self) -> "Correspondence":
        """Return it after the players of a game without boards have swapped their seats."""
        words = tuple(replace(words, seat=words.seat.other) for words in self.waiting_chat)
        return replace(
            self,
            waiting_chat=words,
            last_chat=self.last_chat[::-1],
            last_chat_versions=self.last_chat_versions[::-1],
            threads=self.threads[::-1],
        )


NO_CORRESPONDENCE = Correspondence()
"""The correspondence of a new game."""


class TurnLetter(NamedTuple):
    """The letter that brought the current turn to the player to move.

    `taken_at` is when the time of the turn began by it: when the mail server took it, or some days after it came back.
    It is None while neither has happened.
    """

    taken_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReturnedLetter:
    """The letter that a delivery report is about.

    `number` is the number of its row in the outbox. `has_bytes`: the bytes of the letter are still stored. It was
    written at `created_at`.
    """

    number: int
    message_id: MessageId
    to: str
    state: LetterState
    game: GameNumber | None
    has_bytes: bool
    created_at: datetime
