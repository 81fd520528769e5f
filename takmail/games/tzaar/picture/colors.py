"""The colours of the picture, which differ in lightness and not only in hue."""

from collections.abc import Mapping

from takmail.games.tzaar.pieces import Color

PAPER = "paper"
BOARD = "board"
LINE = "line"
LAST = "last"
WHITE = "white"
BLACK = "black"
MARK = "mark"

VALUES: Mapping[str, str] = {
    PAPER: "#f6f1e7",
    BOARD: "#d9c196",
    LINE: "#8a7040",
    LAST: "#ffd84f",
    WHITE: "#fffdf8",
    BLACK: "#282c35",
    MARK: "#b0260f",
}
"""The value of each colour. The last turn is yellow with a dark red line, which colour-blind people can distinguish."""

MEETING = (
    (PAPER, BLACK),
    (BOARD, LINE),
    (BOARD, BLACK),
    (BOARD, MARK),
    (WHITE, BLACK),
    (LAST, BLACK),
    (LAST, LINE),
    (LAST, MARK),
)
"""The pairs of colours that meet most often along slanting and round edges."""

FACE = {Color.WHITE: WHITE, Color.BLACK: BLACK}
"""The fill colour of each side's pieces."""

WRITING = {Color.WHITE: BLACK, Color.BLACK: WHITE}
"""The colour of text on the fill colour of each side."""
