"""The data of a position for the words of TZAAR's letters."""

from dataclasses import dataclass

from takmail.games.tzaar.choices import examples
from takmail.games.tzaar.notation.rs import board_rows
from takmail.games.tzaar.pieces import Color, Kind
from takmail.games.tzaar.position import Position, write_position
from takmail.games.tzaar.setup import Layout


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One side: the stacks that each kind is on top of, its tallest stack, and the pieces left to place, by kind."""

    tzaars: int
    tzarras: int
    totts: int
    tallest: int
    left: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class TzaarFacts:
    """A position in words and numbers, for the game's `Wording`.

    `layout` is `random`, `fixed` or `tournament`. `is_open` is true if the position is still to be drawn. `position` is
    the form on one line, and `rows` are the lines of `rs`. `is_first` is true if the next turn is the one of one
    action. `placed` counts the pieces that stand while they are being placed. `examples` are turns that can be played
    now.
    """

    layout: str
    is_open: bool
    is_placing: bool
    is_first: bool
    placed: int
    position: str
    rows: tuple[str, ...]
    white: SideFacts
    black: SideFacts
    examples: tuple[str, ...]


def facts_of(position: Position, layout: Layout, *, is_open: bool) -> TzaarFacts:
    """Return the facts of a position."""
    return TzaarFacts(
        layout=layout.value,
        is_open=is_open,
        is_placing=position.is_placing and not is_open,
        is_first=position.is_first_turn,
        placed=(position.white | position.black).bit_count(),
        position=write_position(position),
        rows=board_rows(position),
        white=_side(position, Color.WHITE),
        black=_side(position, Color.BLACK),
        examples=examples(position),
    )


def _side(position: Position, color: Color) -> SideFacts:
    kinds = position.kinds(color)
    left = position.reserve(color)
    heights = (stack.height for spot in position.spots_of(color) if (stack := position.at(spot)) is not None)
    return SideFacts(
        kinds[Kind.TZAAR],
        kinds[Kind.TZARRA],
        kinds[Kind.TOTT],
        max(heights, default=0),
        (left[Kind.TZAAR], left[Kind.TZARRA], left[Kind.TOTT]),
    )
