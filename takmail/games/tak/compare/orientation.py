"""The ways in which the right board is written the wrong way round."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

from takmail.games.tak.board import Board
from takmail.games.tak.compare.cells import Cells, is_readable

TURNS = (
    "",
    "north-south",
    "half",
    "clockwise",
    "counterclockwise",
    "east-west",
    "diagonal",
    "other-diagonal",
)
"""How a board can lie, the likeliest slips first.

Rows upside down (A1 in the south-west corner, as in PTN), turned by a half, by a quarter each way, columns in
reverse, and mirrored along the diagonal through A1 or the other one.
"""


@dataclass(frozen=True, slots=True)
class Orientation:
    """How a written board lies: a `turn` of `TURNS`, colours `swapped`, stacks `bottom_up`."""

    turn: str = ""
    swapped: bool = False
    bottom_up: bool = False

    @property
    def changes(self) -> int:
        """How many things have gone wrong in it."""
        return bool(self.turn) + self.swapped + self.bottom_up

    def righted(self, board: Board, cells: Cells) -> Cells:
        """The cells as the book would have them, of a board that somebody wrote in this orientation."""
        if self.turn:
            cells = tuple("" if at < 0 else cells[at] for at in _sources(board, self.turn))
        if self.swapped:
            cells = tuple(cell.swapcase() if is_readable(cell) else cell for cell in cells)
        if self.bottom_up:
            cells = tuple(cell[::-1] if is_readable(cell) else cell for cell in cells)
        return cells


def wrong_ways() -> Iterator[Orientation]:
    """Every orientation but the right one, those with the fewest slips first."""
    every = (
        Orientation(turn, swapped, up) for up, swapped, turn in product((False, True), (False, True), TURNS)
    )
    yield from sorted((one for one in every if one.changes), key=lambda one: one.changes)


@cache
def _sources(board: Board, turn: str) -> tuple[int, ...]:
    """For each index of the right board the one where it stands in a board written in `turn`; -1: unused."""
    last = board.size - 1
    sources = [-1] * (board.size * board.stride)
    for square in board.squares:
        column, row = board.column(square), board.row(square)
        sources[square] = board.square(*_written_at(turn, column, row, last))
    return tuple(sources)


def _written_at(turn: str, column: int, row: int, last: int) -> tuple[int, int]:
    match turn:
        case "north-south":
            return column, last - row
        case "half":
            return last - column, last - row
        case "clockwise":
            return last - row, column
        case "counterclockwise":
            return row, last - column
        case "east-west":
            return last - column, row
        case "diagonal":
            return row, column
        case _:
            return last - row, last - column
