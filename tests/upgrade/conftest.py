"""The old database, opened by the takmail of today."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from takmail.store.database import Store
from tests.support.old_database import upgraded
from tests.support.scenes import Scene
from tests.upgrade.old import Upgraded


@pytest.fixture(scope="session")
def begun_again(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """The service on a copy of it, which has handled the mails that waited."""
    file = tmp_path_factory.mktemp("upgrade") / "takmail.sqlite"
    shutil.copy(upgraded(), file)
    store = Store.open(f"sqlite:///{file}")
    harness = Upgraded(store)
    harness.begin_again()
    store.close()
    return harness.scene()


@pytest.fixture
def old(begun_again: Scene, tmp_path: Path) -> Iterator[Upgraded]:
    """The same once more, for one test."""
    store = Store.open(f"sqlite:///{tmp_path / 'takmail.sqlite'}")
    harness = Upgraded(store)
    harness.restore(begun_again)
    yield harness
    store.close()
