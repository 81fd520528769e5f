"""Parse a written board for comparison. No board is refused; its faults are part of the result."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from takmail.games.tak.board import Board
from takmail.games.tak.compare.board_lines import cleaned, read_spot
from takmail.games.tak.compare.cells import GAP, Cells
from takmail.games.tak.compare.faults import BoardFault

_MAX_CHARS = 8000  # the maximum length, in characters; the widest board with all pieces takes a tenth of this


@dataclass(frozen=True, slots=True)
class WrittenCells:
    """A written board of the same width as the game's board.

    `ragged` are the faults of rows that had too many or too few spots.
    """

    cells: Cells
    ragged: tuple[BoardFault, ...]


@dataclass(frozen=True, slots=True)
class OtherSize:
    """A written board of another size: its number of rows, and the most frequent number of spots in a row."""

    rows: int
    spots: int


def read_rows(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the spots of a board that is on one line, with `/` between its rows."""
    rows = (cleaned(row).split() for row in text[:_MAX_CHARS].split("/"))
    return tuple(tuple(map(read_spot, row)) for row in rows)


def read_pasted(board: Board, text: str, reference: Cells) -> WrittenCells | OtherSize:
    """Return the board in `text`. A row with too many or too few spots is fitted to `reference` as well as possible."""
    rows, size = read_rows(text), board.size
    spots = width_of(rows)
    if len(rows) != size or (spots != size and all(len(row) != size for row in rows)):
        return OtherSize(len(rows), spots)
    cells = [""] * (size * board.stride)
    ragged = []
    for number, row in enumerate(rows):
        start = number * board.stride
        if len(row) != size:
            ragged.append(BoardFault("ragged", row=number + 1, count=len(row), most=size))
        fitted = _fitted([_cell(spot) for spot in row], reference[start : start + size])
        cells[start : start + size] = fitted
    return WrittenCells(tuple(cells), tuple(ragged))


def width_of(rows: Sequence[Sequence[str]]) -> int:
    """Return the most frequent number of spots in a row."""
    return Counter(map(len, rows)).most_common(1)[0][0]


def _cell(spot: str) -> str:
    return "" if spot == "0" else spot


def _fitted(row: list[str], reference: Sequence[str]) -> list[str]:
    """Return `row` made as long as `reference`, with as few differences from `reference` as possible.

    Surplus cells are removed at one place, or the missing ones are inserted at one place as gaps.
    """
    size, excess = len(reference), len(row) - len(reference)
    if excess == 0:
        return row
    if excess > 0:
        candidates = [row[:at] + row[at + excess :] for at in range(size + 1)]
    else:
        candidates = [row[:at] + [GAP] * -excess + row[at:] for at in range(len(row) + 1)]
    return min(candidates, key=lambda cells: sum(a != b for a, b in zip(cells, reference, strict=True)))
