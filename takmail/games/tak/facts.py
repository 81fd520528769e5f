"""What the templates of Tak's letters say about a position."""

from dataclasses import dataclass

from takmail.games.tak.notation import rs
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.pieces import Color, full_reserve
from takmail.games.tak.position import Position


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One side: its name, its flats on top, and what its reserve has left."""

    color: str
    flats: int
    stones: int
    capstones: int


@dataclass(frozen=True, slots=True)
class TakFacts:
    """A position in words and numbers.

    `ply` counts the plies played; in the `opening` the next one places a flat of the opponent's; `has_capstones`:
    this board is played with them; `komi` is in flats as text, `0` for none; `columns` is a line of letters that
    stands above the aligned `rows`.
    """

    size: int
    ply: int
    opening: bool
    to_move: str
    carry_limit: int
    has_capstones: bool
    komi: str
    white: SideFacts
    black: SideFacts
    columns: str
    rows: tuple[str, ...]


def facts_of(position: Position) -> TakFacts:
    """Gather the facts of a position."""
    return TakFacts(
        size=position.size,
        ply=position.ply,
        opening=position.in_opening,
        to_move=position.to_move.value,
        carry_limit=position.carry_limit,
        has_capstones=full_reserve(position.size).capstones > 0,
        komi=write_komi(position.half_komi),
        white=_side(position, Color.WHITE),
        black=_side(position, Color.BLACK),
        columns=rs.legend(position),
        rows=rs.write(position),
    )


def _side(position: Position, color: Color) -> SideFacts:
    reserve = position.reserve(color)
    return SideFacts(color.value, position.flats(color), reserve.stones, reserve.capstones)
