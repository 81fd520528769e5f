"""What tests of every layer share."""

import gc
import importlib
import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from takmail.config.seat_keys import make
from takmail.store.database import Store
from tests.support import databases, width
from tests.support.command_line import config_file
from tests.support.examples import choose_profile
from tests.support.harness import Harness

choose_profile()
# Until all tests are collected, nearly nothing is garbage, and to look for it takes a sixth of that time.
gc.disable()

MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 2 * 1024**3:
    # Where databases are kept in memory, no commit waits for a disk.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A database of the test's own."""
    opened = databases.opened(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def harness(store: Store) -> Harness:
    """A takmail without a network."""
    return Harness(store)


@pytest.fixture
def cli_harness(tmp_path: Path, store: Store) -> Harness:
    """The same beside a config file, config.toml in the folder of its database, and a key."""
    config_file(tmp_path)
    make(tmp_path / "takmail.key")
    return Harness(store)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each worker begin to import the tests at another place: what one has compiled, the others find compiled.

    To compile a test takes several times as long as to collect it, and all workers collect all of them.
    """
    worker = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    given = [session.config.rootpath / arg.partition("::")[0] for arg in session.config.args]
    files = [one for path in given for one in ([path] if path.is_file() else sorted(path.rglob("test_*.py")))]
    start = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in (*files[start:], *files[:start]):
        name = ".".join(file.relative_to(session.config.rootpath).with_suffix("").parts)
        # What can't be imported fails where it is collected.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(name)


def pytest_report_header() -> str:
    """Say which cases are tried."""
    return "width: every case" if width.IS_WIDE else f"width: a tenth of the many cases, SEED={width.SEED}"


def pytest_collection_finish() -> None:
    """Keep the garbage collector away from the thousands of tests, which stay until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL, leave out what uses no database: it is the same on all of them."""
    if not databases.ON_POSTGRESQL:
        return
    others = [one for one in items if not _uses_database(one)]
    config.hook.pytest_deselected(items=others)
    items[:] = [one for one in items if _uses_database(one)]


def _uses_database(test: pytest.Item) -> bool:
    """Whether a test, or a fixture that it asks for, is in a module that comes to the databases by its imports."""
    assert isinstance(test, pytest.Function)
    # Of several fixtures with one name the last is the nearest.
    fixtures = [found[-1].func for found in test._fixtureinfo.name2fixturedefs.values()]
    return any(databases.is_used_by(one.__module__) for one in (test.function, *fixtures))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, None, None]:
    """Drop the databases of the test's own folder once it is over."""
    yield
    if databases.ON_POSTGRESQL and isinstance(item, pytest.Function) and "tmp_path" in item.fixturenames:
        databases.let_go(item.funcargs["tmp_path"])
