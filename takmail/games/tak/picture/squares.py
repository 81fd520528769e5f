"""Draw squares with their top pieces, each as one sprite, and the numbers for the heights of stacks."""

from enum import Enum

from takmail.games.picture import Placed, Rectangle, Shape, Sprite, Text
from takmail.games.tak.picture.colors import BLACK, LAST, MARK, ROAD, SQUARE
from takmail.games.tak.picture.layout import Layout, even
from takmail.games.tak.picture.stones import stone
from takmail.games.tak.picture.tower import tower_width
from takmail.games.tak.pieces import Piece, Stack

_BORDER = 6  # the width of the border around a square of the last move


class Floor(Enum):
    """The background of a square: its colour, and whether the border of the last move is around it."""

    PLAIN = (SQUARE, False)
    FROM = (SQUARE, True)
    TO = (LAST, True)
    ON_ROAD = (ROAD, False)
    LAST_ON_ROAD = (ROAD, True)

    color: str
    is_ringed: bool

    def __init__(self, color: str, is_ringed: bool) -> None:
        self.color = color
        self.is_ringed = is_ringed


def square(layout: Layout, floor: Floor, stack: Stack, x: int, y: int) -> tuple[Placed, ...]:
    """Return the sprites of a square at (x, y): the top of its stack, and the stack's height as a number.

    The tower beside a stack is not among them.
    """
    if not stack:
        return (Placed(_name(floor, None, False), x, y),)
    is_tall = len(stack) > 1
    placed = Placed(_name(floor, stack[-1], is_tall), x, y)
    return (placed, *_number(layout, floor, len(stack), x, y)) if is_tall else (placed,)


def square_sprites(layout: Layout) -> dict[str, Sprite]:
    """Return every sprite that `square` may place."""
    sprites = {}
    for floor in Floor:
        for piece in (None, *Piece):
            for is_tall in (False, True) if piece else (False,):
                shapes = (*_floor(layout, floor), *_top(layout, piece, is_tall))
                sprites[_name(floor, piece, is_tall)] = Sprite(
                    layout.tile, layout.tile, layout.ground, shapes
                )
        for digit in "0123456789":
            sprites[f"height:{floor.color}:{digit}"] = _digit(layout, floor, digit)
    return sprites


def empty_square(x: int, y: int) -> Placed:
    """Return an empty square without highlighting."""
    return Placed(_name(Floor.PLAIN, None, False), x, y)


def _name(floor: Floor, piece: Piece | None, is_tall: bool) -> str:
    top = "empty" if piece is None else f"{piece.color.value}-{piece.kind.value}"
    return f"square:{floor.name}:{top}:{'tall' if is_tall else 'low'}"


def _floor(layout: Layout, floor: Floor) -> tuple[Shape, ...]:
    start, radius = layout.inset, layout.tile * 0.07
    width = layout.tile - 2 * start
    if not floor.is_ringed:
        return (Rectangle(start, start, width, width, floor.color, radius),)
    inner = width - 2 * _BORDER
    return (
        Rectangle(start, start, width, width, MARK, radius),
        Rectangle(start + _BORDER, start + _BORDER, inner, inner, floor.color, max(0, radius - _BORDER)),
    )


def _top(layout: Layout, piece: Piece | None, is_tall: bool) -> tuple[Shape, ...]:
    if piece is None:
        return ()
    if not is_tall:
        return stone(piece, layout.tile / 2, layout.tile / 2, even(layout.tile * 0.64))
    span = even(min(_width_beside_tower(layout), _height_above_number(layout)) * 0.94)
    middle = layout.margin + _width_beside_tower(layout) / 2
    return stone(piece, middle, middle, span)


def _width_beside_tower(layout: Layout) -> int:
    """Return the width, in the west of a square, that its tower leaves free."""
    return layout.tile - 2 * layout.margin - tower_width(layout) - max(6, even(layout.tile * 0.05))


def _height_above_number(layout: Layout) -> int:
    """Return the height, in the north of a square, that the number leaves free."""
    return layout.tile - 2 * layout.margin - _digit_size(layout)[1]


def _digit_size(layout: Layout) -> tuple[int, int]:
    return even(layout.tile * 0.18), even(layout.tile * 0.24)


def _number(layout: Layout, floor: Floor, height: int, x: int, y: int) -> tuple[Placed, ...]:
    digits = str(height)
    wide, tall = _digit_size(layout)
    west = x + layout.margin + even((_width_beside_tower(layout) - wide * len(digits)) / 2)
    north = y + layout.tile - layout.margin - tall
    return tuple(
        Placed(f"height:{floor.color}:{digit}", west + at * wide, north) for at, digit in enumerate(digits)
    )


def _digit(layout: Layout, floor: Floor, digit: str) -> Sprite:
    wide, tall = _digit_size(layout)
    return Sprite(wide, tall, floor.color, (Text(wide / 2, tall - 2, digit, tall * 1.12, BLACK),))
