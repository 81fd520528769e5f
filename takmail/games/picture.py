"""A small language of drawings, in which a game says how a position looks without knowing how pictures are made.

A picture is put together from sprites: small opaque pieces of drawing, each with its name, its box and its ground.
Whoever draws it can keep the drawn sprites, as a game's `Kit` is the same object each time. Lengths are in pixels
of the picture at its full size, x counts east and y south from the north-west corner of the box. All colours are
names, for which the kit has the values.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle, its corners rounded by `radius`."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]
    fill: str


@dataclass(frozen=True, slots=True)
class Circle:
    """A filled circle around (x, y)."""

    x: float
    y: float
    radius: float
    fill: str


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line from one point to another."""

    start: tuple[float, float]
    end: tuple[float, float]
    width: float
    fill: str


class Align(Enum):
    """Which part of a text stands at its x."""

    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Text:
    """Bold words in ASCII; `y` is where they stand on, `size` the height of their lines."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    align: Align = Align.MIDDLE


Shape = Rectangle | Polygon | Circle | Line | Text
"""What sprites are made of; a later shape covers an earlier one."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawing in a box of its own that is filled with the colour `ground`."""

    width: int
    height: int
    ground: str
    shapes: tuple[Shape, ...]


class Placed(NamedTuple):
    """A sprite by its name, and where the north-west corner of its box lies.

    Both are even numbers, so that a picture of half the size falls on whole pixels. A NamedTuple, because a board
    takes a hundred of them.
    """

    sprite: str
    x: int
    y: int


@dataclass(frozen=True, slots=True, eq=False)
class Kit:
    """All that pictures of one kind are put together from; compared by identity, so that it is cheap as a key.

    `colors` are values such as `#1f1d1a` by name, and `meeting` the pairs of them that meet most often, whose mixtures
    make edges smooth; together they are 16 at most. `ground` is a colour, and `scenery` what is placed on it in every
    picture.
    """

    width: int
    height: int
    colors: Mapping[str, str]
    meeting: tuple[tuple[str, str], ...]
    ground: str
    sprites: Mapping[str, Sprite]
    scenery: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: what is placed on the kit's scenery, a later sprite over an earlier one."""

    kit: Kit
    placed: tuple[Placed, ...]
