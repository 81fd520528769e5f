"""A picture that is in the letters to both players is drawn only once."""

from collections.abc import Sequence

import pytest

from takmail.games.picture import Scene
from takmail.games.tak.game import TakGame
from takmail.letters.pictures.painter import Painter
from takmail.letters.pictures.picture_cache import KEPT, PictureCache

START = TakGame().start("4")
SCENES = [START.play(f"ps {letter}{number}").picture() for letter in "abcd" for number in range(1, 5)]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Record each drawing, by its kind and the number of its first scene."""
    found: list[tuple[str, int]] = []

    def png(_: Painter, scene: Scene) -> bytes:
        found.append(("png", SCENES.index(scene)))
        return f"png {SCENES.index(scene)}".encode()

    def gif(_: Painter, scenes: Sequence[Scene]) -> bytes:
        found.append(("gif", SCENES.index(scenes[0])))
        return f"gif {SCENES.index(scenes[0])}".encode()

    monkeypatch.setattr(Painter, "png", png)
    monkeypatch.setattr(Painter, "gif", gif)
    return found


def test_the_same_is_drawn_once(drawn: list[tuple[str, int]]) -> None:
    picture_cache = PictureCache()
    same = START.play("ps a1").picture()
    assert [picture_cache.png(one) for one in (SCENES[0], same, SCENES[1], same)] == [
        b"png 0",
        b"png 0",
        b"png 1",
        b"png 0",
    ]
    assert drawn == [("png", 0), ("png", 1)]


def test_an_animation_is_another_picture_than_its_last_board(drawn: list[tuple[str, int]]) -> None:
    picture_cache = PictureCache()
    assert [
        picture_cache.png(SCENES[0]),
        picture_cache.gif(SCENES[:1]),
        picture_cache.gif(list(SCENES[:1])),
    ] == [
        b"png 0",
        b"gif 0",
        b"gif 0",
    ]
    assert drawn == [("png", 0), ("gif", 0)]


def test_of_many_pictures_the_last_ones_are_kept(drawn: list[tuple[str, int]]) -> None:
    picture_cache = PictureCache()
    for scene in SCENES[: KEPT + 2]:
        picture_cache.png(scene)
        picture_cache.png(SCENES[1])
    assert drawn.count(("png", 1)) == 1
    drawn.clear()
    assert picture_cache.png(SCENES[1]) == b"png 1"
    assert drawn == []
    for number in (0, 2):
        assert picture_cache.png(SCENES[number]) == f"png {number}".encode()
    assert drawn == [("png", 0), ("png", 2)]
