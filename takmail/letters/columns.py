"""Short lines side by side."""

from collections.abc import Iterable

WIDTH = 72
"""Characters in a line of a letter, so that a quoted line is not wrapped."""
_GAP = 3
_INDENT = "  "


def columns(lines: Iterable[str]) -> str:
    """Short lines side by side, as many as fit, each column as wide as the longest of all."""
    cells = list(lines)
    width = max(map(len, cells), default=0) + _GAP
    across = max(1, (WIDTH - len(_INDENT) + _GAP) // width)
    rows = (cells[at : at + across] for at in range(0, len(cells), across))
    return "\n".join(_INDENT + "".join(cell.ljust(width) for cell in row).rstrip() for row in rows)
