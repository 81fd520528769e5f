"""What tests of every layer share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from takmail.store.database import Store
from tests.cli import config_file
from tests.office import Office


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A database of the test's own."""
    opened = Store.open(f"sqlite:///{tmp_path / 'takmail.sqlite'}")
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
