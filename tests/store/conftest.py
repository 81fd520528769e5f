"""What tests of the store share: a database, and a play whose events are stored and loaded again."""

import pytest

from takmail.store.database import Store
from tests.store.scene import Scene


@pytest.fixture
def scene(store: Store) -> Scene:
    """Ada and Ben, in a database."""
    return Scene(store)
