"""Fixtures of the store's tests: a database, and a random play whose events are stored and loaded again."""

import pytest

from takmail.store.database import Store
from tests.store.scene import Scene


@pytest.fixture
def scene(store: Store) -> Scene:
    """Ada and Ben, stored in a database."""
    return Scene(store)
