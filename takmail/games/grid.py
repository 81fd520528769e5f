"""A board as a table of small pictures, for the HTML part of letters."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """A place of a board.

    * `place` is its name in lower case, such as `b4`
    * `content` is what stands there, written as on a board in letters, or '' if it is empty
    * `picture` names its picture. `Game.cell` draws it, and cells with the same name look the same.
    * `color` is the colour behind the picture, such as `#d9c196`, for programs that show no pictures
    """

    place: str
    content: str
    picture: str
    color: str


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of a board with its heading.

    A cell is None where the board has no place, such as a hole. `shift` is how far the first cell stands to the right
    of the board's left edge, in halves of a cell.
    """

    heading: str
    cells: tuple[Cell | None, ...]
    shift: int = 0

    @property
    def places(self) -> tuple[Cell, ...]:
        """The cells without the holes."""
        return tuple(cell for cell in self.cells if cell is not None)


@dataclass(frozen=True, slots=True)
class Grid:
    """A board as rows of cells.

    `columns` are the headings of the columns; none if rows are shifted, as then no columns stand below each other.
    `sides` are the names of pictures of both seats' pieces, first seat first. `cell_width` is the width and height of a
    cell in CSS pixels, and `side_width` that of the pictures of the sides. `color` is the colour behind the headings
    and behind most cells, '' if the board has none of its own.
    """

    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    sides: tuple[str, str]
    cell_width: int
    side_width: int
    color: str = ""

    @property
    def halves(self) -> int:
        """The width of the board in halves of a cell."""
        return max((row.shift + 2 * len(row.cells) for row in self.rows), default=0)


@dataclass(frozen=True, slots=True)
class Touch:
    """The turns that a letter offers at one place of the board, the likeliest first, in canonical form.

    If `is_move` is true, they move what stands there, and there may be more of them. Otherwise they place something
    there, and there are no more.
    """

    turns: tuple[str, ...]
    is_move: bool


Touches = Mapping[str, Touch]
"""What the player to move can touch, by the lower-case names of the places."""
