"""Conversations: what players write and read, with a takmail without a database."""

import pytest

from tests.support.memory_harness import MemoryHarness


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness()
