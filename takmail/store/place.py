"""The file of an SQLite database has to stay where it is, and the one that it was."""

import os
import sqlite3
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

_GONE = "its file is gone, or another is in its place: put it back, or start takmail anew"


class Place:
    """Watches an engine's file: SQLite itself would write on to one that nobody finds again after a restart."""

    def __init__(self, engine: Engine, file: str) -> None:
        self._file = file
        self._known: tuple[int, int] | None = None
        # Before anything is opened, too, as SQLite makes a file that is missing, without a word and empty.
        event.listen(engine, "do_connect", self._check)
        event.listen(engine, "connect", self._remember)
        event.listen(engine, "checkout", self._check)

    def _remember(self, *_what: Any) -> None:
        self._known = self._known or self._found()

    def _check(self, *_what: Any) -> None:
        if self._known is not None and self._found() != self._known:
            raise OperationalError(None, None, sqlite3.OperationalError(_GONE))

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._file)
        except OSError:
            return None
        return found.st_dev, found.st_ino
