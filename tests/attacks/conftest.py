"""The scene that every attack begins with: it is played once, and each attack gets a copy of its database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from takmail.store.database import Store
from tests.attacks.scene import Scene
from tests.support import databases

Drawn = tuple[Path, Scene]


def draw(folder: Path, delimiter: str) -> Drawn:
    """Play the scene once; gives the folder of its database, and what is remembered of it."""
    store = databases.opened(folder, "drawn")
    scene = Scene(store, delimiter)
    store.close()
    return folder, scene


def copy(drawn: Drawn, folder: Path) -> Iterator[Scene]:
    """The scene once more, in a database of its own."""
    home, scene = drawn
    store = Store.open(databases.copied(home, "drawn", folder, "copy"))
    yield Scene(store, scene.harness.delimiter, scene)
    store.close()


@pytest.fixture(scope="session")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    return draw(tmp_path_factory.mktemp("scene"), "+")


@pytest.fixture(scope="session")
def plain_drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    return draw(tmp_path_factory.mktemp("plain_scene"), "")


@pytest.fixture
def scene(drawn: Drawn, tmp_path: Path) -> Iterator[Scene]:
    """Ada's games, at a provider with plus addresses."""
    yield from copy(drawn, tmp_path)


@pytest.fixture
def plain_scene(plain_drawn: Drawn, tmp_path: Path) -> Iterator[Scene]:
    """The same at a provider without them: the token stands in the Subject."""
    yield from copy(plain_drawn, tmp_path)
