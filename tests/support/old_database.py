"""A database of an older takmail, and the same after the upgrade."""

import atexit
import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from takmail.store.database import Store

DUMP = Path(__file__).parents[1] / "data" / "upgrade" / "0015.sql"


def restore(file: Path) -> None:
    """Create a database file from the older takmail's dump."""
    shutil.copy(_old(), file)


@cache
def upgraded() -> Path:
    """Return the upgraded file, beside the backup of the old one. It is shared by all tests that only read it."""
    file = _folder() / "takmail.sqlite"
    restore(file)
    Store.open(f"sqlite:///{file}").close()
    return file


@cache
def _old() -> Path:
    file = _folder() / "old.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(DUMP.read_bytes().decode())
    return file


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="takmail-old-"))
    atexit.register(shutil.rmtree, folder)
    return folder
