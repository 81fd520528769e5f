"""A database as an older takmail left it, and as it is once it was brought up to date."""

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
    """Make a database file of the dump, as the older takmail has left it."""
    shutil.copy(_old(), file)


@cache
def upgraded() -> Path:
    """The file after the upgrade, beside the copy that it leaves: one for all tests of a process that only read it."""
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
