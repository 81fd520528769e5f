"""The geometry of a board, computed once per size.

A square is an index. Columns count from the west and rows from the north, both from 0. A set of squares is an int.
One unused column follows each row, so that a shift by one never wraps into the next row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import NewType

from takmail.games.readonly import read_only

Square = NewType("Square", int)
"""The index of a space, `row * (size + 1) + column`. It is also the number of the space's bit in a set of squares."""


class Direction(Enum):
    """A direction in which a stack moves."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


@dataclass(frozen=True, slots=True, eq=False)
class Ray:
    """The spaces from a square to the edge in one direction, nearest first.

    `mask` is the set of these spaces. Each key of `reach` is a set of blocked spaces within `mask`. Its value is
    the number of free spaces before the nearest blocked one, and the bit of that blocked space (0 if none is
    blocked). Rays compare by identity, which makes them cheap keys.
    """

    square: Square
    direction: Direction
    spaces: tuple[Square, ...]
    mask: int
    reach: Mapping[int, tuple[int, int]]

    def __post_init__(self) -> None:
        read_only(self, "reach")


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The geometry of one board size, with its edges as sets of squares.

    `step` is the difference between the indices of a square and of its neighbour in each direction.
    """

    size: int
    stride: int
    squares: tuple[Square, ...]
    full: int
    north: int
    east: int
    south: int
    west: int
    step: Mapping[Direction, int]
    rays: tuple[tuple[Ray, ...], ...]

    def __post_init__(self) -> None:
        read_only(self, "step")

    def square(self, column: int, row: int) -> Square:
        """Return the square in `column` from the west and `row` from the north.

        Both count from 0 and must be on the board.
        """
        return Square(row * self.stride + column)

    def column(self, square: Square) -> int:
        """Return the number of columns west of `square`."""
        return square % self.stride

    def row(self, square: Square) -> int:
        """Return the number of rows north of `square`."""
        return square // self.stride

    def ray(self, square: Square, direction: Direction) -> Ray:
        """Return the spaces from `square` to the edge in `direction`."""
        return next(ray for ray in self.rays[square] if ray.direction is direction)

    def __repr__(self) -> str:
        return f"Board({self.size})"

    def __reduce__(self) -> tuple[object, tuple[int]]:
        return board_of, (self.size,)  # each size has one object, also after a copy


@cache
def board_of(size: int) -> Board:
    """Return the board of this size. The same object is returned each time."""
    stride = size + 1
    squares = tuple(Square(row * stride + column) for row in range(size) for column in range(size))
    step = {Direction.NORTH: -stride, Direction.EAST: 1, Direction.SOUTH: stride, Direction.WEST: -1}
    full = _mask(squares)
    return Board(
        size=size,
        stride=stride,
        squares=squares,
        full=full,
        north=_mask(squares[:size]),
        east=_mask(squares[size - 1 :: size]),
        south=_mask(squares[-size:]),
        west=_mask(squares[::size]),
        step=step,
        rays=tuple(
            tuple(_ray(Square(index), direction, by, full) for direction, by in step.items())
            if full >> index & 1
            else ()
            for index in range(size * stride)
        ),
    )


def _mask(squares: tuple[Square, ...]) -> int:
    return sum(1 << square for square in squares)


def _ray(square: Square, direction: Direction, step: int, full: int) -> Ray:
    spaces: list[Square] = []
    index = square + step
    while index >= 0 and full >> index & 1:
        spaces.append(Square(index))
        index += step
    reach = {0: (len(spaces), 0)}
    # From the edge inward: combine each space with every set of blocked spaces behind it. The space is then the nearest
    # blocked one.
    for distance in range(len(spaces) - 1, -1, -1):
        bit = 1 << spaces[distance]
        nearest = (distance, bit)  # the same object for all of them, which saves 1 MiB for 5x5
        reach |= {bit | behind: nearest for behind in reach}
    return Ray(square, direction, tuple(spaces), _mask(tuple(spaces)), reach)
