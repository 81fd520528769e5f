"""Positions of TZAAR, their form on one line, and the boards with which games begin.

Each spot of a position is one byte: 0 for an empty spot, otherwise the height times eight, plus the kind times two,
plus the colour. Heights are at most 30, the pieces of one colour.
"""

import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from takmail.games.tzaar.board import COLUMN_SPOTS, SPOTS, Spot
from takmail.games.tzaar.pieces import KIND_OF_LETTER, PIECES_A_SIDE, Color, Kind, Stack

HEIGHT_SHIFT, TYPE_BITS, KIND_SHIFT, COLOR_BIT = 3, 7, 1, 1
FULL = (1 << len(SPOTS)) - 1
"""The bits of all spots."""
_EMPTY_TYPE = 255
TYPES = bytes(code & TYPE_BITS if code else _EMPTY_TYPE for code in range(256))
"""The kind times two plus the colour of each byte of a position; 255 for an empty spot."""
_FIXED = "TTTTt/tRRRrt/trZZzrt/trzTtzrt/trztTZRT/TRZTtZRT/TRZzzRT/TRrrrT/Ttttt"
_COLUMN = re.compile(r"(?:[zrtZRT](?:[2-9]|[12][0-9]|30)?|x[2-8]?)+")
_TOKEN = re.compile(r"([zrtxZRT])([0-9]*)")
_POSITION = re.compile(r"(?P<board>[^ ]+) (?P<color>[wb])(?P<placing> place)?")
_WRITTEN_COLOR = {"w": Color.WHITE, "b": Color.BLACK}


class Position(NamedTuple):
    """The stacks on the board, the colour to move, and whether pieces are still being placed. Immutable.

    `white` and `black` have the bits of the spots that each colour has. They follow from `stacks`.
    """

    stacks: bytes
    white: int
    black: int
    to_move: Color
    is_placing: bool

    @property
    def is_first_turn(self) -> bool:
        """Whether the next turn is White's first, of one action: only then are all spots taken."""
        return self.white | self.black == FULL

    def at(self, spot: Spot) -> Stack | None:
        """Return what stands on a spot, or None if the spot is empty."""
        return stack_of(self.stacks[spot])

    def spots_of(self, color: Color) -> tuple[Spot, ...]:
        """Return the spots on which a colour's stacks stand, in order."""
        mask = self.black if color else self.white
        return tuple(spot for spot in SPOTS if mask >> spot & 1)

    def kinds(self, color: Color) -> dict[Kind, int]:
        """Return how many stacks of a colour each kind is on top of."""
        types = self.stacks.translate(TYPES)
        return {kind: types.count(kind << KIND_SHIFT | color) for kind in Kind}

    def reserve(self, color: Color) -> dict[Kind, int]:
        """Return how many pieces of each kind a colour still has to place; none once the game has begun."""
        if not self.is_placing:
            return dict.fromkeys(Kind, 0)
        return {kind: kind.count - placed for kind, placed in self.kinds(color).items()}

    def __str__(self) -> str:
        return write_position(self)


def code_of(stack: Stack | None) -> int:
    """Return the byte of a stack, 0 for an empty spot."""
    if stack is None:
        return 0
    return stack.height << HEIGHT_SHIFT | stack.kind << KIND_SHIFT | stack.color


def stack_of(code: int) -> Stack | None:
    """Return the stack that a byte stands for, None for an empty spot."""
    if not code:
        return None
    return Stack(Color(code & COLOR_BIT), Kind(code >> KIND_SHIFT & 3), code >> HEIGHT_SHIFT)


def position_of(stacks: bytes, to_move: Color, *, is_placing: bool = False) -> Position:
    """Return the position with these bytes."""
    white = black = 0
    for spot, code in enumerate(stacks):
        if code:
            if code & COLOR_BIT:
                black |= 1 << spot
            else:
                white |= 1 << spot
    return Position(stacks, white, black, to_move, is_placing)


def position_with(stacks: Iterable[Stack | None], to_move: Color, *, is_placing: bool = False) -> Position:
    """Return the position with these stacks, one for each spot in order."""
    return position_of(bytes(map(code_of, stacks)), to_move, is_placing=is_placing)


EMPTY = position_of(bytes(len(SPOTS)), Color.WHITE, is_placing=True)
"""The empty board on which pieces are placed."""


def write_position(position: Position) -> str:
    """Return the position on one line: the columns joined by `/`, the colour to move, and `place` while placing."""
    color = "b" if position.to_move else "w"
    return f"{write_stacks(position.stacks)} {color}{' place' if position.is_placing else ''}"


def write_stacks(stacks: bytes) -> str:
    """Return the columns of a position, each from spot 1 up, with `x` for an empty spot and `x3` for three."""
    return "/".join(_write_column(stacks[spots[0] : spots[-1] + 1]) for spots in COLUMN_SPOTS)


def _write_column(codes: bytes) -> str:
    written: list[str] = []
    empty = 0
    for code in (*codes, None):
        if code == 0:
            empty += 1
            continue
        if empty:
            written.append(f"x{empty}" if empty > 1 else "x")
            empty = 0
        if code is not None:
            written.append(str(stack_of(code)))
    return "".join(written)


def read_position(text: str) -> Position | None:
    """Return the position that one line describes, possible or not; None if the line is no position."""
    found = _POSITION.fullmatch(text)
    stacks = read_stacks(found["board"]) if found else None
    if found is None or stacks is None:
        return None
    return position_of(stacks, _WRITTEN_COLOR[found["color"]], is_placing=bool(found["placing"]))


def read_stacks(text: str) -> bytes | None:
    """Return the bytes of the columns of a position; None if it is no board."""
    columns = text.split("/")
    if len(columns) != len(COLUMN_SPOTS) or not all(map(_COLUMN.fullmatch, columns)):
        return None
    read = [_read_column(column) for column in columns]
    if [len(codes) for codes in read] != [len(spots) for spots in COLUMN_SPOTS]:
        return None
    return b"".join(read)


def pieces_of(stacks: bytes, color: Color) -> int:
    """Return how many pieces of a colour stand on the board, those in stacks included."""
    return sum(code >> HEIGHT_SHIFT for code in stacks if code and code & COLOR_BIT == color)


def _read_column(column: str) -> bytes:
    codes = bytearray()
    for letter, number in _TOKEN.findall(column):
        count = int(number or 1)
        if letter == "x":
            codes += bytes(count)
        else:
            color = Color.BLACK if letter.isupper() else Color.WHITE
            codes.append(code_of(Stack(color, KIND_OF_LETTER[letter.lower()], count)))
    return bytes(codes)


def has_all_pieces(stacks: Sequence[int]) -> bool:
    """Return whether all 60 pieces stand on the board singly, as at the start of a game."""
    return sorted(stacks) == _SORTED_PIECES


_ALL_PIECES = tuple(
    code_of(Stack(color, kind)) for color in Color for kind in Kind for _ in range(kind.count)
)
_SORTED_PIECES = sorted(_ALL_PIECES)
assert len(_ALL_PIECES) == 2 * PIECES_A_SIDE == len(SPOTS)


def _fixed() -> Position:
    stacks = read_stacks(_FIXED)
    assert stacks is not None
    return position_of(stacks, Color.WHITE)


FIXED = _fixed()
"""The start of the fixed set-up."""


def random_position(rng: Random) -> Position:
    """Return a start with all pieces anywhere. Each arrangement is equally likely."""
    pieces = list(_ALL_PIECES)
    rng.shuffle(pieces)
    return position_of(bytes(pieces), Color.WHITE)
