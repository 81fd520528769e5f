"""The pieces of TZAAR, and stacks of them."""

from enum import IntEnum
from typing import NamedTuple


class Color(IntEnum):
    """A player's colour. White begins."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> "Color":
        """The opponent's colour."""
        return _OTHER[self]

    @property
    def word(self) -> str:
        """The colour as messages and set-ups name it: `white` or `black`."""
        return self.name.lower()


_OTHER = (Color.BLACK, Color.WHITE)


class Kind(IntEnum):
    """A kind of piece."""

    TZAAR = 0
    TZARRA = 1
    TOTT = 2

    @property
    def word(self) -> str:
        """The kind as messages and records name it: `tzaar`, `tzarra` or `tott`."""
        return self.name.lower()

    @property
    def letter(self) -> str:
        """The lower-case letter of the kind in boards and positions."""
        return _LETTERS[self]

    @property
    def count(self) -> int:
        """The number of pieces of this kind that each player has."""
        return _COUNTS[self]


_LETTERS = ("z", "r", "t")
_COUNTS = (6, 9, 15)
PIECES_A_SIDE = sum(_COUNTS)
KIND_OF_LETTER = dict(zip(_LETTERS, Kind, strict=True))


class Stack(NamedTuple):
    """A piece or stack: its colour, the kind of its top piece, and its height."""

    color: Color
    kind: Kind
    height: int = 1

    @property
    def letter(self) -> str:
        """The letter of the stack: small for White, capital for Black."""
        letter = self.kind.letter
        return letter if self.color is Color.WHITE else letter.upper()

    def __str__(self) -> str:
        return self.letter if self.height == 1 else f"{self.letter}{self.height}"
