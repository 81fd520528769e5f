"""Find the board before a ply, given only the stacks after it."""

from collections.abc import Iterator

from takmail.games.tak.board import Board
from takmail.games.tak.compare.cells import Cells
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.pieces import Color, Kind

_LETTERS = {Kind.FLAT: "s", Kind.WALL: "w", Kind.CAPSTONE: "c"}


def boards_before(board: Board, cells: Cells, move: Move, mover: Color, is_opening: bool) -> Iterator[Cells]:
    """Yield the boards from which `move` by `mover` leads to `cells`; two boards if a wall may have been flattened."""
    match move:
        case Place(kind, square):
            color = mover.other if is_opening else mover
            if cells[square] == letter(kind, color):
                yield (*cells[:square], "", *cells[square + 1 :])
        case Spread():
            if not is_opening:
                yield from _before_spread(board, cells, move, mover)


def letter(kind: Kind, color: Color) -> str:
    """Return the letter of a piece in Tak by Mail notation."""
    return _LETTERS[kind] if color is Color.WHITE else _LETTERS[kind].upper()


def _before_spread(board: Board, cells: Cells, move: Spread, mover: Color) -> Iterator[Cells]:
    step = board.step[move.direction]
    before = list(cells)
    hand, square = "", int(move.square)
    for drop in move.drops:
        square += step
        cell = before[square]
        left = cell[drop:]
        if len(cell) < drop or _is_blocked(left):
            return
        hand, before[square] = cell[:drop] + hand, left
    if (
        hand[0].islower() is not (mover is Color.WHITE)
        or _is_blocked(hand[1:])
        or _is_blocked(before[move.square])
    ):
        return
    before[move.square] = hand + before[move.square]
    yield tuple(before)
    under = before[square]
    if under and move.drops[-1] == 1 and hand[0] in "cC":
        before[square] = ("w" if under[0] == "s" else "W") + under[1:]
        yield tuple(before)


def _is_blocked(pieces: str) -> bool:
    """Return whether any of the pieces is a wall or a capstone, which no piece can cover."""
    return any(piece in "wcWC" for piece in pieces)
