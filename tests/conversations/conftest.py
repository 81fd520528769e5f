"""What players write, and what they read then: a takmail without a database."""

import pytest

from tests.support.memory_harness import MemoryHarness


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness()
