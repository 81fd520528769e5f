"""Pictures that were drawn a moment ago: both players of a game see the same, each in a letter of their own."""

from collections.abc import Callable, Sequence

from takmail.games.picture import Scene
from takmail.letters.pictures.painter import Painter

KEPT = 8
"""How many pictures are kept, the last ones asked for; a letter shows a few."""


class PictureCache:
    """Gives pictures of scenes, and draws only those that it hasn't kept."""

    def __init__(self) -> None:
        self._painter = Painter()
        self._kept: dict[tuple[str, tuple[Scene, ...]], bytes] = {}

    def png(self, scene: Scene) -> bytes:
        """As `Painter.png`."""
        return self._found("png", (scene,), lambda: self._painter.png(scene))

    def gif(self, scenes: Sequence[Scene]) -> bytes:
        """As `Painter.gif`."""
        return self._found("gif", tuple(scenes), lambda: self._painter.gif(scenes))

    def _found(self, kind: str, scenes: tuple[Scene, ...], draw: Callable[[], bytes]) -> bytes:
        kept = self._kept.pop((kind, scenes), None)
        picture = self._kept[kind, scenes] = draw() if kept is None else kept
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return picture
