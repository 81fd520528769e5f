"""Tak by Mail moves in canonical form: `ps b4`, `mn a3 p2 1 1`, and ` t` at the end for a call of tak.

A1 is the north-west corner, and rows count to the south (Tak by Mail Rules). This module parses only the output of
`write`. The module `reading` parses what players type.
"""

import re
from dataclasses import dataclass
from typing import assert_never

from takmail.games.tak.board import Board, Direction, Square
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.pieces import COLUMN, COLUMNS, ROW, Kind

KINDS = {"s": Kind.FLAT, "w": Kind.WALL, "c": Kind.CAPSTONE}
"""The kinds of pieces by the letter after `p`."""

DIRECTIONS = {"n": Direction.NORTH, "s": Direction.SOUTH, "e": Direction.EAST, "w": Direction.WEST}
"""The directions by the letter after `m`."""

LETTERS = {kind: letter for letter, kind in KINDS.items()}
"""The letters after `p` by the kinds of pieces."""

_DIRECTION_LETTERS = {direction: letter for letter, direction in DIRECTIONS.items()}
_PLACE = re.compile(rf"p([swc]) ({COLUMN}{ROW})( t)?")
_SPREAD = re.compile(rf"m([nsew]) ({COLUMN}{ROW}) p([1-9][0-9]{{0,3}})((?: [1-9])+)( t)?")


@dataclass(frozen=True, slots=True)
class MailMove:
    """A move as in a mail; `tak` is true if a call of tak, which is a courtesy, follows it."""

    move: Move
    tak: bool = False


def write(board: Board, move: Move, tak: bool = False) -> str:
    """Return the canonical text of `move`."""
    call = " t" if tak else ""
    match move:
        case Place():
            return f"p{LETTERS[move.kind]} {square_name(board, move.square)}{call}"
        case Spread():
            letter = _DIRECTION_LETTERS[move.direction]
            drops = " ".join(map(str, move.drops))
            return f"m{letter} {square_name(board, move.square)} p{sum(move.drops)} {drops}{call}"
        case _:
            assert_never(move)


def parse(board: Board, text: str) -> MailMove:
    """Parse a canonical text.

    Raises `NotationError`: `not-canonical`, `off-the-board` or `drops-do-not-add-up`.
    """
    if found := _PLACE.fullmatch(text):
        letter, square, call = found.groups()
        return MailMove(Place(KINDS[letter], square_named(board, square)), bool(call))
    if found := _SPREAD.fullmatch(text):
        letter, square, count, dropped, call = found.groups()
        drops = tuple(map(int, dropped.split()))
        if sum(drops) != int(count):
            raise NotationError("drops-do-not-add-up", count=int(count), dropped=sum(drops))
        return MailMove(Spread(square_named(board, square), DIRECTIONS[letter], drops), bool(call))
    raise NotationError("not-canonical", text=text[:80])


def square_name(board: Board, square: Square) -> str:
    """Return the name of a square in Tak by Mail, such as `b4`."""
    return f"{'abcdefgh'[board.column(square)]}{board.row(square) + 1}"


def square_named(board: Board, name: str) -> Square:
    """Return the square with this Tak by Mail name. Raises `NotationError` (`off-the-board`)."""
    column, row = COLUMNS.find(name[:1].lower()), name[1:]
    if 0 <= column < board.size and row in "12345678"[: board.size] and len(row) == 1:
        return board.square(column, int(row) - 1)
    raise NotationError("off-the-board", square=name[:20], size=board.size, last=last_square(board))


def last_square(board: Board) -> str:
    """Return the Tak by Mail name of the south-east corner."""
    return f"{'abcdefgh'[board.size - 1]}{board.size}"
