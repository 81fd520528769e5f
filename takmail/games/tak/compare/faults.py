"""What is impossible in a written board, square by square."""

from collections.abc import Iterator
from dataclasses import dataclass

from takmail.games.tak.board import Board
from takmail.games.tak.compare.cells import GAP, Cells, is_readable
from takmail.games.tak.notation import mail
from takmail.games.tak.pieces import full_reserve

_KINDS = {"w": "wall", "c": "capstone"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that can't be: `name` is `ragged`, `unreadable`, `buried` or `too-many`.

    `ragged` has the `row` from 1, counted as drawn, and its `count` of spots with the `most` that fit. `unreadable`
    and `buried` have the `square` and the `text` that stands there, `buried` also the `kind` of the covered piece.
    `too-many` has the `color`, the `kind` (stone or capstone), the `count` on the board and the `most` there are.
    """

    name: str
    square: str = ""
    text: str = ""
    kind: str = ""
    color: str = ""
    row: int = 0
    count: int = 0
    most: int = 0


def faults_of(board: Board, cells: Cells) -> tuple[Fault, ...]:
    """All that is impossible in these cells."""
    return (*_spots(board, cells), *_numbers(board, cells))


def _spots(board: Board, cells: Cells) -> Iterator[Fault]:
    for square in board.squares:
        cell = cells[square]
        name = mail.square_name(board, square)
        if cell == GAP:
            continue
        if not is_readable(cell):
            yield Fault("unreadable", square=name, text=cell)
            continue
        covered = next((letter for letter in cell[1:] if letter in "wcWC"), None)
        if covered is not None:
            yield Fault("buried", square=name, text=cell, kind=_KINDS[covered.lower()])


def _numbers(board: Board, cells: Cells) -> Iterator[Fault]:
    pieces = "".join(cell for cell in cells if is_readable(cell))
    whole = full_reserve(board.size)
    for color, stones, capstone in (("white", "sw", "c"), ("black", "SW", "C")):
        count = sum(pieces.count(letter) for letter in stones)
        if count > whole.stones:
            yield Fault("too-many", kind="stone", color=color, count=count, most=whole.stones)
        if pieces.count(capstone) > whole.capstones:
            yield Fault(
                "too-many",
                kind="capstone",
                color=color,
                count=pieces.count(capstone),
                most=whole.capstones,
            )
