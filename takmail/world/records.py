"""Define the stored data of games: their heads, turns and disputes."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from takmail.games.interface import Seat
from takmail.world.clubs.values import TournamentNumber
from takmail.world.kinds import (
    BEGUN,
    RUNNING,
    UNFINISHED,
    GameNumber,
    PlayerId,
    Ruling,
    Standing,
)
from takmail.world.pace import NO_TIMING, Timing


class SeatRecord(NamedTuple):
    """One of the two seats of a game, with the data of its player in this game.

    * `asks_board`: the player has asked for the opponent's board and waits for it
    * `token_number` is the number of the token that proves the seat now
    * `bid` is what the player bids for the first turn, until the game begins. The opponent is not shown it.
    * `gift` are the seconds that the opponent has given for the seat's next turn
    * `zone` is the time zone of the player's weekends, if they don't count. It is that of the player when the clock
      began, and stays, so that nobody gains time by moving.
    * `in_advance` are the moves that the player has prepared, as `world/advance` writes them. The opponent is not shown
      them.

    This class is a NamedTuple for the same reason as `Turn`.
    """

    seat: Seat
    player: PlayerId
    asks_board: bool = False
    token_number: int = 0
    bid: int | None = None
    gift: int = 0
    zone: str | None = None
    in_advance: str = ""


Seats = tuple[SeatRecord, SeatRecord]
"""The two seats of a game, first seat first."""


def seated(first: PlayerId, second: PlayerId) -> Seats:
    """Return the seats of two players in a new game."""
    return SeatRecord(Seat.FIRST, first), SeatRecord(Seat.SECOND, second)


@dataclass(frozen=True, slots=True)
class Invitation:
    """How the players of a game were brought together.

    * `host` is who invited the other player, or whose seek it was that the other one joined
    * `guest_label` is the host's name for the guest until the guest accepts
    * `written_at` is the time when the letter with the invitation was written, None if it is not written yet
    * `tournament` is the tournament that has drawn the game, None if there is none. Nobody was invited then.
    * `is_unrated`: the game does not count for ratings
    * `series` is the match with an end that the game belongs to, as `world/series` writes it, None if there is none
    """

    host: PlayerId
    guest_label: str | None = None
    written_at: datetime | None = None
    tournament: TournamentNumber | None = None
    is_unrated: bool = False
    series: str | None = None


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How a game ended: by whom, if not by the rules, and with which result.

    * `resigned` is the seat that resigned, and `ruling` is what the players agreed on or the operator decided
    * `score`, `winner` and `points` are computed when the end of the game is stored
    * `score_digest` is the digest of the data from which `score`, `winner` and `points` were computed
    """

    resigned: Seat | None = None
    ruling: Ruling | None = None
    score: str | None = None
    winner: Seat | None = None
    score_digest: str | None = None
    points: tuple[int, int] | None = None

    @property
    def first_points(self) -> int | None:
        """The points of the first seat."""
        return None if self.points is None else self.points[0]

    @property
    def second_points(self) -> int | None:
        """The points of the second seat."""
        return None if self.points is None else self.points[1]


NO_END = GameEnd()
"""The end of a game that goes on, or that ends by the rules and has no result yet."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The stored data of a game, without its turns. Each change of the game raises `version`.

    * `kind` is the name of the game in the registry
    * `is_relay`: takmail only forwards the moves. Only the registry reads this.
    * `hints` are the checksums of the positions in which a player has had a hint, with spaces between them
    * `in_advance_version` is raised by each change of what the players have prepared in advance, which does not raise
      `version`
    """

    number: GameNumber
    version: int
    kind: str
    setup: str
    subject: str
    standing: Standing
    created_at: datetime
    invitation: Invitation
    seats: Seats
    timing: Timing = NO_TIMING
    end: GameEnd = NO_END
    is_relay: bool = False
    hints: str = ""
    rematch_of: GameNumber | None = None
    in_advance_version: int = 0

    @property
    def players(self) -> tuple[PlayerId, PlayerId]:
        """The players, first seat first."""
        first, second = self.seats
        return first.player, second.player

    # What is asked about its standing. `kinds.py` says which standings belong together.

    @property
    def is_unanswered(self) -> bool:
        """Whether it is an invitation that the guest has not answered."""
        return self.standing is Standing.INVITED

    @property
    def is_declined(self) -> bool:
        """Whether it was declined or withdrawn before it began."""
        return self.standing is Standing.DECLINED

    @property
    def is_bidding(self) -> bool:
        """Whether the guest has accepted, and the players bid for the first turn."""
        return self.standing is Standing.BIDDING

    @property
    def may_be_declined(self) -> bool:
        """Whether it has not begun, and a player may still decline it."""
        return self.standing in UNFINISHED and not self.has_begun

    @property
    def has_begun(self) -> bool:
        """Whether both players have accepted it, and bid in it if they do, so that it has a board."""
        return self.standing in BEGUN

    @property
    def is_running(self) -> bool:
        """Whether both players have accepted it, and it is not over."""
        return self.standing in RUNNING

    @property
    def is_open(self) -> bool:
        """Whether turns are played in it, and offers are made and answered."""
        return self.standing is Standing.OPEN

    @property
    def is_over(self) -> bool:
        """Whether it had begun, and has ended."""
        return self.standing is Standing.OVER

    @property
    def series(self) -> str | None:
        """The match with an end that it belongs to, as `world/series` writes it, None if there is none."""
        return self.invitation.series

    @property
    def counts_in_match(self) -> bool:
        """Whether it counts in a match: it is over and not void."""
        return self.is_over and self.end.ruling != Ruling.VOID

    def invites(self, player: PlayerId) -> bool:
        """Tell whether a player is invited to it and has not answered."""
        return self.is_unanswered and player != self.invitation.host

    def is_invitation_of(self, host: PlayerId) -> bool:
        """Tell whether it is an invitation of a player that the guest has not answered."""
        return self.is_unanswered and host == self.invitation.host

    @property
    def bids(self) -> tuple[int | None, int | None]:
        """The bids of both seats."""
        first, second = self.seats
        return first.bid, second.bid

    def seat_of(self, player: PlayerId) -> Seat:
        """Return the seat of a player of this game."""
        return Seat(self.players.index(player))

    @property
    def seals_words(self) -> bool:
        """Whether no words pass between the players, as they bid, or one has bid already."""
        return self.is_bidding or self.bids != (None, None)

    @property
    def is_unrated(self) -> bool:
        """Whether the players have agreed that the game does not count for ratings."""
        return self.invitation.is_unrated

    @property
    def is_invitation(self) -> bool:
        """Whether the guest has not accepted: the game is an invitation, or was one when it was declined."""
        return self.is_unanswered or (self.is_declined and self.end.ruling is None)

    @property
    def guest(self) -> PlayerId:
        """The player who was invited."""
        first, second = self.players
        return second if first == self.invitation.host else first


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
    """A stored turn that was taken back, without its checksum, its mail and the time that it took.

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
