"""Cache recently drawn pictures, because the letters to both players of a game contain the same ones."""

from collections.abc import Callable, Sequence

from takmail.games.picture import Scene
from takmail.letters.pictures.painter import Painter

KEPT = 8
"""The maximum number of cached pictures. The least recently used one is dropped. A letter shows a few pictures."""


class PictureCache:
    """Returns pictures of scenes, and draws only those that are not cached."""

    def __init__(self) -> None:
        self._painter = Painter()
        self._cache: dict[tuple[str, tuple[Scene, ...]], bytes] = {}

    def png(self, scene: Scene) -> bytes:
        """Return the result of `Painter.png`, cached if possible."""
        return self._get("png", (scene,), lambda: self._painter.png(scene))

    def gif(self, scenes: Sequence[Scene]) -> bytes:
        """Return the result of `Painter.gif`, cached if possible."""
        return self._get("gif", tuple(scenes), lambda: self._painter.gif(scenes))

    def _get(self, kind: str, scenes: tuple[Scene, ...], draw: Callable[[], bytes]) -> bytes:
        kept = self._cache.pop((kind, scenes), None)
        picture = self._cache[kind, scenes] = draw() if kept is None else kept
        if len(self._cache) > KEPT:
            del self._cache[next(iter(self._cache))]
        return picture
