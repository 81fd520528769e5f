"""What the picture of each spot shows: its number, its lines, what stands there, and the marks of the last turn.

The name of a look contains all of it, so that a picture can be drawn from the name alone. It has only lower-case
letters, digits and hyphens, because it is part of a Content-ID.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from takmail.games.tzaar.board import NAMES, SPOTS, Spot, between
from takmail.games.tzaar.picture.colors import BOARD, LAST
from takmail.games.tzaar.picture.layout import Direction, direction_of, neighbour
from takmail.games.tzaar.pieces import KIND_OF_LETTER, Color, Kind, Stack
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.turns import Move, Placing, Step


class Floor(Enum):
    """What the last turn did on a spot; the value is its letter in names."""

    PLAIN = "p"
    LEFT = "f"  # a stack moved away from here
    REACHED = "t"  # a piece was placed here, or a stack moved here and stayed

    @property
    def color(self) -> str:
        """The colour behind what stands on the spot."""
        return LAST if self is Floor.REACHED else BOARD


@dataclass(frozen=True, slots=True)
class Tile:
    """A spot without its number and height: all that one sprite shows.

    `lines` are the directions in which a line leads to a neighbour, and `marks` those among them along which the last
    turn moved a stack, both in the order of `Direction`.
    """

    lines: tuple[Direction, ...]
    marks: tuple[Direction, ...] = ()
    floor: Floor = Floor.PLAIN
    top: tuple[Color, Kind] | None = None

    @property
    def name(self) -> str:
        """The name of the tile, which `tile_named` reads."""
        lines, marks = ("".join(one.value for one in some) for some in (self.lines, self.marks))
        top = "" if self.top is None else f"{self.top[0].word[0]}{self.top[1].letter}"
        return f"{lines}-{marks}-{self.floor.value}-{top}"


@dataclass(frozen=True, slots=True)
class Look:
    """All that the picture of a spot shows. `height` is 0 for an empty spot."""

    number: int
    tile: Tile
    height: int

    @property
    def name(self) -> str:
        """The name of the picture, which `look_named` reads."""
        return f"spot-{self.number}-{self.tile.name}{self.height if self.height > 1 else ''}"


_LINES = {spot: tuple(way for way in Direction if neighbour(spot, way) is not None) for spot in SPOTS}
_NUMBERS = {spot: int(NAMES[spot][1:]) for spot in SPOTS}
_PLACES = {(_NUMBERS[spot], _LINES[spot]) for spot in SPOTS}
_COLORS = {color.word[0]: color for color in Color}
_SOME = "(a?b?c?d?e?f?)"
_TILE = f"{_SOME}-{_SOME}-([pft])-(?:([wb])([zrt]))?"
_TILE_NAME = re.compile(_TILE)
_NAME = re.compile(rf"spot-([1-8])-({_TILE})((?<=[zrt])(?:[2-9]|[12][0-9]|30))?")


def looks_of(position: Position, last: Move | None) -> dict[Spot, Look]:
    """Return the look of each spot. `last` is the turn that led to the position, or None."""
    marks: dict[Spot, set[Direction]] = {spot: set() for spot in SPOTS}
    touched: set[Spot] = set()
    for way in _ways(last):
        touched |= {way[0], way[-1]}
        for one, other in pairwise(way):
            ahead = direction_of(one, other)
            if ahead is not None:
                marks[one].add(ahead)
                marks[other].add(ahead.opposite)
    return {spot: _look(position, spot, marks[spot], spot in touched) for spot in SPOTS}


def _look(position: Position, spot: Spot, marks: set[Direction], is_touched: bool) -> Look:
    stack = position.at(spot)
    floor = Floor.PLAIN if not is_touched else Floor.LEFT if stack is None else Floor.REACHED
    top = None if stack is None else (stack.color, stack.kind)
    tile = Tile(_LINES[spot], tuple(way for way in Direction if way in marks), floor, top)
    return Look(_NUMBERS[spot], tile, 0 if stack is None else stack.height)


def _ways(last: Move | None) -> Iterator[tuple[Spot, ...]]:
    """Yield the spots over which each action of a turn moved a stack, or the one on which a piece was placed."""
    match last:
        case None:
            return
        case Placing(spot=spot):
            yield (spot,)
        case _:
            for action in last.actions:
                if isinstance(action, Step):
                    yield (action.start, *(between(action.start, action.end) or ()), action.end)


def tile_named(name: str) -> Tile:
    """Return the tile with this name. Raises ValueError if there is none."""
    found = _TILE_NAME.fullmatch(name)
    if found is None:
        raise ValueError(f"no picture of a spot is called {name[:40]!r}")
    lines, marks, floor, color, kind = found.groups()
    tile = Tile(
        tuple(map(Direction, lines)),
        tuple(map(Direction, marks)),
        Floor(floor),
        None if color is None else (_COLORS[color], KIND_OF_LETTER[kind]),
    )
    if not set(tile.marks) <= set(tile.lines):
        raise ValueError(f"no picture of a spot is called {name[:40]!r}")
    return tile


def look_named(name: str) -> Look:
    """Return the look with this name. Raises ValueError if no spot can look so."""
    found = _NAME.fullmatch(name)
    tile = None if found is None else tile_named(found[2])
    if found is None or tile is None or (int(found[1]), tile.lines) not in _PLACES:
        raise ValueError(f"no picture of a spot is called {name[:40]!r}")
    return Look(int(found[1]), tile, 0 if tile.top is None else int(found[8] or 1))


def stack_of(look: Look) -> Stack | None:
    """Return what stands on a spot, or None if the spot is empty."""
    return None if look.tile.top is None else Stack(*look.tile.top, look.height)
