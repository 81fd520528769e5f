"""Draw the picture of a position."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from takmail.games.interface import Result
from takmail.games.picture import Kit, Placed, Scene, Sprite, Text
from takmail.games.tak.board import Board, Direction, Square
from takmail.games.tak.moves import Move, squares_of
from takmail.games.tak.picture.bars import bar_sprites, bars
from takmail.games.tak.picture.between import Connection, between, between_sprites
from takmail.games.tak.picture.colors import BLACK, MEETING, PAPER, VALUES
from takmail.games.tak.picture.layout import HEIGHT, LEFT, SPAN, TOP, WIDTH, Layout, even, layout_of
from takmail.games.tak.picture.road_shapes import winning_road
from takmail.games.tak.picture.squares import Floor, empty_square, square, square_sprites
from takmail.games.tak.picture.tower import tower_sprites, towers
from takmail.games.tak.pieces import COLUMNS, full_reserve
from takmail.games.tak.position import Position

_LABEL_BOX = (28, 32)  # the box of a letter or a number beside the board


def scene_of(position: Position, last: Move | None, result: Result | None) -> Scene:
    """Return the picture of a position. `last` is the move that led to it, or None.

    `result` is the result of a finished game, or None.
    """
    return Scene(kit_of(position.size), (*bars(position, result), *_board(position, last)))


@cache
def kit_of(size: int) -> Kit:
    """Return the kit for pictures of a board of this size."""
    layout = layout_of(size)
    most = full_reserve(size)
    sprites = {
        **square_sprites(layout),
        **between_sprites(layout),
        **tower_sprites(layout, 2 * most.stones + 1),
        **bar_sprites(size),
        **_sign_sprites(size),
    }
    return Kit(WIDTH, HEIGHT, VALUES, MEETING, PAPER, sprites, (*_signs(layout), *_empty_board(layout)))


def _board(position: Position, last: Move | None) -> Iterator[Placed]:
    board, layout = position.board, layout_of(position.size)
    road = winning_road(position)
    way = () if last is None else squares_of(board, last)
    floors = _floors(way, road)
    for at in board.squares:
        stack, floor = position.stacks[at], floors.get(at, Floor.PLAIN)
        if stack or floor is not Floor.PLAIN:
            x, y = LEFT + layout.start(board.column(at)), TOP + layout.start(board.row(at))
            yield from square(layout, floor, stack, x, y)
            if len(stack) > 1:
                yield from towers(layout, stack, x, y)
    for (start, direction), what in _ways(board, way, road).items():
        yield between(layout, what, direction, board.column(start), board.row(start))


def _floors(way: tuple[Square, ...], road: tuple[Square, ...]) -> Mapping[Square, Floor]:
    """Return the highlighted squares, each with its background. A placement has no origin."""
    floors = dict.fromkeys(way, Floor.TO)
    if len(way) > 1:
        floors[way[0]] = Floor.FROM
    return floors | {at: Floor.LAST_ON_ROAD if at in floors else Floor.ON_ROAD for at in road}


def _ways(
    board: Board, way: tuple[Square, ...], road: tuple[Square, ...]
) -> Mapping[tuple[Square, Direction], Connection]:
    """Return the connections by start and direction. A road has no direction of its own and follows that of a move."""
    moved = dict.fromkeys(pairwise(way), Connection.MOVE)
    for start, end in pairwise(road):
        if (end, start) in moved:
            start, end = end, start
        moved[start, end] = Connection.MOVE_ON_ROAD if (start, end) in moved else Connection.ROAD
    directions = {step: direction for direction, step in board.step.items()}
    return {(start, directions[end - start]): what for (start, end), what in moved.items()}


def _empty_board(layout: Layout) -> Iterator[Placed]:
    for row in range(layout.size):
        for column in range(layout.size):
            yield empty_square(LEFT + layout.start(column), TOP + layout.start(row))


def _signs(layout: Layout) -> Iterator[Placed]:
    """Yield the letters of the columns and the numbers of the rows on both sides of the board.

    A1 is in the north-west corner.
    """
    wide, tall = _LABEL_BOX
    for index in range(layout.size):
        along = layout.start(index) + even(layout.tile / 2)
        for y in (TOP - 40, TOP + SPAN + 40 - tall):
            yield Placed(f"sign:{'ABCDEFGH'[index]}", LEFT + along - wide // 2, y)
        for x in (6, WIDTH - 6 - wide):
            yield Placed(f"sign:{index + 1}", x, TOP + along - tall // 2)


def _sign_sprites(size: int) -> dict[str, Sprite]:
    wide, tall = _LABEL_BOX
    return {
        f"sign:{sign}": Sprite(wide, tall, PAPER, (Text(wide / 2, 28, sign, 34, BLACK),))
        for index in range(size)
        for sign in (COLUMNS[index].upper(), str(index + 1))
    }
