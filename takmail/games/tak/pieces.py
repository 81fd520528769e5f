"""The pieces, and how many of them each player has."""

from enum import Enum
from typing import NamedTuple


class Color(Enum):
    """A player's side. White has the first ply."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Color":
        """The opponent's side."""
        return Color.BLACK if self is Color.WHITE else Color.WHITE


class Kind(Enum):
    """The kind of a piece: a flat stone, a standing stone (a wall), or a capstone."""

    FLAT = "flat"
    WALL = "wall"
    CAPSTONE = "capstone"


class Piece(Enum):
    """A piece on the board: its side and its kind."""

    WHITE_FLAT = (Color.WHITE, Kind.FLAT)
    WHITE_WALL = (Color.WHITE, Kind.WALL)
    WHITE_CAPSTONE = (Color.WHITE, Kind.CAPSTONE)
    BLACK_FLAT = (Color.BLACK, Kind.FLAT)
    BLACK_WALL = (Color.BLACK, Kind.WALL)
    BLACK_CAPSTONE = (Color.BLACK, Kind.CAPSTONE)

    color: Color
    kind: Kind

    def __init__(self, color: Color, kind: Kind) -> None:
        self.color = color
        self.kind = kind

    @property
    def flattened(self) -> "Piece":
        """The flat of the same side. A crushed wall becomes this piece."""
        return Piece.WHITE_FLAT if self.color is Color.WHITE else Piece.BLACK_FLAT


Stack = tuple[Piece, ...]
"""The pieces of one space, bottom to top. An empty space is an empty tuple."""


class Reserve(NamedTuple):
    """The pieces that one player has not placed yet."""

    stones: int
    capstones: int


SIZES = range(3, 9)
"""The supported sizes of boards."""
COLUMNS = "abcdefghijklmnopqrstuvwxyz"[: SIZES[-1]]
"""The names of the columns of the largest board, from the west."""
COLUMN = f"[a-{COLUMNS[-1]}]"
ROW = f"[1-{SIZES[-1]}]"
"""`COLUMN` and `ROW` are regular expressions for a column and a row of the widest board."""

_RESERVES = {
    3: Reserve(10, 0),
    4: Reserve(15, 0),
    5: Reserve(21, 1),
    6: Reserve(30, 1),
    7: Reserve(40, 2),  # not in the rules, but the players' convention
    8: Reserve(50, 2),
}


AGREED_CAPSTONES_SIZE = 7
"""The size of the board whose number of capstones the players agree on. The rules have no pieces for it."""
AGREED_CAPSTONES = ("0", "1", "2")
"""The numbers of capstones on which they can agree, as text."""


def full_reserve(size: int, capstones: int | None = None) -> Reserve:
    """Return each player's pieces before the first ply (Tak rules, How Many Pieces?).

    `capstones` is the number that the players have agreed on, None for the usual one.
    """
    usual = _RESERVES[size]
    return usual if capstones is None else usual._replace(capstones=capstones)
