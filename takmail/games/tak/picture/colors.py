"""The colours of the picture, told apart by how light they are and not by hue alone."""

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
"""Each colour's value: the last move is yellow and a road blue-green, which people of all kinds of sight tell apart.

How light the shelf is lies between White and Black, so that both stand out on it.
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
"""The colours that meet most often along slanting and round edges."""

FACE = {Color.WHITE: WHITE, Color.BLACK: BLACK}
"""What the pieces of a side are filled with."""

WRITING = {Color.WHITE: BLACK, Color.BLACK: WHITE}
"""What is written on such a ground."""
