"""The two players' bars, with the side to move or the winner, the flats on top, komi, and the reserves."""

from collections.abc import Iterator
from enum import Enum

from takmail.games.interface import Result
from takmail.games.picture import Align, Placed, Rectangle, Shape, Sprite, Text
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.picture.colors import BLACK, FACE, LAST, PAPER, WRITING
from takmail.games.tak.picture.layout import BAR_HEIGHT, BAR_LEFT, BAR_TOPS, BAR_WIDTH
from takmail.games.tak.picture.stones import stone
from takmail.games.tak.pieces import Color, Kind, full_reserve
from takmail.games.tak.position import Position, pieces_of

_FONT_SIZE = 34  # the size of the letters
_BASELINE = 52  # the y of the text's baseline in a bar
_GLYPH = (22, 36)
_POINT_WIDTH = 12  # the width of a decimal point
_RADIUS = 14

FLATS = 376
KOMI = 530
STONES = 738
CAPSTONES = 840
"""`FLATS`, `KOMI`, `STONES` and `CAPSTONES` are the x of these numbers in a bar."""


class Standing(Enum):
    """A player's standing; the value is the text after the player's colour."""

    WAITS = ""  # the player waits for the opponent or has lost
    MOVES = "to move"
    WINS = "wins"
    DRAWS = "draws"


def bars(position: Position, result: Result | None) -> Iterator[Placed]:
    """Yield White's bar in the north and Black's bar in the south, with their numbers."""
    for color, top in zip(Color, BAR_TOPS, strict=True):
        has_komi = color is Color.BLACK and position.half_komi > 0
        yield Placed(_name(color, _standing(position, color, result), has_komi), BAR_LEFT, top)
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
        _name(color, standing, has_komi): _bar(color, standing, has_komi, full_reserve(size).capstones > 0)
        for color in Color
        for standing in Standing
        for has_komi in ((False, True) if color is Color.BLACK else (False,))
    }
    return sprites | {
        f"count:{color.value}:{glyph}": _glyph(color, glyph) for color in Color for glyph in "0123456789."
    }


def _standing(position: Position, color: Color, result: Result | None) -> Standing:
    if result is None:
        return Standing.MOVES if position.to_move is color else Standing.WAITS
    if result.winner is None:
        return Standing.DRAWS
    return Standing.WINS if list(Color)[result.winner] is color else Standing.WAITS


def _name(color: Color, standing: Standing, has_komi: bool) -> str:
    return f"bar:{color.value}:{standing.name}{':komi' if has_komi else ''}"


def _number(color: Color, top: int, x: int, text: str) -> Iterator[Placed]:
    north = top + (BAR_HEIGHT - _GLYPH[1]) // 2
    west = BAR_LEFT + x
    for glyph in text:
        yield Placed(f"count:{color.value}:{glyph}", west, north)
        west += _POINT_WIDTH if glyph == "." else _GLYPH[0]


def _glyph(color: Color, glyph: str) -> Sprite:
    wide, tall = _POINT_WIDTH if glyph == "." else _GLYPH[0], _GLYPH[1]
    baseline = _BASELINE - (BAR_HEIGHT - tall) // 2
    shapes = (Text(wide / 2, baseline, glyph, _FONT_SIZE, WRITING[color]),)
    return Sprite(wide, tall, FACE[color], shapes)


def _bar(color: Color, standing: Standing, has_komi: bool, has_capstones: bool) -> Sprite:
    ink, pieces = WRITING[color], pieces_of(color)
    shapes: list[Shape] = [
        Rectangle(0, 0, BAR_WIDTH, BAR_HEIGHT, BLACK, _RADIUS),
        Rectangle(3, 3, BAR_WIDTH - 6, BAR_HEIGHT - 6, FACE[color], _RADIUS - 3),
        *_who(color, standing),
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
    return Text(end - 12, _BASELINE, text, _FONT_SIZE, ink, Align.RIGHT)


def _who(color: Color, standing: Standing) -> tuple[Shape, ...]:
    """Return the colour's name. If the player is to move, has won or has drawn, it is on a label that says this."""
    name = color.value.capitalize()
    if standing is Standing.WAITS:
        return (Text(28, _BASELINE, name, _FONT_SIZE, WRITING[color], Align.LEFT),)
    words = f"{name} {standing.value}"
    wide = 24 + 17.6 * len(words)
    return (
        Rectangle(12, 12, wide, BAR_HEIGHT - 24, BLACK, 8),
        Rectangle(15, 15, wide - 6, BAR_HEIGHT - 30, LAST, 6),
        Text(28, _BASELINE, words, _FONT_SIZE, BLACK, Align.LEFT),
    )
