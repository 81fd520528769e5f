"""A database as an older takmail left it."""

import sqlite3
from contextlib import closing
from pathlib import Path

DUMP = Path(__file__).parents[1] / "data" / "upgrade" / "0015.sql"


def restore(file: Path) -> None:
    """Make a database file of the dump, as the older takmail has left it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(DUMP.read_bytes().decode())
