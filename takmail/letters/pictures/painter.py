"""Compose pictures from sprites, each of which is drawn once and kept, and write animations as GIF."""

import struct
from collections.abc import Iterable, Sequence
from io import BytesIO

from PIL import GifImagePlugin, Image, ImageChops

from takmail.games.picture import Kit, Placed, Scene
from takmail.letters.pictures.raster import Palette, drawn

_BITS = 4  # bits per pixel, enough for the 16 colours of a palette
_HALF = 0.5  # the scale of animations; letters show all pictures at half size

_UNCHANGED = 255
_STEP = 900  # milliseconds for which each image is shown, except the last one
_LAST = 5000  # milliseconds for which the last image is shown before the animation restarts


class Painter:
    """Draws scenes and keeps all drawn sprites, so that a process needs only one painter."""

    def __init__(self) -> None:
        self._kit_painters: dict[tuple[Kit, float], _KitPainter] = {}

    def png(self, scene: Scene) -> bytes:
        """Draw a scene as PNG with a palette."""
        painter = self._kit_painter(scene.kit, 1)
        image = painter.put_together(scene)
        image.putpalette(painter.palette.flat)
        stream = BytesIO()
        image.save(stream, "PNG", bits=_BITS, compress_level=9)
        return stream.getvalue()

    def gif(self, scenes: Sequence[Scene]) -> bytes:
        """Draw scenes of one kit as an endless animated GIF of half their size.

        Raises ValueError if there is no scene, or if the scenes have different kits.
        """
        kits = {scene.kit for scene in scenes}
        if len(kits) != 1:
            raise ValueError("an animation is of scenes of one kit")
        painter = self._kit_painter(kits.pop(), _HALF)
        return gif(map(painter.put_together, scenes), painter.palette.flat)

    def _kit_painter(self, kit: Kit, scale: float) -> "_KitPainter":
        found = self._kit_painters.get((kit, scale))
        if found is None:
            found = self._kit_painters[kit, scale] = _KitPainter(kit, scale)
        return found


class _KitPainter:
    """The sprites of one kit in one size."""

    def __init__(self, kit: Kit, scale: float) -> None:
        self.palette = Palette(kit.colors, kit.junction_colors)
        self._kit = kit
        self._scale = scale
        self._sprites: dict[str, Image.Image] = {}
        size = (round(kit.width * scale), round(kit.height * scale))
        self._scenery = Image.new("P", size, self.palette.index(kit.ground))
        self._paste(self._scenery, kit.scenery)

    def put_together(self, scene: Scene) -> Image.Image:
        """Draw the scene as an image whose values are indexes into the palette (mode P)."""
        image = self._scenery.copy()
        self._paste(image, scene.placed)
        return image

    def _paste(self, image: Image.Image, placed: Sequence[Placed]) -> None:
        scale = self._scale
        for name, x, y in placed:
            sprite = self._sprites.get(name)
            if sprite is None:
                sprite = drawn(self._kit.sprites[name], self.palette, scale)
                self._sprites[name] = sprite
            image.paste(sprite, (int(x * scale), int(y * scale)))


def gif(images: Iterable[Image.Image], palette: bytes) -> bytes:
    """Encode images of one size in mode P with three-byte colours of `palette`, at most 255 of them.

    The first image is stored as a whole, and each later one as its difference from the image before. Only these two are
    held: all images of a game would take more memory than anything else.
    """
    frames = (Image.frombytes("L", image.size, image.tobytes()) for image in images)  # the values are indexes
    before = next(frames)
    parts = [_head(before.size, palette)]
    part, corner = before, (0, 0)
    for frame in frames:
        parts += _frame(part, corner, goes_on=True)
        part, corner = _difference(before, frame)
        before = frame
    parts += _frame(part, corner, goes_on=False)
    return b"".join((*parts, b";"))


def _head(size: tuple[int, int], palette: bytes) -> bytes:
    """Return the header with the size, the palette and the endless loop (GIF89a specification, 17-19)."""
    screen = struct.pack("<HHBBB", *size, 0b1111_0111, 0, 0)
    again = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    return b"GIF89a" + screen + palette.ljust(3 * 256, b"\0") + again


def _difference(before: Image.Image, frame: Image.Image) -> tuple[Image.Image, tuple[int, int]]:
    """Return the part of a frame that differs from the one before, at least one pixel, and its upper left corner."""
    differing = ImageChops.difference(before, frame)
    box = differing.getbbox() or (0, 0, 1, 1)
    mask = differing.crop(box).point([0] + [255] * 255)
    part = Image.new("L", mask.size, _UNCHANGED)
    part.paste(frame.crop(box), mask=mask)
    return part, box[:2]


def _frame(part: Image.Image, corner: tuple[int, int], goes_on: bool) -> list[bytes]:
    return GifImagePlugin.getdata(
        part, corner, duration=_STEP if goes_on else _LAST, transparency=_UNCHANGED, disposal=1
    )
