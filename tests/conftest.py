"""What tests of every layer share."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from takmail.store.database import Store
from tests.cli import config_file
from tests.office import Office

settings.register_profile("takmail", deadline=None)
settings.load_profile("takmail")
"""No time limit an example: a busy machine is no failure of the program's."""


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with nothing but its tables: to copy it takes a fifth of the time that making one does."""
    file = tmp_path_factory.mktemp("empty") / "takmail.sqlite"
    Store.open(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def store(tmp_path: Path, empty_database: Path) -> Iterator[Store]:
    """A database of the test's own."""
    file = tmp_path / "takmail.sqlite"
    shutil.copy(empty_database, file)
    opened = Store.open(f"sqlite:///{file}")
    yield opened
    opened.close()


@pytest.fixture
def office(store: Store) -> Office:
    """A takmail without a network."""
    return Office(store)


@pytest.fixture
def desk_office(tmp_path: Path, store: Store) -> Office:
    """The same beside a config file, config.toml in the folder of its database."""
    config_file(tmp_path)
    return Office(store)
