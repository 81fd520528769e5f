"""The small tower at the side of a stack: its pieces from bottom to top, with a line where the carry limit is."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from takmail.games.picture import Placed, Rectangle, Sprite
from takmail.games.tak.picture.colors import FACE, MARK, SHELF
from takmail.games.tak.picture.layout import Layout, even
from takmail.games.tak.pieces import Color, Stack

_LINE = 4  # how high the line is
_LINE_ENDS = 4  # how far it stands out on the side of the piece
_TRIED = ((1, 8), (2, 8), (3, 8), (4, 6), (6, 4))
"""How many columns a tower may have, and how high each of its pieces is then at the least."""


@dataclass(frozen=True, slots=True)
class Tower:
    """A tower in a box of a square: `columns` beside each other of at most `rows` pieces, each piece a `cell`."""

    west: int
    south: int
    columns: int
    rows: int
    cell: tuple[int, int]

    @property
    def name(self) -> str:
        """What names of its sprites end with."""
        return f"{self.cell[0]}x{self.cell[1]}"


def tower_width(layout: Layout) -> int:
    """How wide a tower is at the most."""
    return 12 * max(2, round(layout.tile * 0.26 / 12))


@cache
def tower_of(layout: Layout, height: int) -> Tower:
    """The tower for a stack so high: one column of pieces as high as they may be, or several of lower ones."""
    margin, width = layout.margin, tower_width(layout)
    room = layout.tile - 2 * margin - _LINE
    for columns, lowest in _TRIED:
        rows = -(-height // columns)
        if rows * lowest <= room:
            tall = even(min(room / rows - 1, layout.tile * 0.11)) if columns == 1 else lowest
            break
    wide = width // columns // 2 * 2
    west = layout.tile - margin - columns * wide
    fitting = room // tall if columns > 1 else rows
    return Tower(west, layout.tile - margin, columns, fitting, (wide, max(tall, lowest)))


def towers(layout: Layout, stack: Stack, x: int, y: int) -> Iterator[Placed]:
    """The tower of a stack in the square whose box begins at (x, y)."""
    tower = tower_of(layout, len(stack))
    (wide, tall), name = tower.cell, tower.name
    reach = len(stack) - layout.size  # so many pieces lie too deep to be carried
    for at, piece in enumerate(stack):
        column, row = divmod(at, tower.rows)
        west, south = x + tower.west + column * wide, y + tower.south - row * tall
        if 0 < reach <= at and column == reach // tower.rows:
            south -= _LINE
            if at == reach:
                ends = 0 if column else _LINE_ENDS
                yield Placed(f"limit:{wide + ends}", west - ends, south)
        yield Placed(f"slab:{piece.color.value}:{name}", west, south - tall)


def tower_sprites(layout: Layout, highest: int) -> dict[str, Sprite]:
    """Every sprite that a tower of at most `highest` pieces may need."""
    sprites = {}
    for height in range(2, highest + 1):
        tower = tower_of(layout, height)
        wide = tower.cell[0]
        for color in Color:
            sprites[f"slab:{color.value}:{tower.name}"] = _slab(color, tower.cell)
        for ends in (0, _LINE_ENDS):
            sprites[f"limit:{wide + ends}"] = Sprite(wide + ends, _LINE, MARK, ())
    return sprites


def _slab(color: Color, cell: tuple[int, int]) -> Sprite:
    """A piece seen from its side; the shelf around it keeps it apart from the next one."""
    wide, tall = cell
    gap = 4 if tall >= 10 else 2
    side = 1 if wide <= 8 else 2
    return Sprite(wide, tall, SHELF, (Rectangle(side, gap / 2, wide - 2 * side, tall - gap, FACE[color]),))
