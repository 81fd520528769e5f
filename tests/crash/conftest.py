"""Fixtures of the tests marked `crash`: real servers, a seed, and a report at the end of the run."""

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
    """A random generator for each test, so that a test can be repeated alone with the same seed."""
    return Random(f"{SEED} {request.node.name}")


@pytest.fixture
def tell() -> Callable[[str], None]:
    """A function that adds a line to the report at the end of the run."""
    return _told.append


@pytest.fixture(scope="session")
def stack(request: pytest.FixtureRequest) -> Iterator[MailStack]:
    here = os.geteuid() == 0 and shutil.which("dovecot", path=os.environ["PATH"] + ":/usr/sbin")
    # If these tests are selected explicitly (make test-crash), missing servers must fail them, not skip them.
    if not here and "crash" not in request.config.option.markexpr:
        pytest.skip("needs root and tests/stack/install.sh")
    with running_stack() as servers:
        yield servers


@pytest.fixture
def postgres() -> Iterator[Server]:
    """A PostgreSQL server for one test."""
    server = Server()
    try:
        yield server
    finally:
        server.remove()
