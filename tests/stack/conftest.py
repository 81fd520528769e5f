"""The real mail servers, once a test session."""

import os
import shutil
from collections.abc import Iterator

import pytest

from tests.stack.mailstack import MailStack, running_stack


@pytest.fixture(scope="session")
def stack(request: pytest.FixtureRequest) -> Iterator[MailStack]:
    here = os.geteuid() == 0 and shutil.which("dovecot", path=os.environ["PATH"] + ":/usr/sbin")
    # Whoever asks for these tests by name (make test-stack) is to see them fail, not skipped.
    if not here and "stack" not in request.config.option.markexpr:
        pytest.skip("needs root and tests/stack/install.sh")
    with running_stack() as servers:
        yield servers
