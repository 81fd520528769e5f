"""The wrong orientations in which people write a board."""

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
"""The names of the ways in which a board can be rotated or mirrored, the likeliest mistakes first.

The empty name is the correct orientation. `north-south` has the rows upside down (A1 in the south-west corner, as in
PTN). `half`, `clockwise` and `counterclockwise` are half a turn and quarter turns. `east-west` has the columns in
reverse. `diagonal` is mirrored along the diagonal through A1, and `other-diagonal` along the other one.
"""


@dataclass(frozen=True, slots=True)
class Orientation:
    """The orientation of a written board.

    `turn` is one of `TURNS`. If `swapped` is true, the colours are exchanged. If `bottom_up` is true, stacks are
    written from bottom to top.
    """

    turn: str = ""
    swapped: bool = False
    bottom_up: bool = False

    @property
    def changes(self) -> int:
        """The number of mistakes in this orientation."""
        return bool(self.turn) + self.swapped + self.bottom_up

    def corrected(self, board: Board, cells: Cells) -> Cells:
        """Return the cells of the board in correct orientation, given `cells` that were written in this one."""
        if self.turn:
            cells = tuple("" if at < 0 else cells[at] for at in _sources(board, self.turn))
        if self.swapped:
            cells = tuple(cell.swapcase() if is_readable(cell) else cell for cell in cells)
        if self.bottom_up:
            cells = tuple(cell[::-1] if is_readable(cell) else cell for cell in cells)
        return cells


def wrong_orientations() -> Iterator[Orientation]:
    """Yield every wrong orientation. Those with the fewest mistakes come first."""
    every = (
        Orientation(turn, swapped, up) for up, swapped, turn in product((False, True), (False, True), TURNS)
    )
    yield from sorted((one for one in every if one.changes), key=lambda one: one.changes)


@cache
def _sources(board: Board, turn: str) -> tuple[int, ...]:
    """Return, for each index of the correct board, its index in a board written in `turn`; -1 for unused indices."""
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
