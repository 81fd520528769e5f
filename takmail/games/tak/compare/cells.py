"""Boards for comparison, with a string per square: its pieces from top to bottom in Tak by Mail notation.

The strings are in the order of `Square`, the unused column included. An empty space is an empty string. Unreadable
spots of a written board stay as they were written.
"""

import re

from takmail.games.tak.board import Square
from takmail.games.tak.notation.rs import spot
from takmail.games.tak.pieces import Stack
from takmail.games.tak.position import Position

Cells = tuple[str, ...]
"""A board for comparison. It has a string for each index of its `Board`."""

GAP = " "
"""The placeholder for a missing spot in a row of a written board. No position and no word contains it."""

_READABLE = re.compile("[swcSWC]*")


def cells_of(position: Position, before: tuple[Position, Cells] | None = None) -> Cells:
    """Return the cells of a position. Given an earlier position and its cells, only the changed cells are computed."""
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
    """Return a cell in Tak by Mail notation: `0` if it is empty, and nothing for a missing spot."""
    return "" if cell == GAP else cell or "0"


def is_readable(cell: str) -> bool:
    """Return whether a cell has only letters of pieces."""
    return _READABLE.fullmatch(cell) is not None


def differing(one: Cells, other: Cells) -> tuple[Square, ...]:
    """Return the squares where two boards of the same size differ, row by row from the north-west."""
    return tuple(Square(at) for at, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)


def pieces_between(one: Cells, other: Cells) -> int:
    """Return the number of pieces to remove, add or exchange, from the top, to change one board to the other."""
    return sum(_pieces_between(a, b) for a, b in zip(one, other, strict=True) if a != b)


def _pieces_between(one: str, other: str) -> int:
    same = 0
    for a, b in zip(reversed(one), reversed(other), strict=False):
        if a != b:
            break
        same += 1
    return max(len(one), len(other)) - same
