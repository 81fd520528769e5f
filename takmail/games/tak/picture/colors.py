"""The colours of the picture, which differ in lightness and not only in hue."""

from collections.abc import Mapping

from takmail.games.tak.pieces import Color

PAPER = "paper"
SQUARE = "square"
LAST = "last"
ROAD = "road"
WHITE = "white"
BLACK = "black"
SHELF = "shelf"
MARK = "mark"

VALUES: Mapping[str, str] = {
    PAPER: "#f6f1e7",
    SQUARE: "#d9c196",
    LAST: "#ffd84f",
    ROAD: "#5cbfa6",
    WHITE: "#fffdf8",
    BLACK: "#282c35",
    SHELF: "#97804f",
    MARK: "#b0260f",
}
"""The value of each colour.

The last move is yellow and a road blue-green, which colour-blind people can distinguish. The lightness of `SHELF` is
between White and Black, so that the pieces of both contrast with it.
"""

MEETING = (
    (PAPER, BLACK),
    (SQUARE, BLACK),
    (SQUARE, PAPER),
    (WHITE, BLACK),
    (LAST, BLACK),
    (ROAD, BLACK),
    (PAPER, MARK),
    (SQUARE, MARK),
)
"""The pairs of colours that meet most often along slanting and round edges."""

FACE = {Color.WHITE: WHITE, Color.BLACK: BLACK}
"""The fill colour of each side's pieces."""

WRITING = {Color.WHITE: BLACK, Color.BLACK: WHITE}
"""The colour of text on the fill colour of each side."""
