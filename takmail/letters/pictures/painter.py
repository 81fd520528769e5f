"""Pictures put together from sprites that are drawn once."""

from collections.abc import Sequence

from PIL import Image

from takmail.games.picture import Kit, Placed, Scene
from takmail.letters.pictures.gif import gif
from takmail.letters.pictures.palette import Palette
from takmail.letters.pictures.png import png
from takmail.letters.pictures.raster import drawn

_HALF = 0.5  # of the full size: what an animation is drawn in, as letters show pictures so


class Painter:
    """Draws scenes; one in a process is enough, as it keeps each sprite that it has drawn."""

    def __init__(self) -> None:
        self._desks: dict[tuple[Kit, float], _Desk] = {}

    def png(self, scene: Scene) -> bytes:
        """A scene as PNG with a palette."""
        desk = self._desk(scene.kit, 1)
        return png(desk.put_together(scene), desk.palette.flat)

    def gif(self, scenes: Sequence[Scene]) -> bytes:
        """Scenes of one kit, one after the other and again from the first, in half their size as animated GIF.

        Raises ValueError if there is none, or if they aren't of one kit.
        """
        kits = {scene.kit for scene in scenes}
        if len(kits) != 1:
            raise ValueError("an animation is of scenes of one kit")
        desk = self._desk(kits.pop(), _HALF)
        return gif([desk.put_together(scene) for scene in scenes], desk.palette.flat)

    def _desk(self, kit: Kit, scale: float) -> "_Desk":
        found = self._desks.get((kit, scale))
        if found is None:
            found = self._desks[kit, scale] = _Desk(kit, scale)
        return found


class _Desk:
    """What has been drawn of one kit in one size."""

    def __init__(self, kit: Kit, scale: float) -> None:
        self.palette = Palette(kit.colors, kit.meeting)
        self._kit = kit
        self._scale = scale
        self._sprites: dict[str, Image.Image] = {}
        size = (round(kit.width * scale), round(kit.height * scale))
        self._scenery = Image.new("P", size, self.palette.index(kit.ground))
        self._paste(self._scenery, kit.scenery)

    def put_together(self, scene: Scene) -> Image.Image:
        """The whole scene as a image with the palette's indexes (mode P)."""
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
