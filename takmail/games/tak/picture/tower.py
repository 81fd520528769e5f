"""Draw the small tower beside a stack, with its pieces from bottom to top and a line at the carry limit."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from takmail.games.picture import Placed, Rectangle, Sprite
from takmail.games.tak.picture.colors import FACE, MARK, SHELF
from takmail.games.tak.picture.layout import Layout, even
from takmail.games.tak.pieces import Color, Stack

_LINE_HEIGHT = 4  # the height of the line at the carry limit
_LINE_OVERHANG = 4  # the length by which the line extends beyond the piece
_MIN_WIDTH = 4  # the minimum width of a piece
_COLUMNS_AND_MIN_HEIGHTS = ((1, 8), (2, 8), (3, 8), (3, 6), (4, 6), (4, 4), (6, 4), (7, 4))
"""The possible numbers of columns of a tower, each with the minimum height of its pieces."""


@dataclass(frozen=True, slots=True)
class Tower:
    """The geometry of a tower in its square, from the corner (`west`, `south`).

    Each column has `rows` pieces, and each piece is `wide` by `tall`.
    """

    west: int
    south: int
    rows: int
    wide: int
    tall: int

    def slab(self, color: Color) -> str:
        """Return the name of the sprite for one piece of this colour."""
        return f"slab:{color.value}:{self.wide}x{self.tall}"


def tower_width(layout: Layout) -> int:
    """Return the maximum width of a tower."""
    return 12 * max(2, round(layout.tile * 0.26 / 12))


@cache
def tower_of(layout: Layout, height: int) -> Tower:
    """Return the tower for a stack of this height, with as few columns and as tall pieces as possible."""
    margin = layout.margin
    room = layout.tile - 2 * margin - _LINE_HEIGHT
    columns, low = next(
        (columns, low) for columns, low in _COLUMNS_AND_MIN_HEIGHTS if -(-height // columns) * low <= room
    )
    rows = -(-height // columns)
    tall = max(low, even(min(room / rows - 1, layout.tile * 0.11)))
    wide = max(_MIN_WIDTH, tower_width(layout) // columns // 2 * 2)
    return Tower(layout.tile - margin - columns * wide, layout.tile - margin, rows, wide, tall)


def towers(layout: Layout, stack: Stack, x: int, y: int) -> Iterator[Placed]:
    """Yield the tower of a stack in the square at (x, y)."""
    tower = tower_of(layout, len(stack))
    wide, tall = tower.wide, tower.tall
    reach = len(stack) - layout.size  # the number of pieces that lie too deep to be carried
    for at, piece in enumerate(stack):
        column, row = divmod(at, tower.rows)
        west, south = x + tower.west + column * wide, y + tower.south - row * tall
        if 0 < reach <= at and column == reach // tower.rows:
            south -= _LINE_HEIGHT
            if at == reach:
                ends = 0 if column else _LINE_OVERHANG
                yield Placed(f"limit:{wide + ends}", west - ends, south)
        yield Placed(tower.slab(piece.color), west, south - tall)


def tower_sprites(layout: Layout, highest: int) -> dict[str, Sprite]:
    """Return every sprite that a tower of at most `highest` pieces may need."""
    sprites = {}
    for height in range(2, highest + 1):
        tower = tower_of(layout, height)
        for color in Color:
            sprites[tower.slab(color)] = _slab(color, tower.wide, tower.tall)
        for wide in (tower.wide, tower.wide + _LINE_OVERHANG):
            sprites[f"limit:{wide}"] = Sprite(wide, _LINE_HEIGHT, MARK, ())
    return sprites


def _slab(color: Color, wide: int, tall: int) -> Sprite:
    """Return a piece seen from the side. The shelf around it separates it from the next piece."""
    gap = 4 if tall >= 10 else 2
    side = 1 if wide <= 8 else 2
    return Sprite(wide, tall, SHELF, (Rectangle(side, gap / 2, wide - 2 * side, tall - gap, FACE[color]),))
