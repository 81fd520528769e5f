"""Watch the file of an SQLite database, and write its log to the disk."""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.exc import OperationalError

from takmail.store.backup import flush_names

_FILE_REPLACED = "its file is gone or was replaced: put it back, or restart takmail"


class WatchedFile:
    """Detects that SQLite's file was deleted or replaced.

    SQLite would keep writing to a deleted file, whose content would be lost at the next restart.
    """

    def __init__(self, engine: Engine, file: str) -> None:
        self._file = file
        self._known: tuple[int, int] | None = None
        # Also checked before connecting, as SQLite silently creates an empty file if it is missing.
        event.listen(engine, "do_connect", self._check)
        event.listen(engine, "connect", self._remember)
        event.listen(engine, "checkout", self._check)

    def _remember(self, *_what: Any) -> None:
        self._known = self._known or self._found()

    def _check(self, *_what: Any) -> None:
        if self._known is not None and self._found() != self._known:
            raise OperationalError(None, None, sqlite3.OperationalError(_FILE_REPLACED))

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._file)
        except OSError:
            return None
        return found.st_dev, found.st_ino


class SqliteLog:
    """SQLite's log (WAL), where commits stand until a checkpoint copies them to the database's file.

    If `has_failed` is true, the disk has refused a part of the log. The kernel doesn't try such a part again, and
    reports it only to those that have the file open. Therefore the log stays open.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._handle: int | None = None
        self.has_failed = False

    def sync(self) -> None:
        """Write the log to the disk. Raises sqlite3's OperationalError."""
        try:
            with suppress(FileNotFoundError):  # SQLite removes the log only after a checkpoint
                _sync_content(self._opened())
        except OSError as error:
            self.has_failed = True
            raise sqlite3.OperationalError(f"disk I/O error: {error}") from error

    def close(self) -> None:
        """Close the log."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _opened(self) -> int:
        """Return a handle of the log. If the log is a new file, put its name on disk first."""
        found = os.stat(self._file)
        if self._handle is not None and os.path.samestat(found, os.fstat(self._handle)):
            return self._handle
        self.close()
        self._handle = os.open(self._file, os.O_RDWR)
        flush_names(self._file.parent)
        return self._handle


_sync_content = getattr(os, "fdatasync", os.fsync)
"""Write a file's content to the disk. macOS can do that only together with the file's other data."""
