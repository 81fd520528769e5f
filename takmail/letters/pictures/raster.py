"""Draw sprites with Pillow, larger and then reduced, for smooth edges.

A palette has the named colours, and mixtures of two of them for these edges.
"""

from collections.abc import Mapping, Sequence, Set
from functools import cache
from typing import assert_never

from PIL import Image, ImageDraw, ImageFont

from takmail.games.picture import Align, Circle, Line, Polygon, Rectangle, Shape, Sprite, Text

_SMOOTH = 4  # factor by which a sprite is drawn larger in each direction
_BOLD = 0.028  # stroke width relative to the text size, as Pillow's built-in font has one weight only
_ANCHORS = {Align.LEFT: "ls", Align.MIDDLE: "ms", Align.RIGHT: "rs"}

ROOM = 16
"""The maximum number of colours in a palette. Two pixels then share a byte, which halves the work of compression."""
Rgb = tuple[int, int, int]


class Palette:
    """The colours of a kit by index: the named ones, and then an even mixture of each pair of colours that meets."""

    def __init__(self, named: Mapping[str, str], meeting: Sequence[tuple[str, str]]) -> None:
        """Take colours such as `#1f1d1a` by name, and the pairs of names that meet.

        Raises ValueError if there are more than `ROOM` colours with the mixtures.
        """
        self.values: Mapping[str, Rgb] = {name: rgb(value) for name, value in named.items()}
        named_alone = {frozenset((name,)): color for name, color in self.values.items()}
        halves = {
            frozenset((one, other)): half(self.values[one], self.values[other]) for one, other in meeting
        }
        self._made_of = {**named_alone, **halves}
        self.colors: tuple[Rgb, ...] = tuple(self._made_of.values())
        if len(self.colors) > ROOM:
            raise ValueError(f"a picture has at most {ROOM} colours")

    @property
    def flat(self) -> bytes:
        """The colours as bytes, three for each colour."""
        return bytes(value for color in self.colors for value in color)

    def index(self, name: str) -> int:
        """Return the index of a named colour."""
        return self.colors.index(self.values[name])

    def indexed(self, image: Image.Image, names: Set[str]) -> Image.Image:
        """Convert an RGB image to this palette (mode P). `names` are the named colours that the image uses.

        Each pixel gets the nearest of these colours and of their mixtures. The other colours are excluded, because a
        pixel between two colours could match the mixture of two others.
        """
        made = [at for at, names_of in enumerate(self._made_of) if names_of <= names]
        few = Image.new("P", (1, 1))
        few.putpalette(bytes(value for at in made for value in self.colors[at]))
        found = image.quantize(palette=few, dither=Image.Dither.NONE)
        return found.point([*made, *[0] * (256 - len(made))])


def rgb(value: str) -> Rgb:
    """Return the three bytes of a colour such as `#1f1d1a`."""
    red, green, blue = bytes.fromhex(value.removeprefix("#"))
    return red, green, blue


def half(one: Rgb, other: Rgb) -> Rgb:
    """Return the even mixture of two colours."""
    red, green, blue = ((a + b) // 2 for a, b in zip(one, other, strict=True))
    return red, green, blue


def drawn(sprite: Sprite, palette: Palette, scale: float) -> Image.Image:
    """Draw a sprite at `scale` times its size. The image's values are indexes into the palette (mode P)."""
    large = sketch(sprite, palette, scale * _SMOOTH)
    names = {sprite.ground, *(shape.fill for shape in sprite.shapes)}
    return palette.indexed(large.reduce(_SMOOTH), names)


def sketch(sprite: Sprite, palette: Palette, scale: float) -> Image.Image:
    """Draw a sprite in RGB at `scale` times its size, without smooth edges."""
    size = (round(sprite.width * scale), round(sprite.height * scale))
    image = Image.new("RGB", size, palette.values[sprite.ground])
    pencil = ImageDraw.Draw(image)
    for shape in sprite.shapes:
        _draw(pencil, shape, palette.values[shape.fill], scale)
    return image


def _draw(pencil: ImageDraw.ImageDraw, shape: Shape, color: tuple[int, int, int], scale: float) -> None:
    match shape:
        case Rectangle(x=x, y=y, width=width, height=height, radius=radius):
            box = (x * scale, y * scale, (x + width) * scale - 1, (y + height) * scale - 1)
            pencil.rounded_rectangle(box, radius * scale, color)
        case Polygon(points=points):
            pencil.polygon([(x * scale, y * scale) for x, y in points], color)
        case Circle(x=x, y=y, radius=radius):
            pencil.circle((x * scale, y * scale), radius * scale, color)
        case Line(start=start, end=end, width=width):
            ends = [(x * scale, y * scale) for x, y in (start, end)]
            pencil.line(ends, color, round(width * scale))
        case Text(x=x, y=y, text=text, size=size, align=align):
            font, bold = _font(size * scale), size * scale * _BOLD
            pencil.text((x * scale, y * scale), text, color, font, _ANCHORS[align], stroke_width=bold)
        case _:
            assert_never(shape)


def width_of(text: Text) -> float:
    """Return the width of a text, in the units of its sprite."""
    return _font(text.size).getlength(text.text)


@cache
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return Pillow's built-in font (Aileron), so that no font has to be installed."""
    return ImageFont.load_default(size)
