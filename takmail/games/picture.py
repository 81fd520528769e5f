"""A small drawing language, in which a game describes a position without knowing how pictures are encoded.

A picture consists of sprites: small opaque drawings, each with a name, a box and a background. A renderer can
cache drawn sprites, because a game returns the same `Kit` object every time. Lengths are in pixels of the full-size
picture. x counts to the east and y to the south, from the north-west corner of the box. Colours are names, and the
kit has their values.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle with corners rounded by `radius`."""

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
    """The part of a text that is placed at its `x`."""

    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Text:
    """Bold ASCII text; `y` is the y of its baseline, and `size` is the height of a line."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    align: Align = Align.MIDDLE


Shape = Rectangle | Polygon | Circle | Line | Text
"""The shapes that a sprite can contain. A later shape covers an earlier one."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A drawing in a box that is filled with the colour `ground`."""

    width: int
    height: int
    ground: str
    shapes: tuple[Shape, ...]


class Placed(NamedTuple):
    """A placed sprite: its name, and the north-west corner of its box.

    Both coordinates are even, so that a picture of half the size uses whole pixels. This is a NamedTuple for
    speed, because a board has about a hundred of them.
    """

    sprite: str
    x: int
    y: int


@dataclass(frozen=True, slots=True, eq=False)
class Kit:
    """Everything that pictures of one kind have in common. Kits compare by identity, which makes them cheap keys.

    `colors` maps names to values such as `#1f1d1a`. `junction_colors` are the pairs of colours that meet most
    often, and mixtures of each pair smooth the edges. Colours and pairs are at most 16 together. `ground` is the
    background colour, and every picture contains the sprites of `scenery`.
    """

    width: int
    height: int
    colors: Mapping[str, str]
    junction_colors: tuple[tuple[str, str], ...]
    ground: str
    sprites: Mapping[str, Sprite]
    scenery: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: sprites placed over the kit's scenery. A later sprite covers an earlier one."""

    kit: Kit
    placed: tuple[Placed, ...]
