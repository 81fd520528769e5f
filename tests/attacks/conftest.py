"""Provide the scene with which every attack begins, as fixtures."""

import pytest

from takmail.store.database import Store
from tests.attacks.scene import Scene
from tests.support.harness import Harness
from tests.support.memory_harness import WITHOUT_PLUS, MemoryHarness


@pytest.fixture
def scene() -> Scene:
    """Return the scene at a provider with plus addresses."""
    return Scene(MemoryHarness())


@pytest.fixture
def plain_scene() -> Scene:
    """Return the scene at a provider without plus addresses, where the Subject contains the token."""
    return Scene(MemoryHarness(services=WITHOUT_PLUS))


@pytest.fixture
def stored_scene(store: Store) -> Scene:
    """Return the scene with a worker."""
    return Scene(Harness(store))
