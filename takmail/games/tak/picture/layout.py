"""Where everything stands in the picture of a board; all lengths are even, so that they can be halved."""

from dataclasses import dataclass
from functools import cache

WIDTH = 960
"""The width of every picture."""

BAR_HEIGHT = 80
_EDGE = 12  # around everything
_RULER = 48  # for the letters of the columns
LEFT = 40
"""Where the westernmost squares begin; as much is left free in the east."""

TOP = _EDGE + BAR_HEIGHT + _RULER
"""Where the northernmost squares begin."""

SPAN = WIDTH - 2 * LEFT
"""The width of all squares together with the gaps between them."""

HEIGHT = TOP + SPAN + _RULER + BAR_HEIGHT + _EDGE
"""The height of every picture."""

BAR_LEFT = LEFT
BAR_WIDTH = SPAN
BAR_TOPS = (_EDGE, HEIGHT - _EDGE - BAR_HEIGHT)
"""Where White's bar begins, and Black's."""

_GAPS = {3: 26, 4: 24, 5: 20, 6: 20, 7: 16, 8: 16}


@dataclass(frozen=True, slots=True)
class Layout:
    """The squares of a board `size` wide: each is `tile` wide, with a `gap` between two of them."""

    size: int
    tile: int
    gap: int

    def start(self, index: int) -> int:
        """How far the column or row counted from 0 lies behind the first one."""
        return index * (self.tile + self.gap)

    @property
    def margin(self) -> int:
        """What a square leaves free along its sides, whatever stands in it."""
        return even(self.tile * 0.085)

    @property
    def bridge(self) -> int:
        """How wide what joins two squares is, and what lies in a gap."""
        return even(self.tile * 0.5)


@cache
def layout_of(size: int) -> Layout:
    """The layout of a board `size` wide."""
    gap = _GAPS[size]
    return Layout(size, (SPAN - (size - 1) * gap) // size, gap)


def even(length: float) -> int:
    """The nearest even number."""
    return 2 * round(length / 2)
