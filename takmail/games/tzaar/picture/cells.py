"""Draw single spots, which letters put together to a board, and the small pictures of the two sides."""

from functools import cache, lru_cache

from takmail.games.grid import Cell, Grid, GridRow
from takmail.games.picture import Circle, Kit, Placed, Scene, Sprite
from takmail.games.tzaar.board import NAMES, Spot
from takmail.games.tzaar.picture.colors import BLACK, BOARD, FACE, MEETING, VALUES
from takmail.games.tzaar.picture.layout import HEADINGS, ROWS, SHIFTS
from takmail.games.tzaar.picture.looks import Look, look_named, looks_of, stack_of
from takmail.games.tzaar.picture.tiles import Sprites, TileSize, placed_spot
from takmail.games.tzaar.pieces import Color
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.turns import Move

_WIDTH = 36
"""The width of a cell in CSS pixels. The longest row has nine, and a phone room for 336 pixels."""
_SCALE = 2  # picture pixels for each CSS pixel, for the sharp screens of phones
_SIDE_WIDTH = 18  # the width of a side's picture in CSS pixels
_SIZE = TileSize(_SCALE * _WIDTH, _SCALE * _WIDTH)
_SIDES = {f"tzaar-{color.word}": color for color in Color}
_MAX_CACHED = 4_000  # the maximum number of cells in the cache; most of a board are those of the board before


def grid_of(position: Position, last: Move | None) -> Grid:
    """Return a position as a grid of cells. `last` is the turn that led to it, or None."""
    looks = looks_of(position, last)
    rows = tuple(
        GridRow(heading, tuple(None if spot is None else _cell(spot, looks[spot]) for spot in row), shift)
        for heading, row, shift in zip(HEADINGS, ROWS, SHIFTS, strict=True)
    )
    white, black = _SIDES
    return Grid((), rows, (white, black), _WIDTH, _SIDE_WIDTH)


def cell_scene(name: str) -> Scene:
    """Draw a cell, or the picture of a side, by its name. Raises ValueError for a name that can't be drawn."""
    if name in _SIDES:
        return Scene(_side_kit(_SIDES[name]), ())
    return Scene(_kit(), tuple(placed_spot(_SIZE, look_named(name), 0, 0)))


@lru_cache(_MAX_CACHED)
def _cell(spot: Spot, look: Look) -> Cell:
    stack = stack_of(look)
    return Cell(NAMES[spot], "" if stack is None else str(stack), look.name, VALUES[look.tile.floor.color])


@cache
def _kit() -> Kit:
    return Kit(_SIZE.width, _SIZE.height, VALUES, MEETING, BOARD, Sprites(_SIZE), ())


@cache
def _side_kit(color: Color) -> Kit:
    width = _SCALE * _SIDE_WIDTH
    shapes = (Circle(width / 2, width / 2, 15, BLACK), Circle(width / 2, width / 2, 12, FACE[color]))
    side = {"side": Sprite(width, width, BOARD, shapes)}
    return Kit(width, width, VALUES, MEETING, BOARD, side, (Placed("side", 0, 0),))
