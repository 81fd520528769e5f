"""Check the pages of an SQLite file for damage, and keep the result in a file beside it."""

import logging
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

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
