"""A cache of pictures for a whole test process, so that each is drawn once."""

from collections.abc import Callable

from takmail.games.picture import Scene
from takmail.letters.pictures.picture_cache import PictureCache


class AllPictures(PictureCache):
    """A cache that evicts no picture."""

    def _get(self, kind: str, scenes: tuple[Scene, ...], draw: Callable[[], bytes]) -> bytes:
        if (kind, scenes) not in self._cache:
            self._cache[kind, scenes] = draw()
        return self._cache[kind, scenes]


PICTURES = AllPictures()
