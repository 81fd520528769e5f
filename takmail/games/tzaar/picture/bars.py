"""The two players' bars, with the side to move or the winner, and how many pieces of each kind there are."""

from collections.abc import Iterator

from takmail.games.bars import BASELINE, FONT_SIZE, BarWord, bar_word, who
from takmail.games.interface import Result, Seat
from takmail.games.picture import Align, Placed, Rectangle, Shape, Sprite, Text
from takmail.games.tzaar.picture.colors import BLACK, FACE, LAST, PAPER, WRITING
from takmail.games.tzaar.picture.pieces import piece
from takmail.games.tzaar.pieces import Color, Kind
from takmail.games.tzaar.position import Position

WIDTH, HEIGHT = 880, 80
_RADIUS = 14
_GLYPH = (22, 36)
_SPAN = 56  # the width of the tile in whose size the pieces are drawn
_COUNTS = {Kind.TZAAR: 570, Kind.TZARRA: 690, Kind.TOTT: 810}
"""The x of each kind's number; its piece stands before it."""
_LABEL_END = 496


def bars(position: Position, result: Result | None, left: int, tops: tuple[int, int]) -> Iterator[Placed]:
    """Yield White's bar in the north and Black's bar in the south, at the x `left` and the y `tops`.

    Their numbers are the stacks with each kind on top. While pieces are being placed, they are those still to place.
    """
    for seat, color, top in zip(Seat, Color, tops, strict=True):
        word = bar_word(seat, result, is_to_move=position.to_move is color)
        yield Placed(_name(color, word, position.is_placing), left, top)
        counts = position.reserve(color) if position.is_placing else position.kinds(color)
        for kind, x in _COUNTS.items():
            for at, digit in enumerate(str(counts[kind])):
                yield Placed(
                    f"count:{color.word}:{digit}", left + x + at * _GLYPH[0], top + (HEIGHT - _GLYPH[1]) // 2
                )


def bar_sprites() -> dict[str, Sprite]:
    """Return every sprite that `bars` may place."""
    return {
        _name(color, word, is_placing): _bar(color, word, is_placing)
        for color in Color
        for word in BarWord
        for is_placing in (False, True)
    } | {f"count:{color.word}:{digit}": _digit(color, digit) for color in Color for digit in "0123456789"}


def _name(color: Color, word: BarWord, is_placing: bool) -> str:
    return f"bar:{color.word}:{word.name}{':placing' if is_placing else ''}"


def _digit(color: Color, digit: str) -> Sprite:
    wide, tall = _GLYPH
    baseline = BASELINE - (HEIGHT - tall) // 2
    return Sprite(wide, tall, FACE[color], (Text(wide / 2, baseline, digit, FONT_SIZE, WRITING[color]),))


def _bar(color: Color, word: BarWord, is_placing: bool) -> Sprite:
    label = "to place" if is_placing else "on top"
    shapes: list[Shape] = [
        Rectangle(0, 0, WIDTH, HEIGHT, BLACK, _RADIUS),
        Rectangle(3, 3, WIDTH - 6, HEIGHT - 6, FACE[color], _RADIUS - 3),
        *who(color.word, word, HEIGHT, WRITING[color], (BLACK, LAST)),
        Text(_LABEL_END, BASELINE, label, FONT_SIZE, WRITING[color], Align.RIGHT),
    ]
    for kind, x in _COUNTS.items():
        shapes += piece(color, kind, x - 30, HEIGHT / 2, _SPAN, WRITING[color])
    return Sprite(WIDTH, HEIGHT, PAPER, tuple(shapes))
