"""TPS (Tak Positional System), the usual one-line notation of a position: `x3,12,2S/... 1 7`.

The rows are written from the north, and stacks from bottom to top. `1` is White and `2` Black. `S` marks a wall on
top, and `C` a capstone. The side to move and the number of the move follow the rows.
"""

import re

from takmail.games.tak.board import Square, board_of
from takmail.games.tak.judge import with_outcome
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.reserves import reserves_beside
from takmail.games.tak.pieces import ROW, SIZES, Color, Kind, Piece, Stack
from takmail.games.tak.position import Position, pieces_of, position_of

_MARKS = {Kind.FLAT: "", Kind.WALL: "S", Kind.CAPSTONE: "C"}
_KINDS = {mark: kind for kind, mark in _MARKS.items()}
_SPACE = re.compile(rf"x({ROW}?)|([12]+)([SC]?)")
_MAX_CHARS = (
    4000  # the maximum length of a TPS, in characters; all pieces of the widest board take a tenth of this
)


def write(position: Position) -> str:
    """Return the TPS of a position. Komi is not part of it."""
    board = position.board
    rows = []
    for row in range(board.size):
        spaces = [_space(position.stacks[board.square(column, row)]) for column in range(board.size)]
        rows.append(re.sub(r"x(?:,x)+", lambda run: f"x{run[0].count('x')}", ",".join(spaces)))
    return f"{'/'.join(rows)} {position.ply % 2 + 1} {position.ply // 2 + 1}"


def parse(text: str, half_komi: int = 0, capstones: int | None = None) -> Position:
    """Parse a TPS into a position with its outcome.

    The reserves are the pieces that are not on the board. `capstones` are as in `empty_position`. At move
    number 1 the rules of the opening apply to the next ply.

    Raises `NotationError`: `tps-form`, `tps-player`, `tps-move-number`, `board-size`, `row-length`, `bad-spot` or
    `too-many-pieces`.
    """
    words = text[: _MAX_CHARS + 1].split()
    if len(words) != 3 or len(text) > _MAX_CHARS:
        raise NotationError("tps-form", text=text[:80])
    board_text, player, number = words
    if player not in ("1", "2"):
        raise NotationError("tps-player", text=player[:20])
    if not re.fullmatch(r"[1-9][0-9]{0,4}", number):
        raise NotationError("tps-move-number", text=number[:20])
    rows = board_text.split("/")
    size = len(rows)
    if size not in SIZES:
        raise NotationError("board-size", rows=size, smallest=SIZES[0], largest=SIZES[-1])
    stacks: dict[Square, Stack] = {}
    for row, row_text in enumerate(rows):
        stacks |= _row(row_text, row, size)
    white, black = reserves_beside(size, stacks, capstones)
    ply = 2 * (int(number) - 1) + int(player) - 1
    return with_outcome(position_of(size, stacks, ply, half_komi, white, black))


def _space(stack: Stack) -> str:
    if not stack:
        return "x"
    return "".join("1" if piece.color is Color.WHITE else "2" for piece in stack) + _MARKS[stack[-1].kind]


def _row(text: str, row: int, size: int) -> dict[Square, Stack]:
    board, stacks, column = board_of(size), {}, 0
    for spot, space in enumerate(text.split(","), 1):
        found = _SPACE.fullmatch(space)
        if not found:
            raise NotationError("bad-spot", row=row + 1, spot=spot, text=space[:20])
        run, colors, mark = found.groups()
        if colors:
            if column < size:
                stacks[board.square(column, row)] = _stack(colors, mark)
            column += 1
        else:
            column += int(run or 1)
    if column != size:
        raise NotationError("row-length", row=row + 1, spots=column, size=size)
    return stacks


def _stack(colors: str, mark: str) -> Stack:
    buried = tuple(Piece.WHITE_FLAT if digit == "1" else Piece.BLACK_FLAT for digit in colors[:-1])
    top = Color.WHITE if colors[-1] == "1" else Color.BLACK
    return (*buried, pieces_of(top)[_KINDS[mark]])
