"""The real mail servers for the tests marked `crash`, and what these have to say at the end."""

import os
import shutil
from collections.abc import Callable, Iterator
from random import Random

import pytest

from tests.crash.size import KILLS, SEED
from tests.postgres.server import Server
from tests.stack.mailstack import MailStack, running_stack

_told: list[str] = []


def pytest_report_header() -> str:
    return f"crash: SEED={SEED} KILLS={KILLS}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _told:
        terminalreporter.section(f"crash, SEED={SEED} KILLS={KILLS}")
        for line in _told:
            terminalreporter.line(line)


@pytest.fixture
def random(request: pytest.FixtureRequest) -> Random:
    """What all chance of a test comes from: its own, so that it can be run alone with the same seed."""
    return Random(f"{SEED} {request.node.name}")


@pytest.fixture
def tell() -> Callable[[str], None]:
    """Has something said at the end of the run."""
    return _told.append


@pytest.fixture(scope="session")
def stack(request: pytest.FixtureRequest) -> Iterator[MailStack]:
    here = os.geteuid() == 0 and shutil.which("dovecot", path=os.environ["PATH"] + ":/usr/sbin")
    # Whoever asks for these tests by name (make test-crash) is to see them fail, not skipped.
    if not here and "crash" not in request.config.option.markexpr:
        pytest.skip("needs root and tests/stack/install.sh")
    with running_stack() as servers:
        yield servers


@pytest.fixture
def postgres() -> Iterator[Server]:
    """A PostgreSQL of the test's own."""
    server = Server()
    try:
        yield server
    finally:
        server.remove()
