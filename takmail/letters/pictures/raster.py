"""Draw sprites with Pillow. They are drawn larger and then reduced, for smooth edges."""

from functools import cache
from typing import assert_never

from PIL import Image, ImageDraw, ImageFont

from takmail.games.picture import Align, Circle, Line, Polygon, Rectangle, Shape, Sprite, Text
from takmail.letters.pictures.palette import Palette

_SMOOTH = 4  # factor by which a sprite is drawn larger in each direction
_BOLD = 0.028  # stroke width relative to the text size, as Pillow's built-in font has one weight only
_ANCHORS = {Align.LEFT: "ls", Align.MIDDLE: "ms", Align.RIGHT: "rs"}


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
