"""Provide fixtures for conversations: what players write and read, with a takmail that needs no database."""

import pytest

from tests.support.memory_harness import MemoryHarness


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness()
