"""Compose pictures from sprites. Each sprite is drawn once and kept."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from takmail.games.picture import Kit, Placed, Scene
from takmail.letters.pictures.gif import gif
from takmail.letters.pictures.palette import Palette
from takmail.letters.pictures.raster import drawn

_BITS = 4  # bits per pixel, enough for the 16 colours of a palette
_HALF = 0.5  # the scale of animations; letters show all pictures at half size


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
        return gif([painter.put_together(scene) for scene in scenes], painter.palette.flat)

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
