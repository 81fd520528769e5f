"""Provide fixtures for conversations: what players write and read, with a takmail on a database in memory."""

import pytest

from tests.support.memory_harness import MemoryHarness


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness()
