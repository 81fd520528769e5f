"""What tests of the store share: a database, and a play whose events are stored and loaded again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from takmail.store.database import Store
from tests.store.scene import Scene
from tests.support import databases


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A database of the test's own."""
    opened = databases.opened(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def scene(store: Store) -> Scene:
    """Ada and Ben, in a database."""
    return Scene(store)
