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
from takmail.limits.letters import MAX_BOUNCES
from takmail.limits.words import MAX_SIMILAR_TEXTS, MAX_TEXTS_IN_A_ROW

PlayerId = NewType("PlayerId", int)
GameNumber = NewType("GameNumber", int)
SeekNumber = NewType("SeekNumber", int)
QuestionId = NewType("QuestionId", int)
MessageId = NewType("MessageId", str)
"""A Message-ID in lower case, with its angle brackets."""

QUESTION_LIFETIME = timedelta(days=7)
"""How long a `yes` can answer a question. The letter with the question states this time."""


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
class LastText:
    """The last text without an order that came from an address, as digests, which are '' if an order came after it.

    * `whole` is the digest of the text, and `frame` that of the text without what a program may count or date
    * `similar` is how many texts in a row had this frame. It is over `MAX_SIMILAR_TEXTS` if the text was repeated, and
      0 after an order, and after a text with a command that shows something.
    * `in_a_row` is the number of texts since the last order, each soon after the one before (`IN_A_ROW`)
    """

    whole: str = ""
    frame: str = ""
    similar: int = 0
    in_a_row: int = 0

    @property
    def is_repeated(self) -> bool:
        """Whether a machine probably writes the text, as it comes again and again."""
        return self.similar > MAX_SIMILAR_TEXTS

    @property
    def is_quiet(self) -> bool:
        """Whether the text is not answered, because it is repeated, or follows too many others."""
        return self.is_repeated or self.in_a_row > MAX_TEXTS_IN_A_ROW


NO_TEXT = LastText()
"""There was no text since the last order."""


@dataclass(frozen=True, slots=True)
class Mailbox:
    """An address in normal form, with the state of delivery to it.

    * `bounces` is the number of letters that bounced since the owner last wrote
    * `verified_at` is the time of the owner's last verified mail from this address, None if there was none
    * `stopped_at` is the time when the owner asked for no more mail, None if they did not
    * `token_number` is the number of the personal token that proves the address now
    * `last_text` is the last text from this address
    * `has_left`: the owner left for good, and has not written since
    * `is_unsigned`: its mails come without a valid signature, as its owner has confirmed, because they are forwarded or
      sent by another server. A token in them counts although the mail server refutes their From header.
    * `added_at` is when the player added it, None for the first one
    * `block_reason` is why the operator takes no mail from its domain, None if the domain is not blocked. It is loaded
      with a mail's sender, and by `Queries.mailbox`.
    """

    address: str
    bounces: int = 0
    verified_at: datetime | None = None
    stopped_at: datetime | None = None
    token_number: int = 0
    last_text: LastText = NO_TEXT
    is_unsigned: bool = False
    added_at: datetime | None = None
    budget: Budget = Budget()
    has_left: bool = False
    block_reason: str | None = None

    @property
    def is_unreachable(self) -> bool:
        """Whether `MAX_BOUNCES` letters bounced. Nothing is sent to the address until its owner writes."""
        return self.bounces >= MAX_BOUNCES

    @property
    def is_suspended(self) -> bool:
        """Whether nothing is sent to the address until its owner writes.

        Either the address is unreachable, or the owner asked for no more mail.
        """
        return self.is_unreachable or self.stopped_at is not None


@dataclass(frozen=True, slots=True)
class Player:
    """A person, an engine, or a player whose data was erased. An erased player has no address.

    * `skeleton` is the form shared by all names that look like this one (Unicode UTS #39), None if the player chose no
      name. If an upgrade found that an older player's name looks the same, it is `#` and the player's number.
    * `is_blocked`: the operator blocked the player
    * `letter_view` is the player's chosen letter format, None if they chose none
    * `wants_no_receipts`: the player wants no answer to a mail that is only a move
    * `reads_ptn`: the player writes moves of Tak in PTN, so that a line that is a ply is an order
    * `invitations_wait`: an invitation to the player is not written yet
    * `data_sent_at` is the time when the player last got the answer to `mydata`
    * `begun_games` is the number of the player's games that have begun, even if they are over. It is at most two.
    """

    id: PlayerId
    name: str
    skeleton: str | None
    created_at: datetime
    kind: PlayerKind = PlayerKind.PERSON
    is_blocked: bool = False
    letter_view: LetterView | None = None
    wants_no_receipts: bool = False
    reads_ptn: bool = False
    invitations_wait: bool = False
    data_sent_at: datetime | None = None
    begun_games: int = 0
    mailboxes: tuple[Mailbox, ...] = ()

    @property
    def is_erased(self) -> bool:
        """Whether the player's data was erased."""
        return self.kind is PlayerKind.ERASED

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses of the player."""
        return tuple(mailbox.address for mailbox in self.mailboxes)

    @property
    def main_mailbox(self) -> Mailbox:
        """The mailbox that letters to the player go to. Their last verified mail came from its address."""
        return max(
            self.mailboxes,
            key=lambda mailbox: mailbox.verified_at.timestamp() if mailbox.verified_at else 0.0,
        )

    @property
    def oldest_mailbox(self) -> Mailbox:
        """The mailbox that the player has had longest."""
        return min(
            self.mailboxes, key=lambda mailbox: mailbox.added_at.timestamp() if mailbox.added_at else 0.0
        )

    @property
    def has_written(self) -> bool:
        """Whether a verified mail from the player has ever arrived."""
        return any(mailbox.verified_at is not None for mailbox in self.mailboxes)

    @property
    def wants_no_mail(self) -> bool:
        """Whether the player asked for no more mail."""
        return any(mailbox.stopped_at is not None for mailbox in self.mailboxes)

    def mailbox(self, address: str) -> Mailbox | None:
        """Return the player's mailbox with this address, None if the player has no such address."""
        return next((mailbox for mailbox in self.mailboxes if mailbox.address == address), None)

    def with_mailbox(self, mailbox: Mailbox) -> "Player":
        """Return the player with a mailbox added. It replaces a mailbox with the same address."""
        if self.mailbox(mailbox.address) is None:
            return replace(self, mailboxes=(*self.mailboxes, mailbox))
        here = (mailbox if known.address == mailbox.address else known for known in self.mailboxes)
        return replace(self, mailboxes=tuple(here))


@dataclass(frozen=True, slots=True)
class Setting:
    """What each player can choose. `column` is the field of `Player` for it, and `choices` its values by word."""

    column: str
    choices: Mapping[str, object]

    def __post_init__(self) -> None:
        read_only(self, "choices")


SETTINGS = {
    "view": Setting("letter_view", {view.value: view for view in LetterView}),
    "receipts": Setting("wants_no_receipts", {"on": False, "off": True}),
    "reads": Setting("reads_ptn", {"ptn": True, "mail": False}),
}
"""The settings, by the keyword of their command."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The stored data of a game, without its turns. Each event in the game raises `version`.

    * `kind` is the name of the game in the registry
    * `invited_by` is the host
    * `seats` are the players, first seat first
    * `is_relay`: takmail only forwards the moves. Only the registry reads this.
    * `asks_board` tells for each seat whether its player has asked for the opponent's board and waits for it
    * `token_numbers` are the numbers of the tokens that prove the seats now
    * `days` is the time limit for a turn, None if there is none
    * `guest_label` is the host's name for the guest until the guest accepts
    * `invited_at` is the time when the invitation was written, None if it is not written yet
    * `score`, `winner` and `points` are computed when the end of the game is stored
    * `score_digest` is the digest of the data from which `score`, `winner` and `points` were computed
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
    token_numbers: tuple[int, int] = (0, 0)
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
    """A turn of a game. `text` is its canonical form, and `written` is what the player typed.

    This class is a NamedTuple because creating one takes a third of the time of creating a frozen dataclass.

    * `version` is the game's version after the turn
    * `is_agreed`: this turn is no move but sets a board that `seat` proposed and the opponent accepted
    * `checksum` is computed from the position after the turn, None if it was not stored
    * `mail` is the number of the mail that played the turn
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
    """A stored turn that was taken back, without its checksum and its mail.

    * `branch` is the number of the turn's run. It counts from 1 in each game.
    * `how` is how the turn was taken back, a `TakenBackBy`
    * `ended_version` is the game's version after the turn was taken back
    """

    turn: Turn
    branch: int
    how: str
    taken_back_at: datetime
    ended_version: int


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer from a seat to its opponent, made after turn `turn`. `version` identifies the offer in its game.

    * `target` is the turn to go back to, None if the offer is to do something else
    * `board` is the turn that sets the proposed board, None if the offer proposes none
    * `ended` is how the offer ended, and `ended_version` is the game's version at that time. Both are None while the
      offer is open.
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
    """A player's claim that turn `turn` is invalid, with the reason. `version` identifies the dispute in its game."""

    version: int
    seat: Seat
    turn: int
    reason: str
    opened_at: datetime


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


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """The board that a seat showed last, in the game's notation. `turn` is the last turn before the seat showed it."""

    board: str
    turn: int
    shown_at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """An open question, addressed to a seat (`game` and `seat`) or to an `address`.

    A `yes` runs the commands in `words`, or does what `kind` says.

    * `id` is negative until the question is stored: -1 for the first question of a cause, -2 for the second
    * `version` and `turn` are the game's version and last turn that the author of `words` had seen
    * `player` is the player who wants to add `address`
    * `letter` is the letter with the question, None if none was written
    * `is_replaced`: newer questions replaced this one, which only a `yes` to its own letter can still answer
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
        """Tell whether a `yes` still counts. Retention closes an expired question later."""
        return now - self.asked_at <= QUESTION_LIFETIME

    def is_same_as(self, other: "Question") -> bool:
        """Tell whether a `yes` to one of these two questions also answers the other."""
        return self == replace(
            other, id=self.id, asked_at=self.asked_at, letter=self.letter, is_replaced=self.is_replaced
        )


@dataclass(frozen=True, slots=True)
class Seek:
    """A public offer to begin a game. `setup`, `first`, `days` and `is_relay` have the same meaning as in `new`."""

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
    """

    first: MessageId | None = None
    last: MessageId | None = None
    before: MessageId | None = None
    texts: tuple[tuple[str, str | None], ...] = ()
    reported_turn: int | None = None
    is_unclaimed: bool = False
    chat: tuple[WaitingChat, ...] = ()

    def without(self, letter: MessageId) -> "Thread":
        """Return the thread after a letter is cancelled."""
        if letter != self.last:
            return self
        first = None if self.first == self.last else self.first
        return replace(
            self, first=first, last=self.before, before=None, reported_turn=None, is_unclaimed=False, chat=()
        )

    def with_letter(self, letter: MessageId) -> "Thread":
        """Return the thread after a new letter."""
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
        return list(dict.fromkeys(letter for letter in (self.first, self.last) if letter is not None))


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
