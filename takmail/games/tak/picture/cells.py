"""Draw single squares, which letters put together to a board, and the small pictures of the two sides.

The name of a picture contains all that it shows, so that it can be drawn from the name alone. It has only lower-case
letters, digits and hyphens, because it is part of a Content-ID.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from takmail.games.grid import Cell, Grid, GridRow
from takmail.games.picture import Kit, Placed, Polygon, Rectangle, Scene, Sprite
from takmail.games.tak.board import Board, Direction, Square
from takmail.games.tak.moves import Move, squares_of
from takmail.games.tak.notation import mail, rs
from takmail.games.tak.picture.colors import BLACK, FACE, LAST, MARK, ROAD, SHELF, SQUARE, VALUES, WHITE
from takmail.games.tak.picture.layout import Layout, even
from takmail.games.tak.picture.road_shapes import winning_road
from takmail.games.tak.picture.squares import Floor, square, square_sprites
from takmail.games.tak.picture.tower import tower_sprites, towers
from takmail.games.tak.pieces import COLUMNS, Color, Piece, Stack, full_reserve
from takmail.games.tak.position import Position

_WIDTHS = {3: 104, 4: 80, 5: 64, 6: 52, 7: 45, 8: 40}
"""The width of a cell in CSS pixels by the size of the board. A board is 312 to 320 wide."""
_SCALE = 2  # picture pixels for each CSS pixel, for the sharp screens of phones
_SIDE_WIDTH = 18  # the width of a side's picture in CSS pixels
_MIN_LEAD = 8  # the minimum depth of an arrow, in picture pixels
_MAX_CACHED = 4_000  # the maximum number of cells in the cache; most of a board are empty or have one piece
_INSET = 1  # half the width of the line between two squares, in picture pixels

_MEETING = (
    (SHELF, SQUARE),
    (SHELF, LAST),
    (SQUARE, BLACK),
    (WHITE, BLACK),
    (LAST, BLACK),
    (ROAD, BLACK),
    (LAST, MARK),
    (SQUARE, MARK),
)

_FLOORS = {"p": Floor.PLAIN, "f": Floor.FROM, "t": Floor.TO, "r": Floor.ON_ROAD, "b": Floor.LAST_ON_ROAD}
_FLOOR_LETTERS = {floor: letter for letter, floor in _FLOORS.items()}
_DIRECTIONS = {direction.value[0]: direction for direction in Direction}
# Not the letters of the board, because some programs change the case of Content-IDs.
_PIECES = {
    "s": Piece.WHITE_FLAT,
    "w": Piece.WHITE_WALL,
    "c": Piece.WHITE_CAPSTONE,
    "t": Piece.BLACK_FLAT,
    "x": Piece.BLACK_WALL,
    "d": Piece.BLACK_CAPSTONE,
}
_PIECE_LETTERS = {piece: letter for letter, piece in _PIECES.items()}
_NAME = re.compile(r"([3-8])-([pftrb])-([nesw]?)-([nesw]{0,4})-([swctxd]{0,110})")
_SIDES = {f"side-{color.value}": color for color in Color}


@dataclass(frozen=True, slots=True)
class _Look:
    """All that the picture of a square shows.

    `leads` is the direction in which the last move went on from the square, or None. `joins` are the directions of
    the neighbours on a winning road.
    """

    size: int
    floor: Floor
    leads: Direction | None
    joins: tuple[Direction, ...]
    stack: Stack

    def __str__(self) -> str:
        leads = "" if self.leads is None else self.leads.value[0]
        joins = "".join(sorted(direction.value[0] for direction in self.joins))
        stack = "".join(_PIECE_LETTERS[piece] for piece in self.stack)
        return f"{self.size}-{_FLOOR_LETTERS[self.floor]}-{leads}-{joins}-{stack}"


def grid_of(position: Position, last: Move | None, marked: Iterable[Square] = ()) -> Grid:
    """Return a position as a grid of cells. `last` is the move that led to it, or None.

    The squares `marked` are highlighted like that of a placement.
    """
    board, size, stacks = position.board, position.size, position.stacks
    looks = {
        **{at: _Look(size, Floor.TO, None, (), stacks[at]) for at in marked},
        **_looks(position, () if last is None else squares_of(board, last), winning_road(position)),
    }
    rows = tuple(
        GridRow(
            str(row + 1),
            tuple(
                _cell(board, at, looks[at]) if at in looks else _plain_cell(board, at, stacks[at])
                for at in (board.square(column, row) for column in range(size))
            ),
        )
        for row in range(size)
    )
    white, black = _SIDES
    return Grid(
        tuple(COLUMNS[:size].upper()), rows, (white, black), _WIDTHS[size], _SIDE_WIDTH, VALUES[SQUARE]
    )


def cell_scene(name: str) -> Scene:
    """Draw a cell, or the picture of a side, by its name. Raises ValueError for a name that can't be drawn."""
    if name in _SIDES:
        return Scene(_side_kit(_SIDES[name]), ())
    found = _NAME.fullmatch(name)
    if found is None or len(found[5]) > _most_pieces(int(found[1])):
        raise ValueError(f"no picture of a square is called {name[:40]!r}")
    size, floor, leads, joins, stack = found.groups()
    look = _Look(
        int(size),
        _FLOORS[floor],
        _DIRECTIONS.get(leads),
        tuple(_DIRECTIONS[one] for one in joins),
        tuple(_PIECES[one] for one in stack),
    )
    return Scene(_kit(look.size), tuple(_placed(look)))


def _most_pieces(size: int) -> int:
    """Return the height of the highest possible stack: all flats, and a capstone on top."""
    return 2 * full_reserve(size).stones + 1


def _looks(position: Position, way: tuple[Square, ...], road: tuple[Square, ...]) -> Mapping[Square, _Look]:
    """Return the looks of the highlighted squares."""
    board = position.board
    directions = {step: direction for direction, step in board.step.items()}
    leads = {start: directions[end - start] for start, end in pairwise(way)}
    joins: dict[Square, list[Direction]] = {at: [] for at in road}
    for one, other in pairwise(road):
        joins[one].append(directions[other - one])
        joins[other].append(directions[one - other])
    floors = dict.fromkeys(way, Floor.TO)
    if len(way) > 1:
        floors[way[0]] = Floor.FROM
    floors |= {at: Floor.LAST_ON_ROAD if at in floors else Floor.ON_ROAD for at in road}
    return {
        at: _Look(position.size, floor, leads.get(at), tuple(joins.get(at, ())), position.stacks[at])
        for at, floor in floors.items()
    }


def _cell(board: Board, at: Square, look: _Look) -> Cell:
    content = rs.spot(look.stack) if look.stack else ""
    return Cell(mail.square_name(board, at), content, str(look), VALUES[look.floor.color])


@lru_cache(_MAX_CACHED)
def _plain_cell(board: Board, at: Square, stack: Stack) -> Cell:
    return _cell(board, at, _Look(board.size, Floor.PLAIN, None, (), stack))


def _layout(size: int) -> Layout:
    return Layout(size, _SCALE * _WIDTHS[size], 0, SHELF, _INSET)


@cache
def _kit(size: int) -> Kit:
    layout = _layout(size)
    sprites = {
        **square_sprites(layout),
        **tower_sprites(layout, _most_pieces(size)),
        **{f"lead:{direction.value}": _lead(layout, direction) for direction in Direction},
        **{f"join:{direction.value}": _join(layout, direction) for direction in Direction},
    }
    return Kit(layout.tile, layout.tile, VALUES, _MEETING, SHELF, sprites, ())


@cache
def _side_kit(color: Color) -> Kit:
    width = _SCALE * _SIDE_WIDTH
    piece = Sprite(width, width, SHELF, (Rectangle(4, 4, width - 8, width - 8, FACE[color]),))
    return Kit(width, width, VALUES, _MEETING, SHELF, {"piece": piece}, (Placed("piece", 0, 0),))


def _placed(look: _Look) -> Iterator[Placed]:
    layout = _layout(look.size)
    yield from square(layout, look.floor, look.stack, 0, 0)
    if len(look.stack) > 1:
        yield from towers(layout, look.stack, 0, 0)
    for direction in look.joins:
        yield Placed(f"join:{direction.value}", *_at_edge(layout, direction, _join(layout, direction)))
    if look.leads is not None:
        yield Placed(f"lead:{look.leads.value}", *_at_edge(layout, look.leads, _lead(layout, look.leads)))


def _at_edge(layout: Layout, direction: Direction, sprite: Sprite) -> tuple[int, int]:
    """Return where a sprite stands in the middle of an edge of the square."""
    far, middle = layout.tile, layout.tile // 2
    x, y = even(middle - sprite.width / 2), even(middle - sprite.height / 2)
    return {
        Direction.NORTH: (x, 0),
        Direction.EAST: (far - sprite.width, y),
        Direction.SOUTH: (x, far - sprite.height),
        Direction.WEST: (0, y),
    }[direction]


def _join(layout: Layout, direction: Direction) -> Sprite:
    """Return the dark bar with which a road goes on to the neighbouring square. An arrow leaves its ends visible."""
    return Sprite(*_box(layout, direction, 0.42, even(layout.tile * 0.07)), BLACK, ())


def _lead(layout: Layout, direction: Direction) -> Sprite:
    """Return the arrow with which a move goes on to the neighbouring square.

    It stays in the margin of the square, so that it covers no number and no tower.
    """
    wide, tall = _box(layout, direction, 0.3, max(_MIN_LEAD, layout.margin))
    corners = {
        Direction.NORTH: ((wide / 2, 1), (wide - 3, tall - 1), (3, tall - 1)),
        Direction.EAST: ((wide - 1, tall / 2), (1, tall - 3), (1, 3)),
        Direction.SOUTH: ((wide / 2, tall - 1), (3, 1), (wide - 3, 1)),
        Direction.WEST: ((1, tall / 2), (wide - 1, 3), (wide - 1, tall - 3)),
    }[direction]
    return Sprite(wide, tall, MARK, (Polygon(corners, LAST),))


def _box(layout: Layout, direction: Direction, along: float, deep: int) -> tuple[int, int]:
    """Return the size of a box at an edge, with its length along the edge as a part of the square's width."""
    long = even(layout.tile * along)
    return (long, deep) if direction in (Direction.NORTH, Direction.SOUTH) else (deep, long)
