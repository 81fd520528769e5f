"""Fixtures: the scene that every attack begins with."""

import pytest

from takmail.store.database import Store
from tests.attacks.scene import Scene, SceneInMemory, StoredScene
from tests.support.harness import Harness
from tests.support.memory_harness import WITHOUT_PLUS, MemoryHarness


@pytest.fixture
def scene() -> Scene:
    """Ada's games, at a provider with plus addresses."""
    return SceneInMemory(MemoryHarness())


@pytest.fixture
def plain_scene() -> Scene:
    """The same scene at a provider without plus addresses, where the Subject carries the token."""
    return SceneInMemory(MemoryHarness(services=WITHOUT_PLUS))


@pytest.fixture
def stored_scene(store: Store) -> Scene:
    """The same scene with a database."""
    return StoredScene(Harness(store))
