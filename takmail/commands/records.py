"""Frozen values of people, games and letters, as they are loaded, decided on and stored."""

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

ASKED_FOR = timedelta(days=7)
"""How long a question waits for its `yes`; the letter says so."""
MOST_BOUNCES = 3
"""Letters to an address that come back before it rests."""


class ChatLetter(NamedTuple):
    """A letter of words alone, and when it was written."""

    letter: MessageId
    written_at: datetime


@dataclass(frozen=True, slots=True)
class Budget:
    """Letters that were written to one address of late; each kind is counted by itself.

    What a clock that was set back since calls the future is counted nowhere. `hour` and `day` count by kind, be a
    letter withdrawn since or not, and so does `news`, by game: those about what happened in it, within a day or since
    the owner has last surely written, whichever is shorter. `postponed` counts those that are put off now, by kind
    and, for news, game. `chats` are the letters within an hour that bring words alone and are not withdrawn, newest
    first.
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
    """An address in normal form; `bounces` are the letters that came back since its owner has written.

    `heard_at` is when they last surely wrote from it, None: never. `stopped_at` is when they asked for no more mail.
    """

    address: str
    bounces: int = 0
    heard_at: datetime | None = None
    stopped_at: datetime | None = None
    budget: Budget = Budget()

    @property
    def is_unreachable(self) -> bool:
        """Whether so many letters came back that no more is tried before its owner writes."""
        return self.bounces >= MOST_BOUNCES

    @property
    def rests(self) -> bool:
        """Whether nothing is sent there before its owner writes: letters came back, or they want none."""
        return self.is_unreachable or self.stopped_at is not None


@dataclass(frozen=True, slots=True)
class Player:
    """A person or an engine; one that is gone has no address.

    `skeleton` is what all names that look like this one share; None where the name is nobody's own. `is_blocked`: the
    operator wants nothing of theirs carried out. `letter_view`: what their letters are made of, None: they have not
    said. `has_to_be_asked`: an invitation to them waits to be written. `data_sent_at`: when they last got `mydata`.
    `plays`: a game of theirs has begun, be it over or not.
    """

    id: PlayerId
    name: str
    skeleton: str | None
    created_at: datetime
    kind: PlayerKind = PlayerKind.PERSON
    is_blocked: bool = False
    letter_view: LetterView | None = None
    has_to_be_asked: bool = False
    data_sent_at: datetime | None = None
    plays: bool = False
    mailboxes: tuple[Mailbox, ...] = ()

    @property
    def is_gone(self) -> bool:
        """Whether they have left for good."""
        return self.kind is PlayerKind.GONE

    @property
    def addresses(self) -> tuple[str, ...]:
        """All their addresses."""
        return tuple(one.address for one in self.mailboxes)

    @property
    def main(self) -> Mailbox:
        """The mailbox that letters to them go to: the address that they last surely wrote from."""
        return max(self.mailboxes, key=lambda one: one.heard_at.timestamp() if one.heard_at else 0.0)

    @property
    def has_written(self) -> bool:
        """Whether they have ever surely written."""
        return any(one.heard_at is not None for one in self.mailboxes)

    @property
    def wants_no_mail(self) -> bool:
        """Whether they have asked for no more mail."""
        return any(one.stopped_at is not None for one in self.mailboxes)

    def mailbox(self, address: str) -> Mailbox | None:
        """Their mailbox with this address."""
        return next((one for one in self.mailboxes if one.address == address), None)

    def with_mailbox(self, mailbox: Mailbox) -> "Player":
        """The player with a mailbox in the place of the one with its address, or behind the others."""
        if self.mailbox(mailbox.address) is None:
            return replace(self, mailboxes=(*self.mailboxes, mailbox))
        here = (mailbox if one.address == mailbox.address else one for one in self.mailboxes)
        return replace(self, mailboxes=tuple(here))


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game without its turns; each event in it raises `version`.

    `seats` are its players, and `asks_board` tells of each whether they wait for the other one's board. `kind` names
    the game in the registry, and `is_relay` that its moves are only passed on, which the registry alone asks for.
    `guest_label` is what the host calls the guest until they accept, `asked_at` is when the invitation was written,
    None: it waits. `days` are those for a turn.

    `score`, `winner` and `points` are there once it is over; `counted` is the digest of all that they follow from.
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
    asked_at: datetime | None = None
    resigned: Seat | None = None
    ruling: Ruling | None = None
    score: str | None = None
    winner: Seat | None = None
    points: tuple[int, int] | None = None
    counted: str | None = None

    def seat_of(self, player: PlayerId) -> Seat:
        """The seat of a player who sits in it."""
        return Seat(self.seats.index(player))

    @property
    def guest(self) -> PlayerId:
        """The player who was invited."""
        first, second = self.seats
        return second if first == self.invited_by else first


class Turn(NamedTuple):
    """A turn of a game: `text` in canonical form, `written` as the player wrote it.

    `version` is the game's by it. `is_agreed`: it is no move, but a board that both have agreed on, which `seat` has
    proposed. `checksum` is that of the position after it, None where none was kept; `mail` is the mail that played it.
    A NamedTuple, because making one costs a third of what a frozen dataclass takes, and games have many.
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
    """A turn that was given up: those of one `branch` together, counted from 1, and `how` tells by what.

    `version` is the game's by which it was played, and `gone` the one by which it was given up.
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
    gone: int


@dataclass(frozen=True, slots=True)
class Offer:
    """What the player of a seat offers the other one, made after turn `turn` and by `version`, which is its name.

    `target` is the turn to go back to, `board` the turn that sets the board to go on from, where that is offered.
    `ended` is how it has ended, by version `gone`; both are None while it stands.
    """

    version: int
    seat: Seat
    kind: OfferKind
    turn: int
    offered_at: datetime
    target: int | None = None
    board: str | None = None
    ended: OfferEnd | None = None
    gone: int | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    """A turn that the player of a seat holds to be invalid, and why; `version` is its name."""

    version: int
    seat: Seat
    turn: int
    reason: str
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class Words:
    """Words of a seat that wait for a letter; `version` is their name.

    `letter` is a letter of nothing but words that was put off with them: the next letter takes them along.
    """

    version: int
    seat: Seat
    words: str
    letter: MessageId | None = None


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """The board that the player of a seat has shown last, in the game's text, after turn `turn`."""

    board: str
    turn: int
    shown_at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """A question that is open: a `yes` to the letter that asked it runs `words`, or does what `kind` says.

    Until it is stored its `id` is negative: -1 is the first question of its cause, -2 the second. It is asked of a
    seat (`game` and `seat`) or of an `address`. `version` and `turn` are the game's version and last
    turn that the writer of the words had seen. `player` is whose address it would become. `letter` is the letter that
    asks, None: none was written. `is_replaced`: newer ones have taken its place; a `yes` to its letter still counts,
    and no other.
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
        """Tell whether a `yes` still counts; retention closes it later."""
        return now - self.asked_at <= ASKED_FOR

    def asks_the_same(self, other: "Question") -> bool:
        """Tell whether a `yes` to one of them is one to the other, too."""
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
    """A game that waits for anybody to join; `setup`, `first`, `days` and `is_relay` as in `new`."""

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
    """A letter of ours as it is known again: what both of its sides read as, '' and None where that isn't kept.

    `version` and `turn` are the game's version and its last turn as the letter shows them.
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
    """The letters to a seat: the first and the last, which hold its thread together, and what the last ones say.

    None of them is withdrawn; `before` is the last but one. `texts` are the newest first. `told` is the turn that
    the last one tells of, if it tells of nothing else but words, `is_unclaimed` whether no sender has had that one in
    hand, and `brings` are the words that wait again if it is withdrawn.
    """

    first: MessageId | None = None
    last: MessageId | None = None
    before: MessageId | None = None
    texts: tuple[tuple[str, str | None], ...] = ()
    told: int | None = None
    is_unclaimed: bool = False
    brings: tuple[Words, ...] = ()

    def without(self, letter: MessageId) -> "Thread":
        """The thread after a letter to the seat is withdrawn."""
        if letter != self.last:
            return self
        first = None if self.first == self.last else self.first
        return replace(
            self, first=first, last=self.before, before=None, told=None, is_unclaimed=False, brings=()
        )

    def with_letter(self, letter: MessageId) -> "Thread":
        """The thread after one more letter to the seat."""
        return replace(
            self,
            first=self.first or letter,
            last=letter,
            before=self.last,
            told=None,
            is_unclaimed=False,
            brings=(),
        )

    @property
    def ids(self) -> list[str]:
        """The Message-IDs that a new letter's References begin with, oldest first."""
        return list(dict.fromkeys(one for one in (self.first, self.last) if one is not None))


@dataclass(frozen=True, slots=True)
class ReturnedLetter:
    """The letter that a report is about; `number` is its own in the outbox; `is_kept`: its bytes are still there."""

    number: int
    message_id: MessageId
    to: str
    state: LetterState
    game: GameNumber | None
    is_kept: bool


@dataclass(frozen=True, slots=True)
class DisputeEvidence:
    """The evidence about a corrupt game, beside the fault itself.

    `letters` are those about it, the newest first, `told` is the newest that tells of the turn in question and of
    nothing else but words, with the moment and the mail that it followed from. `turns` are the stored ones as they
    are. `mail` has played that turn, be the turn itself lost, and `kept` are the mails that wait for the game.
    """

    letters: tuple[SentLetter, ...] = ()
    told: SentLetter | None = None
    told_at: datetime | None = None
    told_mail: int | None = None
    turns: tuple[Turn, ...] = ()
    mail: int | None = None
    kept: tuple[int, ...] = ()
