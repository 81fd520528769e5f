"""Draw the picture of a position."""

from collections.abc import Iterator
from functools import cache

from takmail.games.interface import Result
from takmail.games.picture import Kit, Placed, Scene, Sprite, Text
from takmail.games.tzaar.board import Spot
from takmail.games.tzaar.picture.bars import HEIGHT as BAR_HEIGHT
from takmail.games.tzaar.picture.bars import WIDTH as BAR_WIDTH
from takmail.games.tzaar.picture.bars import bar_sprites, bars
from takmail.games.tzaar.picture.colors import BLACK, MEETING, PAPER, VALUES
from takmail.games.tzaar.picture.layout import HEADINGS, ROWS, SHIFTS, WIDEST
from takmail.games.tzaar.picture.looks import looks_of
from takmail.games.tzaar.picture.tiles import Sprites, TileSize, placed_spot
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.turns import Move

WIDTH = 960
"""The width of every picture."""

SIZE = TileSize(96, 84)
"""The size of a spot's tile. Its neighbours are about equally far in all six directions."""

_EDGE = 12  # the margin around the whole picture
_GAP = 24  # the height between a bar and the board
LEFT = (WIDTH - WIDEST * SIZE.width) // 2
"""The x of the longest row."""

TOP = _EDGE + BAR_HEIGHT + _GAP
"""The y of the northernmost row."""

HEIGHT = TOP + len(ROWS) * SIZE.height + _GAP + BAR_HEIGHT + _EDGE
"""The height of every picture."""

_BAR_LEFT = (WIDTH - BAR_WIDTH) // 2
_BAR_TOPS = (_EDGE, HEIGHT - _EDGE - BAR_HEIGHT)
_LETTER_BOX = (32, 32)  # the box of a row's letter
_LETTER_GAP = 6  # between a row and its letter


def scene_of(position: Position, last: Move | None, result: Result | None) -> Scene:
    """Return the picture of a position. `last` is the turn that led to it, or None.

    `result` is the result of a finished game, or None.
    """
    looks = looks_of(position, last)
    board = (one for spot, (x, y) in CORNERS.items() for one in placed_spot(SIZE, looks[spot], x, y))
    return Scene(kit(), (*bars(position, result, _BAR_LEFT, _BAR_TOPS), *board))


@cache
def kit() -> Kit:
    """Return the kit for all pictures."""
    sprites = Sprites(SIZE)
    sprites.update(bar_sprites())
    wide, tall = _LETTER_BOX
    for letter in HEADINGS:
        sprites[f"letter:{letter}"] = Sprite(wide, tall, PAPER, (Text(wide / 2, 28, letter, 34, BLACK),))
    return Kit(WIDTH, HEIGHT, VALUES, MEETING, PAPER, sprites, tuple(_letters()))


def _corners() -> Iterator[tuple[Spot, tuple[int, int]]]:
    for number, row in enumerate(ROWS):
        for at, spot in enumerate(row):
            if spot is not None:
                x = LEFT + SHIFTS[number] * SIZE.width // 2 + at * SIZE.width
                yield spot, (x, TOP + number * SIZE.height)


CORNERS = dict(_corners())
"""The north-west corner of each spot's tile."""


def _letters() -> Iterator[Placed]:
    """Yield the letters of the rows at both of their ends."""
    wide, tall = _LETTER_BOX
    for number, letter in enumerate(HEADINGS):
        y = TOP + number * SIZE.height + (SIZE.height - tall) // 2
        west = LEFT + SHIFTS[number] * SIZE.width // 2
        for x in (west - wide - _LETTER_GAP, west + len(ROWS[number]) * SIZE.width + _LETTER_GAP):
            yield Placed(f"letter:{letter}", x, y)
