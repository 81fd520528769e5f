"""Find what is impossible in a written board, square by square."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from takmail.games.tak.board import Board, Square
from takmail.games.tak.compare.cells import GAP, Cells, is_readable
from takmail.games.tak.notation import mail
from takmail.games.tak.pieces import full_reserve

_KINDS = {"w": "wall", "c": "capstone"}
_MAX_NAMED_SQUARES = 6
"""The maximum number of squares that are named in a line."""


@dataclass(frozen=True, slots=True)
class BoardFault:
    """One impossible feature; `name` is `ragged`, `unreadable`, `buried` or `too-many`.

    `ragged` has the `row` from 1, counted as drawn, its `count` of spots and the `most` that fit.
    `unreadable` and `buried` have the `square` and its `text`, and `buried` also the `kind` of the covered
    piece. `too-many` has the `color`, the `kind` (stone or capstone), the `count` on the board and the `most`
    that exist. Its `squares` are all that hold such a piece. If these are too many to name, they are those
    that hold more than the game's board (`is_surplus`), or none.
    """

    name: str
    square: str = ""
    text: str = ""
    kind: str = ""
    color: str = ""
    row: int = 0
    count: int = 0
    most: int = 0
    squares: tuple[str, ...] = ()
    is_surplus: bool = False


def board_faults(board: Board, cells: Cells, beside: Cells) -> tuple[BoardFault, ...]:
    """Return all impossible features of `cells`; `beside` is the game's board, which shows surplus pieces."""
    return (*_spots(board, cells), *_numbers(board, cells, beside))


def _spots(board: Board, cells: Cells) -> Iterator[BoardFault]:
    for square in board.squares:
        cell = cells[square]
        name = mail.square_name(board, square)
        if cell == GAP:
            continue
        if not is_readable(cell):
            yield BoardFault("unreadable", square=name, text=cell)
            continue
        covered = next((letter for letter in cell[1:] if letter in "wcWC"), None)
        if covered is not None:
            yield BoardFault("buried", square=name, text=cell, kind=_KINDS[covered.lower()])


def _numbers(board: Board, cells: Cells, beside: Cells) -> Iterator[BoardFault]:
    whole = full_reserve(board.size)
    for color, kind, letters, most in (
        ("white", "stone", "sw", whole.stones),
        ("white", "capstone", "c", whole.capstones),
        ("black", "stone", "SW", whole.stones),
        ("black", "capstone", "C", whole.capstones),
    ):
        counts = {square: _count(cells[square], letters) for square in board.squares}
        count = sum(counts.values())
        if count <= most:
            continue
        holding = [square for square in board.squares if counts[square]]
        surplus = [square for square in holding if counts[square] > _count(beside[square], letters)]
        is_surplus = len(holding) > _MAX_NAMED_SQUARES
        yield BoardFault(
            "too-many",
            kind=kind,
            color=color,
            count=count,
            most=most,
            squares=_named(board, surplus if is_surplus else holding),
            is_surplus=is_surplus,
        )


def _count(cell: str, letters: str) -> int:
    return sum(map(cell.count, letters)) if is_readable(cell) else 0


def _named(board: Board, squares: Sequence[Square]) -> tuple[str, ...]:
    return (
        tuple(mail.square_name(board, square) for square in squares)
        if len(squares) <= _MAX_NAMED_SQUARES
        else ()
    )
