"""The board in nine lines, as the command `rs` shows it: a line for each column, its letter, and its spots.

With a fixed-width font the lines form the hexagon, turned by a quarter: neighbours stand side by side in a line, or
half a cell apart in the next.
"""

from takmail.games.tzaar.board import CENTRE_COLUMN, COLUMN_SPOTS, COLUMNS, SPOTS_BELOW_CENTRE
from takmail.games.tzaar.position import Position, stack_of

EMPTY_SPOT, CENTRE_SIGN = "0", "+"
_CELL, _INDENT, _STEP = 4, 3, 2


def spot_text(code: int) -> str:
    """Return what stands on a spot as letters write it: `t`, `Z3`, or `0` for an empty spot."""
    return str(stack_of(code)) if code else EMPTY_SPOT


def board_rows(position: Position) -> tuple[str, ...]:
    """Return the nine lines, indented and aligned, without trailing blanks."""
    rows = []
    for column, spots in enumerate(COLUMN_SPOTS):
        cells = [spot_text(position.stacks[spot]) for spot in spots]
        if column == CENTRE_COLUMN:
            cells.insert(SPOTS_BELOW_CENTRE, CENTRE_SIGN)
        indent = " " * (_INDENT + _STEP * abs(column - CENTRE_COLUMN) - 1)
        line = "".join(cell.ljust(_CELL) for cell in cells).rstrip()
        rows.append(f"{COLUMNS[column].upper()}{indent}{line}")
    return tuple(rows)


def cells_of(position: Position) -> tuple[str, ...]:
    """Return what stands on each spot, as letters write it."""
    return tuple(map(spot_text, position.stacks))
