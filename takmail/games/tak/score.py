"""What a won game is worth (Tak rules, Scoring and Scoring Variants)."""

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from takmail.games.tak.board import Board
from takmail.games.tak.judge import has_road
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.pieces import Color, full_reserve
from takmail.games.tak.position import Position


class Scoring(Enum):
    """By which rules the points are counted: the plain ones, or one of the three variants."""

    PLAIN = "plain"
    DOWNINGS = "downings"
    MIDDLETOWN = "middletown"
    TARWAY = "tarway"


class Bonus(Enum):
    """Why the pieces count more than once."""

    STRAIGHT_ROAD = "straight-road"
    CAPSTONE_KEPT = "capstone-kept"
    LOW_ROAD = "low-road"
    HIGH_ROAD = "high-road"

    @property
    def times(self) -> int:
        """How often each piece counts."""
        return 3 if self is Bonus.HIGH_ROAD else 2


@dataclass(frozen=True, slots=True)
class TakScore:
    """The winner's points: `board` for its spaces, and each of the unplayed `pieces`, capstones too, `times` over.

    The loser has none.
    """

    board: int
    pieces: int
    bonus: Bonus | None

    @property
    def times(self) -> int:
        """How often each piece counts."""
        return 1 if self.bonus is None else self.bonus.times

    @property
    def points(self) -> int:
        """All of it."""
        return self.board + self.pieces * self.times


def score_of(position: Position, winner: Color, scoring: Scoring) -> TakScore:
    """What `winner` has won with the game's last position, by whatever the game was won.

    "Your score for winning is equal to the size of the board (for example, 25 points in a 5x5 game), plus the number
    of pieces that remain unplayed in your reserve." The rules make no difference between ways to win, so a win
    by flats and one by resignation count as one by a road does.
    """
    stones, capstones = position.reserve(winner)
    return TakScore(position.size**2, stones + capstones, _bonus(position, winner, scoring))


def _bonus(position: Position, winner: Color, scoring: Scoring) -> Bonus | None:
    match scoring:
        case Scoring.PLAIN:
            return None
        case Scoring.DOWNINGS:
            straight = _has_straight_road(position.board, _road_squares(position, winner))
            return Bonus.STRAIGHT_ROAD if straight else None
        case Scoring.MIDDLETOWN:
            return Bonus.CAPSTONE_KEPT if _kept_capstones(position, winner) else None
        case Scoring.TARWAY:
            return _height_of_road(position, winner)
        case _:
            assert_never(scoring)


def _road_squares(position: Position, winner: Color) -> int:
    """The squares that a road of the winner's may run over; none if no road of theirs has won the game."""
    outcome = position.outcome
    if outcome is None or outcome.ended_by is not EndedBy.ROAD or outcome.winner is not winner:
        return 0
    return position.controlled(winner) & ~position.walls


# "If the winning road is a straight line ...", "If the winning road is entirely stacks of one piece ...": the last
# position may hold several roads, and the rules name none of them as the winning one. All of them were made
# by the last turn, as there was no road before, so each has won the game, and the winner may point at the
# best. To ask whether any road is low need not go through them: it is whether the low squares alone hold one.


def _has_straight_road(board: Board, squares: int) -> bool:
    """Whether a whole row or column is the winner's (Downings Rules: "Double the Line")."""
    row = board.north
    rows = (row << line * board.stride for line in range(board.size))
    columns = (board.west << line for line in range(board.size))
    return any(line & ~squares == 0 for line in (*rows, *columns))


def _height_of_road(position: Position, winner: Color) -> Bonus | None:
    """Whether a road is all high or all low (Tarway Rules: "Low Road, High Road"); a capstone is a piece too."""
    squares, board = _road_squares(position, winner), position.board
    if has_road(board, squares & position.tall, board.full):
        return Bonus.HIGH_ROAD
    return Bonus.LOW_ROAD if has_road(board, squares & ~position.tall, board.full) else None


def _kept_capstones(position: Position, winner: Color) -> bool:
    """Whether the winner has played no capstone (Middletown Rules: "Double the Cap").

    "If a player wins without playing her capstone": with two, neither may be played. On a board without capstones
    there is none to do without, and if that counted every win would be doubled.
    """
    whole = full_reserve(position.size).capstones
    return 0 < whole == position.reserve(winner).capstones
