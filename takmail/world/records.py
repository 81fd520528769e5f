"""Define the stored data of games: their heads, turns and disputes, and what waits for a word."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from takmail.games.interface import Seat
from takmail.world.kinds import (
    CONFIRMATIONS,
    CONSENTS,
    NEVER_EXPIRES,
    GameNumber,
    MessageId,
    PendingEnd,
    PendingId,
    PendingKind,
    PlayerId,
    Ruling,
    Standing,
)

LIFETIME = timedelta(days=7)
"""How long an answer counts. The letter with a question states this time."""


class SeatRecord(NamedTuple):
    """One of the two seats of a game, with the data of its player in this game."""

    seat: Seat
    player_id: PlayerId
    asks_board: bool
    token_number: int
    bid: int | None
    gift: int = 0


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The stored data of a game, without its turns. Each change of the game raises `version`.

    * `kind` is the name of the game in the registry
    * `invited_by` is the host
    * `seats` are the players, first seat first
    * `is_relay`: takmail only forwards the moves. Only the registry reads this.
    * `asks_board` tells for each seat whether its player has asked for the opponent's board and waits for it
    * `token_numbers` are the numbers of the tokens that prove the seats now
    * `bids` are what the players bid for the first turn, until the game begins. No player is shown the other's.
    * `pace` is the agreed time for turns as an option of `new` (`Pace`), None if there is none
    * `is_strict`: who runs out of time loses, without being asked
    * `clock_from` is the number of the last turn before the clock began. It is None if no clock runs.
    * `turn_since`: the time of the current turn does not begin earlier, None if nothing but a turn began it
    * `alarmed_until`: reminders of this turn and the end of its time are handled up to then, None if there were none
      yet
    * `rested_at` is when the game was put to rest, None if it is not at rest
    * `gifts` are the seconds that the opponents have given for the seats' next turns
    * `hints` are the checksums of the positions in which a player has had a hint, with spaces between them
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
    bids: tuple[int | None, int | None] = (None, None)
    pace: str | None = None
    is_strict: bool = False
    clock_from: int | None = None
    turn_since: datetime | None = None
    alarmed_until: datetime | None = None
    rested_at: datetime | None = None
    gifts: tuple[int, int] = (0, 0)
    hints: str = ""
    rematch_of: GameNumber | None = None
    guest_label: str | None = None
    invited_at: datetime | None = None
    resigned: Seat | None = None
    ruling: Ruling | None = None
    score: str | None = None
    winner: Seat | None = None
    points: tuple[int, int] | None = None
    score_digest: str | None = None

    @property
    def has_clock(self) -> bool:
        """Whether the time for turns counts, and is not merely agreed on."""
        return self.clock_from is not None

    def seat_of(self, player: PlayerId) -> Seat:
        """Return the seat of a player of this game."""
        return Seat(self.seats.index(player))

    @property
    def seals_words(self) -> bool:
        """Whether no words pass between the players, as they bid, or one has bid already."""
        return self.standing is Standing.BIDDING or self.bids != (None, None)

    @property
    def is_invitation(self) -> bool:
        """Whether the guest has not accepted: the game is an invitation, or was one when it was declined."""
        return self.standing is Standing.INVITED or (
            self.standing is Standing.DECLINED and self.ruling is None
        )

    @property
    def guest(self) -> PlayerId:
        """The player who was invited."""
        first, second = self.seats
        return second if first == self.invited_by else first

    @property
    def seat_records(self) -> tuple[SeatRecord, ...]:
        """The two seats."""
        return tuple(
            map(SeatRecord, Seat, self.seats, self.asks_board, self.token_numbers, self.bids, self.gifts)
        )

    @property
    def first_points(self) -> int | None:
        """The points of the first seat."""
        return None if self.points is None else self.points[0]

    @property
    def second_points(self) -> int | None:
        """The points of the second seat."""
        return None if self.points is None else self.points[1]


class Turn(NamedTuple):
    """A turn of a game. `text` is its canonical form, and `written` is what the player typed.

    This class is a NamedTuple because creating one takes a third of the time of creating a frozen dataclass.

    * `version` is the game's version after the turn, and `played_at` is when it was played
    * `is_agreed`: this turn is no move but sets a board that `seat` proposed and the opponent accepted
    * `checksum` is computed from the position after the turn, None if it was not stored
    * `mail` is the number of the mail that played the turn
    * `spent` are the seconds of its player's time that the turn took, None if no clock ran
    """

    number: int
    seat: int
    text: str
    written: str
    version: int
    played_at: datetime
    is_agreed: bool = False
    checksum: str | None = None
    mail: int | None = None
    spent: int | None = None


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
class Dispute:
    """A player's claim that turn `turn` is invalid, with the reason. `version` identifies the dispute in its game.

    `ended_at` is when a later turn or taking back ended the dispute, and `ended_version` the game's version after that.
    Both are None while the dispute is open.
    """

    version: int
    seat: Seat
    turn: int
    reason: str
    opened_at: datetime
    ended_at: datetime | None = None
    ended_version: int | None = None


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """The board that a seat showed last, in the game's notation. `turn` is the last turn before the seat showed it."""

    seat: Seat
    board: str
    turn: int
    shown_at: datetime


@dataclass(frozen=True, slots=True)
class Pending:
    """Something that waits for a word.

    An *offer* is made by `seat`, and its opponent may agree. Both players know of it. It stays stored after its end,
    until the game is over. A *question* asks whether somebody means what a mail says. It is addressed to a seat (`game`
    and `seat`) or to an `address`, answered by its own letter, and deleted when it is closed.

    * `id` is negative until it is stored
    * `kind` says what a `yes` does. `words` are the commands that it runs, the turn that
      sets the offered board, or the offered time for turns, '' for none.
    * `version` and `turn` are the game's version and last turn: of an offer those with which it was made, and of a
      question those that the author of `words` had seen
    * `target` is the turn to go back to, None if the offer is to do something else
    * `player` is the player who wants to add `address`
    * `letter` is the letter with the question, None if none was written
    * `is_replaced`: newer questions replaced this one, which only a `yes` to its own letter can still answer
    * `ended` is how an offer ended, and `ended_version` is the game's version at that time. Both are None before.
    * `has_expired` was true when it was loaded. It is not stored, and retention closes it later.
    """

    id: PendingId
    kind: PendingKind
    asked_at: datetime
    words: str = ""
    game: GameNumber | None = None
    seat: Seat | None = None
    version: int = 0
    turn: int = 0
    address: str | None = None
    player: PlayerId | None = None
    letter: MessageId | None = None
    is_replaced: bool = False
    target: int | None = None
    ended: PendingEnd | None = None
    ended_version: int | None = None
    has_expired: bool = False

    @property
    def is_offer(self) -> bool:
        """Whether it waits for the opponent's consent."""
        return self.kind in CONSENTS

    @property
    def is_question(self) -> bool:
        """Whether it waits for a confirmation."""
        return self.kind in CONFIRMATIONS

    @property
    def is_open(self) -> bool:
        """Whether an answer counts."""
        return self.ended is None and not self.has_expired

    def is_over(self, now: datetime) -> bool:
        """Tell whether its time is over at `now`. The last moment of its week still counts for a question."""
        age = now - self.asked_at
        return self.kind not in NEVER_EXPIRES and (age > LIFETIME or (self.is_offer and age == LIFETIME))

    def at(self, now: datetime) -> "Pending":
        """Return it as it is at `now`."""
        return replace(self, has_expired=True) if self.is_over(now) else self

    def is_same_as(self, other: "Pending") -> bool:
        """Tell whether a `yes` to one of these two questions also answers the other."""
        return self == replace(
            other, id=self.id, asked_at=self.asked_at, letter=self.letter, is_replaced=self.is_replaced
        )
