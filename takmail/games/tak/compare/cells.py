"""A board as a string a square, top to bottom by the book: what people write, and what positions are compared as.

The strings stand in the order of `Square`, the unused column included; an empty space is an empty string, and what
can't be read in a written board stands as it was written.
"""

import re

from takmail.games.tak.board import Square
from takmail.games.tak.notation.rs import spot
from takmail.games.tak.pieces import Stack
from takmail.games.tak.position import Position

Cells = tuple[str, ...]
"""A board to compare, a string for each index of its `Board`."""

GAP = " "
"""What stands in a written board where a row has a spot too few: nothing that a position or a word has."""

_READABLE = re.compile("[swcSWC]*")


def cells_of(position: Position, before: tuple[Position, Cells] | None = None) -> Cells:
    """The cells of a position; only what is new since the one `before` it is written anew."""
    if before is None:
        return tuple(map(_cell, position.stacks))
    known, cells = before
    return tuple(
        cell if stack is old else _cell(stack)
        for stack, old, cell in zip(position.stacks, known.stacks, cells, strict=True)
    )


def _cell(stack: Stack) -> str:
    return spot(stack) if stack else ""


def shown(cell: str) -> str:
    """A cell by the book: `0` for an empty one, nothing for a gap."""
    return "" if cell == GAP else cell or "0"


def is_readable(cell: str) -> bool:
    """Whether a cell has nothing but the letters of pieces."""
    return _READABLE.fullmatch(cell) is not None


def differing(one: Cells, other: Cells) -> tuple[Square, ...]:
    """The squares where two boards of one width differ, row by row from the north-west."""
    return tuple(Square(at) for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)


def pieces_between(one: Cells, other: Cells) -> int:
    """How many pieces would have to be taken off, put on or exchanged, from the top, to make one board of the other."""
    return sum(_pieces_between(a, b) for a, b in zip(one, other, strict=True) if a != b)


def _pieces_between(one: str, other: str) -> int:
    same = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        same += 1
    return max(len(one), len(other)) - same
