"""Fixtures of the store's tests: a database, and a scene."""

import pytest

from takmail.store.database import Store
from tests.store.scene import Scene


@pytest.fixture
def scene(store: Store) -> Scene:
    """Ada and Ben, stored in a database."""
    return Scene(store)
