"""Find boards that are written without spaces, so that the stacks of a row can't be separated."""

import re
from collections.abc import Callable, Iterator, Sequence

from takmail.games.interface import WrittenBoard
from takmail.games.tak.compare.board_lines import cleaned
from takmail.games.tak.pieces import SIZES

_ROW = re.compile(r"[swcSWC0oO._]{3,100}")
_MAX_LINE_CHARS = 200  # the maximum length of a line, in characters, including spaces at its edges
_PIECE = re.compile("[swcSWC]")


def unspaced_in(lines: Sequence[str], is_expected: Callable[[int], bool]) -> Iterator[WrittenBoard]:
    """Yield groups of consecutive rows without spaces. Unless a board is expected there, a group must be square."""
    first, rows = 0, list[str]()
    for at, line in enumerate((*lines, "")):
        text = cleaned(line) if len(line) <= _MAX_LINE_CHARS else ""
        if _ROW.fullmatch(text):
            first = first if rows else at
            rows.append(text)
            continue
        if rows and _may_be_board(rows) and (_is_square(rows) or is_expected(first)):
            yield WrittenBoard(first, at, "/".join(rows), lacks_spaces=True)
        rows = []


def _may_be_board(rows: Sequence[str]) -> bool:
    """Return whether rows may be a board. One or two rows are enough below a command if they have no letter o."""
    letters = "".join(rows)
    is_shaped = len(rows) >= SIZES[0] and all(len(row) >= len(rows) for row in rows)
    return (
        _PIECE.search(letters) is not None
        and len(rows) <= SIZES[-1]
        and (is_shaped or "o" not in letters.lower())
    )


def _is_square(rows: Sequence[str]) -> bool:
    return len(rows) in SIZES and all(len(row) == len(rows) for row in rows) and "0" in "".join(rows)
