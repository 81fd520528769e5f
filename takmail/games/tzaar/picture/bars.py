"""The two players' bars, with the side to move or the winner, and how many pieces of each kind there are."""

from collections.abc import Iterator
from enum import Enum

from takmail.games.interface import Result
from takmail.games.picture import Align, Placed, Rectangle, Shape, Sprite, Text
from takmail.games.tzaar.picture.colors import BLACK, FACE, LAST, PAPER, WRITING
from takmail.games.tzaar.picture.pieces import piece
from takmail.games.tzaar.pieces import Color, Kind
from takmail.games.tzaar.position import Position

WIDTH, HEIGHT = 880, 80
_RADIUS = 14
_FONT_SIZE = 34
_BASELINE = 52  # the y of the text's baseline in a bar
_GLYPH = (22, 36)
_SPAN = 56  # the width of the tile in whose size the pieces are drawn
_COUNTS = {Kind.TZAAR: 570, Kind.TZARRA: 690, Kind.TOTT: 810}
"""The x of each kind's number; its piece stands before it."""
_LABEL_END = 496


class Standing(Enum):
    """A player's standing; the value is the text after the player's colour."""

    WAITS = ""  # the player waits for the opponent or has lost
    MOVES = "to move"
    WINS = "wins"
    DRAWS = "draws"


def bars(position: Position, result: Result | None, left: int, tops: tuple[int, int]) -> Iterator[Placed]:
    """Yield White's bar in the north and Black's bar in the south, at the x `left` and the y `tops`.

    Their numbers are the stacks with each kind on top. While pieces are being placed, they are those still to place.
    """
    for color, top in zip(Color, tops, strict=True):
        yield Placed(_name(color, _standing(position, color, result), position.is_placing), left, top)
        counts = position.reserve(color) if position.is_placing else position.kinds(color)
        for kind, x in _COUNTS.items():
            for at, digit in enumerate(str(counts[kind])):
                yield Placed(
                    f"count:{color.word}:{digit}", left + x + at * _GLYPH[0], top + (HEIGHT - _GLYPH[1]) // 2
                )


def bar_sprites() -> dict[str, Sprite]:
    """Return every sprite that `bars` may place."""
    return {
        _name(color, standing, is_placing): _bar(color, standing, is_placing)
        for color in Color
        for standing in Standing
        for is_placing in (False, True)
    } | {f"count:{color.word}:{digit}": _digit(color, digit) for color in Color for digit in "0123456789"}


def _standing(position: Position, color: Color, result: Result | None) -> Standing:
    if result is None:
        return Standing.MOVES if position.to_move is color else Standing.WAITS
    if result.winner is None:
        return Standing.DRAWS
    return Standing.WINS if list(Color)[result.winner] is color else Standing.WAITS


def _name(color: Color, standing: Standing, is_placing: bool) -> str:
    return f"bar:{color.word}:{standing.name}{':placing' if is_placing else ''}"


def _digit(color: Color, digit: str) -> Sprite:
    wide, tall = _GLYPH
    baseline = _BASELINE - (HEIGHT - tall) // 2
    return Sprite(wide, tall, FACE[color], (Text(wide / 2, baseline, digit, _FONT_SIZE, WRITING[color]),))


def _bar(color: Color, standing: Standing, is_placing: bool) -> Sprite:
    label = "to place" if is_placing else "on top"
    shapes: list[Shape] = [
        Rectangle(0, 0, WIDTH, HEIGHT, BLACK, _RADIUS),
        Rectangle(3, 3, WIDTH - 6, HEIGHT - 6, FACE[color], _RADIUS - 3),
        *_who(color, standing),
        Text(_LABEL_END, _BASELINE, label, _FONT_SIZE, WRITING[color], Align.RIGHT),
    ]
    for kind, x in _COUNTS.items():
        shapes += piece(color, kind, x - 30, HEIGHT / 2, _SPAN, WRITING[color])
    return Sprite(WIDTH, HEIGHT, PAPER, tuple(shapes))


def _who(color: Color, standing: Standing) -> tuple[Shape, ...]:
    """Return the colour's name. If the player is to move, has won or has drawn, it is on a label that says this."""
    name = color.word.capitalize()
    if standing is Standing.WAITS:
        return (Text(28, _BASELINE, name, _FONT_SIZE, WRITING[color], Align.LEFT),)
    words = f"{name} {standing.value}"
    wide = 24 + 17.6 * len(words)
    return (
        Rectangle(12, 12, wide, HEIGHT - 24, BLACK, 8),
        Rectangle(15, 15, wide - 6, HEIGHT - 30, LAST, 6),
        Text(28, _BASELINE, words, _FONT_SIZE, BLACK, Align.LEFT),
    )
