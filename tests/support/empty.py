"""Provide an empty SQLite database, as a file to copy. Copying takes a fifth of the time of creating its tables."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

from takmail.store.database import Store


@cache
def empty_file() -> Path:
    """Return a SQLite database with the tables and nothing else."""
    folder = Path(tempfile.mkdtemp(prefix="takmail-empty-"))
    atexit.register(shutil.rmtree, folder)
    Store.open(f"sqlite:///{folder / 'empty.sqlite'}").close()
    return folder / "empty.sqlite"
