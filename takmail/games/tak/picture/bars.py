"""The two players' bars, with the side to move or the winner, the flats on top, komi, and the reserves."""

from collections.abc import Iterator

from takmail.games.bars import BASELINE, FONT_SIZE, BarWord, bar_word, who
from takmail.games.interface import Result, Seat
from takmail.games.picture import Align, Placed, Rectangle, Shape, Sprite, Text
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.picture.colors import BLACK, FACE, LAST, PAPER, WRITING
from takmail.games.tak.picture.layout import BAR_HEIGHT, BAR_LEFT, BAR_TOPS, BAR_WIDTH
from takmail.games.tak.picture.stones import stone
from takmail.games.tak.pieces import Color, Kind, full_reserve
from takmail.games.tak.position import Position, pieces_of

_GLYPH = (22, 36)
_POINT_WIDTH = 12  # the width of a decimal point
_RADIUS = 14

FLATS = 376
KOMI = 530
STONES = 738
CAPSTONES = 840
"""`FLATS`, `KOMI`, `STONES` and `CAPSTONES` are the x of these numbers in a bar."""


def bars(position: Position, result: Result | None) -> Iterator[Placed]:
    """Yield White's bar in the north and Black's bar in the south, with their numbers."""
    for seat, color, top in zip(Seat, Color, BAR_TOPS, strict=True):
        has_komi = color is Color.BLACK and position.half_komi > 0
        word = bar_word(seat, result, is_to_move=position.to_move is color)
        yield Placed(_name(color, word, has_komi), BAR_LEFT, top)
        reserve = position.reserve(color)
        yield from _number(color, top, FLATS, str(position.flats(color)))
        yield from _number(color, top, STONES, str(reserve.stones))
        if full_reserve(position.size).capstones:
            yield from _number(color, top, CAPSTONES, str(reserve.capstones))
        if has_komi:
            yield from _number(color, top, KOMI, write_komi(position.half_komi))


def bar_sprites(size: int) -> dict[str, Sprite]:
    """Return every sprite that `bars` may place on a board of this size."""
    sprites = {
        _name(color, word, has_komi): _bar(color, word, has_komi, full_reserve(size).capstones > 0)
        for color in Color
        for word in BarWord
        for has_komi in ((False, True) if color is Color.BLACK else (False,))
    }
    return sprites | {
        f"count:{color.value}:{glyph}": _glyph(color, glyph) for color in Color for glyph in "0123456789."
    }


def _name(color: Color, word: BarWord, has_komi: bool) -> str:
    return f"bar:{color.value}:{word.name}{':komi' if has_komi else ''}"


def _number(color: Color, top: int, x: int, text: str) -> Iterator[Placed]:
    north = top + (BAR_HEIGHT - _GLYPH[1]) // 2
    west = BAR_LEFT + x
    for glyph in text:
        yield Placed(f"count:{color.value}:{glyph}", west, north)
        west += _POINT_WIDTH if glyph == "." else _GLYPH[0]


def _glyph(color: Color, glyph: str) -> Sprite:
    wide, tall = _POINT_WIDTH if glyph == "." else _GLYPH[0], _GLYPH[1]
    baseline = BASELINE - (BAR_HEIGHT - tall) // 2
    shapes = (Text(wide / 2, baseline, glyph, FONT_SIZE, WRITING[color]),)
    return Sprite(wide, tall, FACE[color], shapes)


def _bar(color: Color, word: BarWord, has_komi: bool, has_capstones: bool) -> Sprite:
    ink, pieces = WRITING[color], pieces_of(color)
    shapes: list[Shape] = [
        Rectangle(0, 0, BAR_WIDTH, BAR_HEIGHT, BLACK, _RADIUS),
        Rectangle(3, 3, BAR_WIDTH - 6, BAR_HEIGHT - 6, FACE[color], _RADIUS - 3),
        *who(color.value, word, BAR_HEIGHT, WRITING[color], (BLACK, LAST)),
        _label(FLATS, "flats", ink),
        _label(STONES - 44, "left", ink),
        *stone(pieces[Kind.FLAT], STONES - 26, BAR_HEIGHT / 2, 32, ink),
    ]
    if has_capstones:
        shapes += stone(pieces[Kind.CAPSTONE], CAPSTONES - 26, BAR_HEIGHT / 2, 32, ink)
    if has_komi:
        shapes.append(_label(KOMI, "komi", ink))
    return Sprite(BAR_WIDTH, BAR_HEIGHT, PAPER, tuple(shapes))


def _label(end: float, text: str, ink: str) -> Text:
    return Text(end - 12, BASELINE, text, FONT_SIZE, ink, Align.RIGHT)
