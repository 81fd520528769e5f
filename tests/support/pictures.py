"""Pictures that were drawn before in the same process: whatever they are of, they are drawn once."""

from collections.abc import Callable

from takmail.games.picture import Scene
from takmail.letters.pictures.picture_cache import PictureCache


class AllPictures(PictureCache):
    """Lets no picture go."""

    def _found(self, kind: str, scenes: tuple[Scene, ...], draw: Callable[[], bytes]) -> bytes:
        if (kind, scenes) not in self._kept:
            self._kept[kind, scenes] = draw()
        return self._kept[kind, scenes]


PICTURES = AllPictures()
