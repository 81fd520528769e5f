"""The coordinates of the picture of a board, in pixels. All lengths are even, so that they can be halved."""

from dataclasses import dataclass
from functools import cache

from takmail.games.tak.picture.colors import PAPER

WIDTH = 960
"""The width of every picture."""

BAR_HEIGHT = 80
_EDGE = 12  # the margin around the whole picture
_RULER = 48  # the height of the space for the letters of the columns
LEFT = 40
"""The x of the westernmost squares; the eastern margin is equal."""

TOP = _EDGE + BAR_HEIGHT + _RULER
"""The y of the northernmost squares."""

SPAN = WIDTH - 2 * LEFT
"""The width of all squares together with the gaps between them."""

HEIGHT = TOP + SPAN + _RULER + BAR_HEIGHT + _EDGE
"""The height of every picture."""

BAR_LEFT = LEFT
BAR_WIDTH = SPAN
BAR_TOPS = (_EDGE, HEIGHT - _EDGE - BAR_HEIGHT)
"""The y of White's bar and the y of Black's."""

_GAPS = {3: 26, 4: 24, 5: 20, 6: 20, 7: 16, 8: 16}


@dataclass(frozen=True, slots=True)
class Layout:
    """The squares of a board of width `size`: each square is `tile` wide, and a `gap` separates two of them.

    `ground` is the colour around the squares, which covers the outermost `inset` of each tile, too.
    """

    size: int
    tile: int
    gap: int
    ground: str = PAPER
    inset: int = 0

    def start(self, index: int) -> int:
        """Return the distance of a column or row, counted from 0, from the first one."""
        return index * (self.tile + self.gap)

    @property
    def margin(self) -> int:
        """The width of the free margin along the sides of a square."""
        return even(self.tile * 0.085)

    @property
    def bridge(self) -> int:
        """The width of a connection between two squares."""
        return even(self.tile * 0.5)


@cache
def layout_of(size: int) -> Layout:
    """Return the layout of a board of this size."""
    gap = _GAPS[size]
    return Layout(size, (SPAN - (size - 1) * gap) // size, gap)


def even(length: float) -> int:
    """Return the nearest even number."""
    return 2 * round(length / 2)
