"""Draw a spot with its lines and its piece as one sprite, and its number and the height of its stack as others."""

from collections.abc import Iterator
from dataclasses import dataclass

from takmail.games.picture import Circle, Line, Placed, Rectangle, Shape, Sprite, Text
from takmail.games.tzaar.picture.colors import BLACK, BOARD, FACE, LAST, LINE, MARK, WRITING
from takmail.games.tzaar.picture.layout import Direction, even
from takmail.games.tzaar.picture.looks import Floor, Look, Tile, tile_named
from takmail.games.tzaar.picture.pieces import piece
from takmail.games.tzaar.pieces import Color

_NUMBERS = range(1, 9)
_OVERLAP = 1.06  # a line goes on beyond the edge of its tile, so that it has no notch there


@dataclass(frozen=True, slots=True)
class TileSize:
    """The size of a tile in pixels. Tiles stand side by side in a row, half a tile further in the next."""

    width: int
    height: int

    @property
    def span(self) -> int:
        """The length by which pieces, lines and numbers are sized."""
        return min(self.width, self.height)

    def on_line(self, way: Direction, part: float) -> tuple[float, float]:
        """Return a point on the line to a neighbour; at part 0 it is the middle of the tile, at part 1 its edge."""
        east, south = way.to_neighbour
        return (
            self.width / 2 + part * east * self.width / 4,
            self.height / 2 + part * south * self.height / 2,
        )


class Sprites(dict[str, Sprite]):
    """The sprites of tiles of one size. A tile is described when it is first asked for, as there are thousands."""

    def __init__(self, size: TileSize) -> None:
        super().__init__(_signs(size))
        self._size = size

    def __missing__(self, name: str) -> Sprite:
        """Describe the tile with this name. Raises KeyError if there is none."""
        try:
            sprite = self[name] = _sprite(self._size, tile_named(name))
        except ValueError:
            raise KeyError(name) from None
        return sprite


def placed_spot(size: TileSize, look: Look, x: int, y: int) -> Iterator[Placed]:
    """Yield the sprites of a spot whose tile has its north-west corner at (x, y)."""
    yield Placed(look.tile.name, x, y)
    inset = _inset(size)
    yield Placed(f"number:{look.number}:{look.tile.floor.color}", x + inset, y + inset)
    if look.tile.top is not None and look.height > 1:
        digits, (wide, tall) = str(look.height), _digit_size(size)
        west = x + even((size.width - wide * len(digits)) / 2)
        for at, digit in enumerate(digits):
            yield Placed(
                f"height:{look.tile.top[0].word}:{digit}",
                west + at * wide,
                y + even((size.height - tall) / 2),
            )


def _sprite(size: TileSize, tile: Tile) -> Sprite:
    return Sprite(size.width, size.height, tile.floor.color, tuple(_shapes(size, tile)))


def _shapes(size: TileSize, tile: Tile) -> Iterator[Shape]:
    x, y, span = size.width / 2, size.height / 2, size.span
    if tile.floor is Floor.REACHED:
        rim = max(3, span * 0.05)
        yield Rectangle(0, 0, size.width, size.height, MARK)
        yield Rectangle(rim, rim, size.width - 2 * rim, size.height - 2 * rim, LAST)
    for ways, width, color in ((tile.lines, 0.035, LINE), (tile.marks, 0.11, MARK)):
        for way in ways:
            # Both halves of a line are drawn the same way, as rounding would shift one against the other.
            start, end = sorted(((x, y), size.on_line(way, _OVERLAP)))
            yield Line(start, end, max(2, span * width), color)
    if tile.floor is Floor.LEFT:
        yield Circle(x, y, span * 0.22, MARK)
        yield Circle(x, y, span * 0.13, BOARD)
    elif tile.marks:
        yield Circle(x, y, span * 0.055, MARK)
    elif tile.top is None:
        yield Circle(x, y, span * 0.08, LINE)
    if tile.top is not None:
        yield from piece(*tile.top, x, y, span)


def _signs(size: TileSize) -> dict[str, Sprite]:
    """Return the numbers of spots and the digits of heights."""
    wide, tall = _number_size(size)
    numbers = {
        f"number:{number}:{floor}": Sprite(
            wide, tall, floor, (Text(wide / 2, tall - 1, str(number), tall * 1.25, BLACK),)
        )
        for number in _NUMBERS
        for floor in (BOARD, LAST)
    }
    digit_wide, digit_tall = _digit_size(size)
    return numbers | {
        f"height:{color.word}:{digit}": Sprite(
            digit_wide,
            digit_tall,
            FACE[color],
            (Text(digit_wide / 2, digit_tall - 1, digit, digit_tall * 1.32, WRITING[color]),),
        )
        for color in Color
        for digit in "0123456789"
    }


def _inset(size: TileSize) -> int:
    """Return the distance of a spot's number from the corner of its tile, within the frame of the last turn."""
    return even(size.span * 0.06)


def _number_size(size: TileSize) -> tuple[int, int]:
    return even(size.span * 0.17), even(size.span * 0.23)


def _digit_size(size: TileSize) -> tuple[int, int]:
    return even(size.span * 0.24), even(size.span * 0.34)
