"""The board notation of Tak by Mail: a line per row from the north, stacks top to bottom (Tak by Mail Rules, rs).

White's pieces are `s w c`, Black's are `S W C`, and an empty spot is `0`.
"""

from collections.abc import Sequence

from takmail.games.tak.board import Square, board_of
from takmail.games.tak.judge import with_outcome
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.reserves import reserves_beside
from takmail.games.tak.pieces import COLUMNS, SIZES, Kind, Piece, Stack
from takmail.games.tak.position import Position, position_of

_PIECES = {
    "s": Piece.WHITE_FLAT,
    "w": Piece.WHITE_WALL,
    "c": Piece.WHITE_CAPSTONE,
    "S": Piece.BLACK_FLAT,
    "W": Piece.BLACK_WALL,
    "C": Piece.BLACK_CAPSTONE,
}
_LETTERS = {piece: letter for letter, piece in _PIECES.items()}
_EMPTY = "0"
"""The text of an empty spot."""
_MAX_LINE_CHARS = 2000  # the maximum length of a row, in characters; far above any possible row


def write(position: Position, aligned: bool = True) -> tuple[str, ...]:
    """Return the rows of the board. If `aligned` is true, spaces align the columns."""
    rows = [[spot(stack) if stack else _EMPTY for stack in row] for row in _rows(position)]
    if not aligned:
        return tuple(map(" ".join, rows))
    widths = column_widths(position)
    return tuple(
        " ".join([spot.ljust(width) for spot, width in zip(row, widths, strict=True)]).rstrip()
        for row in rows
    )


def legend(position: Position) -> str:
    """Return the line of column letters that is shown above the aligned rows."""
    return " ".join(
        letter.ljust(width) for letter, width in zip(COLUMNS.upper(), column_widths(position), strict=False)
    ).rstrip()


def column_widths(position: Position) -> tuple[int, ...]:
    """Return the width of each column of the aligned rows, in characters."""
    return tuple(max(1, *map(len, column)) for column in zip(*_rows(position), strict=True))


def _rows(position: Position) -> list[tuple[Stack, ...]]:
    """Return the stacks of each row, from the north."""
    board, stacks = position.board, position.stacks
    return [stacks[at : at + board.size] for at in range(0, board.size * board.stride, board.stride)]


def parse(lines: Sequence[str], ply: int, half_komi: int = 0, capstones: int | None = None) -> Position:
    """Parse a board. The result has the game's outcome, and the reserves that the pieces on the board leave.

    `ply` is the number of plies played, `half_komi` is in half flats, and `capstones` are as in `empty_position`. The
    notation contains none of these. Raises `NotationError`: `board-size`, `row-length`, `bad-spot`, `buried-piece` or
    `too-many-pieces`.
    """
    size = len(lines)
    if size not in SIZES:
        raise NotationError("board-size", rows=size, smallest=SIZES[0], largest=SIZES[-1])
    board = board_of(size)
    stacks: dict[Square, Stack] = {}
    for row, line in enumerate(lines):
        spots = line[:_MAX_LINE_CHARS].split()
        if len(spots) != size or len(line) > _MAX_LINE_CHARS:
            raise NotationError("row-length", row=row + 1, spots=len(spots), size=size)
        for column, spot in enumerate(spots):
            stacks[board.square(column, row)] = _stack(spot, row + 1, column + 1)
    white, black = reserves_beside(size, stacks, capstones)
    return with_outcome(position_of(size, stacks, ply, half_komi, white, black))


def spot(stack: Stack) -> str:
    """Return the text of one spot: the letters of its stack from top to bottom, or `0` if the stack is empty."""
    return "".join([_LETTERS[piece] for piece in reversed(stack)]) if stack else _EMPTY


def _stack(text: str, row: int, spot: int) -> Stack:
    if text == _EMPTY:
        return ()
    stack = tuple(_PIECES[letter] for letter in reversed(text) if letter in _PIECES)
    if len(stack) != len(text):
        raise NotationError("bad-spot", row=row, spot=spot, text=text[:20])
    for piece in stack[:-1]:
        if piece.kind is not Kind.FLAT:
            raise NotationError("buried-piece", row=row, spot=spot, text=text[:20], kind=piece.kind.value)
    return stack
