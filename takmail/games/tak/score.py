"""The points for a won game (Tak rules, Scoring and Scoring Variants)."""

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from takmail.games.tak.board import Board
from takmail.games.tak.judge import has_road
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import Position


class Scoring(Enum):
    """The scoring rules: the plain ones, or one of the three variants."""

    PLAIN = "plain"
    DOWNINGS = "downings"
    MIDDLETOWN = "middletown"
    TARWAY = "tarway"


class Bonus(Enum):
    """A feature of the win that multiplies the points for the winner's unplayed pieces."""

    STRAIGHT_ROAD = "straight-road"
    CAPSTONE_KEPT = "capstone-kept"
    LOW_ROAD = "low-road"
    HIGH_ROAD = "high-road"

    @property
    def times(self) -> int:
        """The number of times that each unplayed piece counts."""
        return 3 if self is Bonus.HIGH_ROAD else 2


@dataclass(frozen=True, slots=True)
class TakScore:
    """The winner's points: `board` for the size of the board, and `times` points for each unplayed piece.

    `pieces` is the number of unplayed pieces, capstones included. The loser has no points.
    """

    board: int
    pieces: int
    bonus: Bonus | None

    @property
    def times(self) -> int:
        """The number of times that each unplayed piece counts."""
        return 1 if self.bonus is None else self.bonus.times

    @property
    def points(self) -> int:
        """The total points of the winner."""
        return self.board + self.pieces * self.times


def score_of(position: Position, winner: Color, scoring: Scoring) -> TakScore:
    """Return the points of `winner` in the game's last position, whatever ended the game.

    "Your score for winning is equal to the size of the board (for example, 25 points in a 5x5 game), plus the
    number of pieces that remain unplayed in your reserve." The rules don't distinguish ways to win, so wins by
    flats and by resignation count like a road.
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
    """Return the squares that the winner's road may use; none unless the winner has won by a road."""
    outcome = position.outcome
    if outcome is None or outcome.ended_by is not EndedBy.ROAD or outcome.winner is not winner:
        return 0
    return position.controlled(winner) & ~position.walls


# The rules speak of one winning road: "If the winning road is a straight line ...", "If the winning road is entirely
# stacks of one piece ...". The last position may contain several roads, and the rules don't say which one counts. There
# was no road before the last turn, so that turn completed all of them, and each has won the game. Therefore the best
# road counts. A low road is found by searching only the squares with single pieces.


def _has_straight_road(board: Board, squares: int) -> bool:
    """Return whether the winner has a whole row or column (Downings Rules: "Double the Line")."""
    row = board.north
    rows = (row << line * board.stride for line in range(board.size))
    columns = (board.west << line for line in range(board.size))
    return any(line & ~squares == 0 for line in (*rows, *columns))


def _height_of_road(position: Position, winner: Color) -> Bonus | None:
    """Return the bonus for a road that is all high or all low (Tarway Rules: "Low Road, High Road"), or None.

    Capstones count as pieces.
    """
    squares, board = _road_squares(position, winner), position.board
    if has_road(board, squares & position.tall, board.full):
        return Bonus.HIGH_ROAD
    return Bonus.LOW_ROAD if has_road(board, squares & ~position.tall, board.full) else None


def _kept_capstones(position: Position, winner: Color) -> bool:
    """Return whether the winner has played no capstone (Middletown Rules: "Double the Cap").

    The rule says: "If a player wins without playing her capstone". With two capstones, neither may have been
    played. On a board without capstones the rule doesn't apply, because it would double every win.
    """
    whole = position.whole(winner).capstones
    return 0 < whole == position.reserve(winner).capstones
