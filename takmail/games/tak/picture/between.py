"""Draw the connections between neighbouring squares: the last move and a road."""

from enum import Enum

from takmail.games.picture import Placed, Polygon, Sprite
from takmail.games.tak.board import Direction
from takmail.games.tak.picture.colors import MARK, PAPER, ROAD
from takmail.games.tak.picture.layout import LEFT, TOP, Layout, even


class Connection(Enum):
    """What connects two neighbouring squares: a move, a road, or both."""

    MOVE = "move"
    ROAD = "road"
    MOVE_ON_ROAD = "move-on-road"


def between(layout: Layout, way: Connection, direction: Direction, column: int, row: int) -> Placed:
    """Place a connection from the square in `column` and `row`, counted from the north-west, to its neighbour.

    `direction` is the direction of that neighbour.
    """
    tile, gap = layout.tile, layout.gap
    middle = even((tile - layout.bridge) / 2)
    x, y = LEFT + layout.start(column), TOP + layout.start(row)
    name = f"{way.value}:{direction.value}"
    match direction:
        case Direction.NORTH:
            return Placed(name, x + middle, y - gap)
        case Direction.EAST:
            return Placed(name, x + tile, y + middle)
        case Direction.SOUTH:
            return Placed(name, x + middle, y + tile)
        case Direction.WEST:
            return Placed(name, x - gap, y + middle)


def between_sprites(layout: Layout) -> dict[str, Sprite]:
    """Return every sprite that `between` may place."""
    return {
        f"{way.value}:{direction.value}": _sprite(layout, way, direction)
        for way in Connection
        for direction in Direction
    }


def _sprite(layout: Layout, way: Connection, direction: Direction) -> Sprite:
    is_upright = direction in (Direction.NORTH, Direction.SOUTH)
    wide, tall = (layout.bridge, layout.gap) if is_upright else (layout.gap, layout.bridge)
    ground = PAPER if way is Connection.MOVE else ROAD
    arrow = () if way is Connection.ROAD else (_arrow(direction, wide, tall, layout.gap),)
    return Sprite(wide, tall, ground, arrow)


def _arrow(direction: Direction, wide: int, tall: int, gap: int) -> Polygon:
    """Return a triangle that points in the direction and is as long as the gap between squares."""
    half = min(gap * 1.1, max(wide, tall) / 2)
    ahead, behind = gap / 2 - 1, 1 - gap / 2
    corners = ((ahead, 0.0), (behind, half), (behind, -half))
    east_and_south = {
        Direction.EAST: ((1, 0), (0, 1)),
        Direction.SOUTH: ((0, 1), (1, 0)),
        Direction.WEST: ((-1, 0), (0, 1)),
        Direction.NORTH: ((0, -1), (1, 0)),
    }
    forward, aside = east_and_south[direction]
    return Polygon(
        tuple(
            (wide / 2 + f * forward[0] + a * aside[0], tall / 2 + f * forward[1] + a * aside[1])
            for f, a in corners
        ),
        MARK,
    )
