"""Define the immutable values for players, games and letters.

The store loads and saves them, and commands decide on them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple, NewType

from takmail.commands.kinds import (
    First,
    LetterPurpose,
    LetterState,
    LetterView,
    OfferEnd,
    OfferKind,
    PlayerKind,
    QuestionKind,
    Ruling,
    Standing,
)
from takmail.games.interface import Seat
from takmail.games.readonly import read_only

PlayerId = NewType("PlayerId", int)
GameNumber = NewType("GameNumber", int)
SeekNumber = NewType("SeekNumber", int)
QuestionId = NewType("QuestionId", int)
MessageId = NewType("MessageId", str)
"""A Message-ID in lower case, with its angle brackets."""

QUESTION_LIFETIME = timedelta(days=7)
"""How long a question stays open. The letter names this time."""
MAX_BOUNCES = 3
"""The number of bounced letters after which an address rests."""


class ChatLetter(NamedTuple):
    """A letter that contains only chat, and the time it was written."""

    letter: MessageId
    written_at: datetime


@dataclass(frozen=True, slots=True)
class Budget:
    """The number of letters that were recently written to one address. Each kind is counted separately.

    Letters dated in the future, as after the clock was set back, do not count.

    * `hour` and `day` count by kind and include cancelled letters
    * `news` counts letters about events in a game, by game. It covers the last day, or the time since the owner's
      last verified mail if that is shorter.
    * `postponed` counts the letters that are postponed now, by kind and, for news, by game
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
class Mailbox:
    """An address in normal form and its delivery state.

    `bounces` is the number of letters that bounced since the owner last wrote. `verified_at` is the time of the owner's
    last verified mail from this address, None if there was none. `stopped_at` is when they asked for no more mail.
    """

    address: str
    bounces: int = 0
    verified_at: datetime | None = None
    stopped_at: datetime | None = None
    budget: Budget = Budget()

    @property
    def is_unreachable(self) -> bool:
        """Whether the address bounced too often. Nothing is sent to it until its owner writes."""
        return self.bounces >= MAX_BOUNCES

    @property
    def is_suspended(self) -> bool:
        """Whether nothing is sent to the address until its owner writes: it is unreachable, or the owner asked for no
        mail.
        """
        return self.is_unreachable or self.stopped_at is not None


@dataclass(frozen=True, slots=True)
class Player:
    """A person, an engine, or a player whose data was erased. An erased player has no address.

    * `skeleton` is the form shared by all names that look like this one (Unicode UTS #39), None if the player chose
      no name
    * `is_blocked`: the operator blocked the player
    * `letter_view` is their chosen letter format, None if they chose none
    * `invitations_wait`: an invitation to them waits to be written
    * `data_sent_at` is when they last got `mydata`
    * `has_begun_a_game`: at least one of their games has begun, even if it is over
    """

    id: PlayerId
    name: str
    skeleton: str | None
    created_at: datetime
    kind: PlayerKind = PlayerKind.PERSON
    is_blocked: bool = False
    letter_view: LetterView | None = None
    invitations_wait: bool = False
    data_sent_at: datetime | None = None
    has_begun_a_game: bool = False
    mailboxes: tuple[Mailbox, ...] = ()

    @property
    def is_erased(self) -> bool:
        """Whether they left for good."""
        return self.kind is PlayerKind.ERASED

    @property
    def addresses(self) -> tuple[str, ...]:
        """All their addresses."""
        return tuple(one.address for one in self.mailboxes)

    @property
    def main_mailbox(self) -> Mailbox:
        """The mailbox that their letters go to: the one that their last verified mail came from."""
        return max(self.mailboxes, key=lambda one: one.verified_at.timestamp() if one.verified_at else 0.0)

    @property
    def has_written(self) -> bool:
        """Whether a verified mail of theirs has ever arrived."""
        return any(one.verified_at is not None for one in self.mailboxes)

    @property
    def wants_no_mail(self) -> bool:
        """Whether they asked for no more mail."""
        return any(one.stopped_at is not None for one in self.mailboxes)

    def mailbox(self, address: str) -> Mailbox | None:
        """Return their mailbox with this address."""
        return next((one for one in self.mailboxes if one.address == address), None)

    def with_mailbox(self, mailbox: Mailbox) -> "Player":
        """Return the player with a mailbox added, or with the mailbox of the same address replaced."""
        if self.mailbox(mailbox.address) is None:
            return replace(self, mailboxes=(*self.mailboxes, mailbox))
        here = (mailbox if one.address == mailbox.address else one for one in self.mailboxes)
        return replace(self, mailboxes=tuple(here))


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game without its turns. Each event in the game raises `version`.

    * `seats` are the players
    * `asks_board` says for each seat whether it waits for the opponent's board
    * `kind` is the name of the game in the registry
    * `is_relay`: moves are only forwarded; only the registry reads this
    * `guest_label` is the host's name for the guest until the guest accepts
    * `invited_at` is when the invitation was written, None while it waits
    * `days` is the time limit for a turn
    * `score`, `winner` and `points` are set when the game is over
    * `score_digest` is the digest of the data that they were computed from
    """

    number: GameNumber
    version: int
    kind: str
    setup: str
    subject: str
    standing: Standing
    invited_by: PlayerId
    seats: tuple[PlayerId, PlayerId]
    created_at: datetime
    is_relay: bool = False
    asks_board: tuple[bool, bool] = (False, False)
    days: int | None = None
    rematch_of: GameNumber | None = None
    guest_label: str | None = None
    invited_at: datetime | None = None
    resigned: Seat | None = None
    ruling: Ruling | None = None
    score: str | None = None
    winner: Seat | None = None
    points: tuple[int, int] | None = None
    score_digest: str | None = None

    def seat_of(self, player: PlayerId) -> Seat:
        """Return the seat of a player of this game."""
        return Seat(self.seats.index(player))

    @property
    def guest(self) -> PlayerId:
        """The player who was invited."""
        first, second = self.seats
        return second if first == self.invited_by else first


class Turn(NamedTuple):
    """A turn of a game: `text` in canonical form, `written` as the player typed it.

    This is a NamedTuple because creating one takes a third of the time of a frozen dataclass.

    * `version` is the game's version after the turn
    * `is_agreed`: this is not a move but a board that both players agreed on and that `seat` proposed
    * `checksum` covers the position after the turn, None if none was stored
    * `mail` is the mail that played it
    """

    number: int
    seat: int
    text: str
    written: str
    version: int
    is_agreed: bool = False
    checksum: str | None = None
    mail: int | None = None


class TakenBackTurn(NamedTuple):
    """A turn that was taken back. The turns of one `branch` (from 1) were taken back together; `how` is the offer kind.

    `version` is the game's version after the turn was played, and `ended_version` the version after it was taken back.
    """

    number: int
    seat: int
    text: str
    written: str
    version: int
    is_agreed: bool
    branch: int
    how: str
    taken_back_at: datetime
    ended_version: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer from a seat to its opponent, made after turn `turn`. `version` identifies it in its game.

    * `target` is the turn to go back to, and `board` is the turn that sets the board to continue from, if the offer
      has one
    * `ended` is how the offer ended, and `ended_version` the version at which it did. Both are None while it is open.
    """

    version: int
    seat: Seat
    kind: OfferKind
    turn: int
    offered_at: datetime
    target: int | None = None
    board: str | None = None
    ended: OfferEnd | None = None
    ended_version: int | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    """A player's claim that a turn is invalid, with the reason. `version` identifies it in its game."""

    version: int
    seat: Seat
    turn: int
    reason: str
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class WaitingChat:
    """Chat text of a seat that waits for a letter. `version` identifies it in its game.

    `letter` is a postponed letter that contains only this chat. The next letter to the same reader takes it over.
    """

    version: int
    seat: Seat
    words: str
    letter: MessageId | None = None


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """The last board that a seat showed, in the game's notation. It was shown after turn `turn`."""

    board: str
    turn: int
    shown_at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """An open question. A `yes` to its letter runs `words` or does what `kind` says.

    Before it is stored, its `id` is negative: -1 for the first question of a cause, -2 for the second. It is
    addressed to a seat (`game` and `seat`) or to an `address`.

    * `version` and `turn` are the game's version and last turn that the author of `words` had seen
    * `player` is the player who wants to add `address`
    * `letter` is the letter that asks, None if none was written
    * `is_replaced`: newer questions replaced this one, and only a `yes` to its own letter counts
    """

    id: QuestionId
    kind: QuestionKind
    asked_at: datetime
    words: str = ""
    game: GameNumber | None = None
    seat: Seat | None = None
    version: int | None = None
    turn: int | None = None
    address: str | None = None
    player: PlayerId | None = None
    letter: MessageId | None = None
    is_replaced: bool = False

    def is_open(self, now: datetime) -> bool:
        """Tell whether a `yes` still counts. Retention closes the question later."""
        return now - self.asked_at <= QUESTION_LIFETIME

    def is_same_as(self, other: "Question") -> bool:
        """Tell whether a `yes` to one of these questions also answers the other."""
        what = (self.kind, self.words, self.game, self.seat, self.address, self.turn, self.version)
        return what == (
            other.kind,
            other.words,
            other.game,
            other.seat,
            other.address,
            other.turn,
            other.version,
        )


@dataclass(frozen=True, slots=True)
class Seek:
    """A game that anyone can join. `setup`, `first`, `days` and `is_relay` are as in `new`."""

    number: SeekNumber
    player: PlayerId
    kind: str
    setup: str
    first: First | None
    days: int | None
    is_relay: bool
    sought_at: datetime


@dataclass(frozen=True, slots=True)
class SentLetter:
    """A letter that takmail sent, as needed to recognise it when it is quoted.

    * `text` and `html_text` are the text of its two parts, '' and None if not stored
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
    """The letters to a seat that hold its mail thread together, and the text of the newest ones.

    Cancelled letters are not among them.

    * `before` is the letter before `last`
    * `texts` has the newest first
    * `reported_turn` is the turn that the last letter reports, if it reports nothing else but chat
    * `is_unclaimed`: no sender has claimed the last letter yet
    * `chat` is the chat that waits again if the last letter is cancelled
    """

    first: MessageId | None = None
    last: MessageId | None = None
    before: MessageId | None = None
    texts: tuple[tuple[str, str | None], ...] = ()
    reported_turn: int | None = None
    is_unclaimed: bool = False
    chat: tuple[WaitingChat, ...] = ()

    def without(self, letter: MessageId) -> "Thread":
        """Return the thread after a letter to the seat is cancelled."""
        if letter != self.last:
            return self
        first = None if self.first == self.last else self.first
        return replace(
            self, first=first, last=self.before, before=None, reported_turn=None, is_unclaimed=False, chat=()
        )

    def with_letter(self, letter: MessageId) -> "Thread":
        """Return the thread after a new letter to the seat."""
        return replace(
            self,
            first=self.first or letter,
            last=letter,
            before=self.last,
            reported_turn=None,
            is_unclaimed=False,
            chat=(),
        )

    @property
    def ids(self) -> list[str]:
        """The Message-IDs that the References header of a new letter begins with, oldest first."""
        return list(dict.fromkeys(one for one in (self.first, self.last) if one is not None))


@dataclass(frozen=True, slots=True)
class ReturnedLetter:
    """The letter that a delivery report is about.

    `number` is its row in the outbox; `has_bytes`: its bytes are stored.
    """

    number: int
    message_id: MessageId
    to: str
    state: LetterState
    game: GameNumber | None
    has_bytes: bool


@dataclass(frozen=True, slots=True)
class DisputeEvidence:
    """Stored data that can help to repair a corrupt game.

    * `letters` are the letters about the game, newest first
    * `report` is the newest letter that reports the turn in question and nothing else but chat, with the time and the
      mail that caused it
    * `turns` are the rows as stored
    * `mail` is the mail that played the turn, even if the turn is lost
    * `waiting_mails` are the mails that wait for the game
    """

    letters: tuple[SentLetter, ...] = ()
    report: SentLetter | None = None
    reported_at: datetime | None = None
    report_mail: int | None = None
    turns: tuple[Turn, ...] = ()
    mail: int | None = None
    waiting_mails: tuple[int, ...] = ()
