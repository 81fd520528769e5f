"""The old database, opened by the takmail of today."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from takmail.store.database import Store
from tests.support.old_database import restore
from tests.upgrade.old import Upgraded


@pytest.fixture(scope="session")
def upgraded_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the old database, after the migrations that are due."""
    file = tmp_path_factory.mktemp("upgrade") / "takmail.sqlite"
    restore(file)
    Store.open(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def old(upgraded_file: Path, tmp_path: Path) -> Iterator[Upgraded]:
    """The service on a copy of it."""
    file = tmp_path / "takmail.sqlite"
    shutil.copy(upgraded_file, file)
    store = Store.open(f"sqlite:///{file}")
    harness = Upgraded(store)
    harness.begin_again()
    yield harness
    store.close()
