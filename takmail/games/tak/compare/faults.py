"""Find what is impossible in a written board, square by square."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from takmail.games.tak.board import Board, Square
from takmail.games.tak.compare.cells import GAP, Cells, is_readable
from takmail.games.tak.notation import mail
from takmail.games.tak.pieces import full_reserve

_KINDS = {"w": "wall", "c": "capstone"}
_MAX_NAMED_SQUARES = 6
"""The maximum number of squares that one line of a letter names."""


@dataclass(frozen=True, slots=True)
class BoardFault:
    """One impossible feature of a written board; `name` is `ragged`, `unreadable`, `buried` or `too-many`.

    `ragged` has the number of the `row` as drawn, counted from 1, the `count` of its spots, and the `most` spots that
    fit. `unreadable` and `buried` have the `square` and its `text`. `buried` also has the `kind` of the covered piece.
    `too-many` has the `color`, the `kind` (stone or capstone), the `count` on the board and the `most` pieces that
    exist. `squares` are all squares with such a piece. If there are too many squares to name, `is_surplus` is true, and
    `squares` are those with more such pieces than on the game's board. If even these are too many, `squares` is empty.
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


def board_faults(board: Board, cells: Cells, reference: Cells, capstones: int) -> tuple[BoardFault, ...]:
    """Return all impossible features of `cells`. `reference` is the game's board, by which surplus pieces are found.

    `capstones` is the number of capstones that each player has in the game.
    """
    return (*_spots(board, cells), *_numbers(board, cells, reference, capstones))


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


def _numbers(board: Board, cells: Cells, reference: Cells, capstones: int) -> Iterator[BoardFault]:
    whole = full_reserve(board.size, capstones)
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
        surplus = [square for square in holding if counts[square] > _count(reference[square], letters)]
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
