"""What the templates of Tak's letters say about a position."""

from dataclasses import dataclass

from takmail.games.tak.notation import rs
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.pieces import Color, full_reserve
from takmail.games.tak.position import Position
from takmail.games.tak.score import Scoring


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One side: its flats on top, and what its reserve has left."""

    flats: int
    stones: int
    capstones: int


@dataclass(frozen=True, slots=True)
class TakFacts:
    """A position in words and numbers.

    In the `opening` the next ply places a flat of the opponent's; `has_capstones`: this board is played with them;
    `komi` is in flats as text, `0` for none; `scoring` names the rules by which the winner's points are counted;
    `columns` is a line of letters that stands above the aligned board.
    """

    size: int
    opening: bool
    has_capstones: bool
    komi: str
    scoring: str
    white: SideFacts
    black: SideFacts
    columns: str


def facts_of(position: Position, scoring: Scoring) -> TakFacts:
    """Gather the facts of a position."""
    return TakFacts(
        size=position.size,
        opening=position.in_opening,
        has_capstones=full_reserve(position.size).capstones > 0,
        komi=write_komi(position.half_komi),
        scoring=scoring.value,
        white=_side(position, Color.WHITE),
        black=_side(position, Color.BLACK),
        columns=rs.legend(position),
    )


def _side(position: Position, color: Color) -> SideFacts:
    reserve = position.reserve(color)
    return SideFacts(position.flats(color), reserve.stones, reserve.capstones)
