"""Watch the file of an SQLite database, check its pages, and write its log to the disk."""

import logging
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, make_url
from sqlalchemy.exc import OperationalError

_FILE_REPLACED = "its file is gone or was replaced: put it back, or restart takmail"


def sqlite_file(url: str) -> Path | None:
    """Return the database's file if the URL is that of an SQLite file, otherwise None."""
    parsed = make_url(url)
    file = parsed.database
    if parsed.get_backend_name() != "sqlite" or not file or file == ":memory:" or file.startswith("file:"):
        return None
    return Path(file)


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


log = logging.getLogger(__name__)

MARK = "-damaged"
"""The suffix of the file that says what is damaged. It is no row, as nothing should be written to a damaged database.
"""


class PageCheck:
    """Checks the pages of an SQLite file, for minutes if it is large, and knows the result of the last check."""

    def __init__(self, file: Path) -> None:
        self._file = file.resolve()  # the mark stands beside the file itself, and not beside a link
        self._mark = self._file.with_name(f"{self._file.name}{MARK}")
        self._connection: sqlite3.Connection | None = None
        self._is_interrupted = False

    def run(self) -> bool:
        """Check all pages, in any thread. Return False if `interrupt` has ended it. Raises sqlite3's OperationalError.

        The connection only reads, and locks out no writer. SQLite lets other threads run meanwhile, and waits for the
        disk most of the time.
        """
        self._is_interrupted = False
        with closing(sqlite3.connect(f"{self._file.as_uri()}?mode=ro", uri=True)) as self._connection:
            # SQLite forgets an interrupt that comes before the statement, and old versions don't ask this handler while
            # they read the pages.
            self._connection.set_progress_handler(lambda: self._is_interrupted, 1_000)
            try:
                [(result,)] = self._connection.execute("PRAGMA quick_check(1)").fetchall()
            except sqlite3.OperationalError:
                if self._is_interrupted:
                    return False
                raise
            except sqlite3.DatabaseError as error:
                result = str(error)
        self.note("" if result == "ok" else result)
        return True

    def interrupt(self) -> None:
        """End a check that runs in another thread."""
        self._is_interrupted = True
        if self._connection is not None:
            with suppress(sqlite3.ProgrammingError):  # it has ended by itself
                self._connection.interrupt()

    def note(self, damage: str) -> None:
        """Log what is damaged, and keep it until a check finds nothing, which '' stands for."""
        with suppress(OSError):  # the log has it in any case
            if damage:
                log.critical(
                    "the database is damaged: restore the last backup (%s)", " ".join(damage.split())
                )
                self._mark.write_text(damage)
            else:
                log.info("the database has no damaged pages")
                self._mark.unlink(missing_ok=True)

    def damage(self) -> str:
        """Return what is damaged, or ''."""
        with suppress(FileNotFoundError):
            return self._mark.read_text()
        return ""


def flush_names(folder: Path) -> None:
    """Flush a folder to disk, so that a new or renamed file keeps its name after a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
