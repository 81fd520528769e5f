"""What tests of the command line share."""

import pytest

from takmail.cli import mails
from tests.support.harness import read_here


@pytest.fixture
def reads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands read mails in this process, as to start another one costs more than all else that they do."""
    monkeypatch.setattr(mails, "read_once", read_here)
