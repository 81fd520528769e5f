"""Plies in PTN: `a1`, `Sb2`, `3b4-21`, with `'` for tak and other marks at the end.

A1 is the south-west corner, and rows count to the north. A count of one and a single drop are omitted.
"""

import re
from dataclasses import dataclass
from typing import assert_never

from takmail.games.tak.board import Board, Direction, Square
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.pieces import COLUMN, COLUMNS, Kind

_KINDS = {"": Kind.FLAT, "f": Kind.FLAT, "s": Kind.WALL, "c": Kind.CAPSTONE}
_KIND_MARKS = {Kind.FLAT: "", Kind.WALL: "S", Kind.CAPSTONE: "C"}
_ARROWS = {"+": Direction.NORTH, "-": Direction.SOUTH, ">": Direction.EAST, "<": Direction.WEST}
_ARROW_OF = {direction: arrow for arrow, direction in _ARROWS.items()}
# Old records have the kind of a moved stack's top piece, before the square or at the end. It is redundant.
_PLY = re.compile(
    rf"([1-9]?)([fsc]?)({COLUMN}[1-9])(?:([-+<>])([0-9]{{0,8}})[fsc]?)?([*'\"!?]{{0,8}})",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ply:
    """A move with its marks: `'` for tak, `"` or `''` for tinuë, `*` for a crush, `!` and `?` for opinions."""

    move: Move
    marks: str = ""


def write_ply(board: Board, ply: Ply) -> str:
    """Return the PTN of a ply, marks included."""
    move = ply.move
    match move:
        case Place():
            return f"{_KIND_MARKS[move.kind]}{square_name(board, move.square)}{ply.marks}"
        case Spread():
            count = sum(move.drops)
            drops = "".join(map(str, move.drops)) if len(move.drops) > 1 else ""
            start = f"{count if count > 1 else ''}{square_name(board, move.square)}"
            return f"{start}{_ARROW_OF[move.direction]}{drops}{ply.marks}"
        case _:
            assert_never(move)


def parse_ply(board: Board, text: str) -> Ply:
    """Parse a ply. Upper and lower case are equal, because no two forms differ only in case.

    Raises `NotationError`: `ptn-ply`, `off-the-board`, `count-without-direction`, `drop-of-zero` or
    `drops-do-not-add-up`.
    """
    found = _PLY.fullmatch(text)
    if not found:
        raise NotationError("ptn-ply", text=text[:20])
    count_text, kind, name, arrow, drops_text, marks = found.groups()
    square = square_named(board, name)
    if not arrow:
        if count_text:
            raise NotationError("count-without-direction", text=text[:20])
        return Ply(Place(_KINDS[kind.lower()], square), marks)
    count = int(count_text or 1)
    drops = tuple(map(int, drops_text)) or (count,)
    if 0 in drops:
        raise NotationError("drop-of-zero", step=drops.index(0) + 1)
    if sum(drops) != count:
        raise NotationError("drops-do-not-add-up", count=count, dropped=sum(drops))
    return Ply(Spread(square, _ARROWS[arrow], drops), marks)


def square_name(board: Board, square: Square) -> str:
    """Return the name of a square in PTN, such as `b4`."""
    return f"{'abcdefgh'[board.column(square)]}{board.size - board.row(square)}"


def square_named(board: Board, name: str) -> Square:
    """Return the square with this PTN name, a letter and a digit. Raises `NotationError` (`off-the-board`)."""
    column, rank = COLUMNS.find(name[0].lower()), int(name[1])
    if 0 <= column < board.size and 1 <= rank <= board.size:
        return board.square(column, board.size - rank)
    last = f"{'abcdefgh'[board.size - 1]}{board.size}"
    raise NotationError("off-the-board", square=name.lower(), size=board.size, last=last)
