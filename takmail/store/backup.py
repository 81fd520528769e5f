"""Copy an SQLite database while it is in use, and restore it from a copy.

An unused database is one file. While the database is in use, its write-ahead log (`-wal`) is part of it, too.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from takmail.store.schema import BUSY_SECONDS, CannotUse, DatabaseFault, check_version
from takmail.store.sqlite_file import MARK, flush_names, sqlite_file

_SUFFIXES = ("-wal", "-shm", "-journal", MARK)
"""The suffixes of the files next to a database. Next to another one, SQLite's files would corrupt it."""


def file_of(url: str) -> Path:
    """Return the file of a database from its SQLAlchemy URL. Raises CannotUse unless it is a file of SQLite."""
    file = sqlite_file(url)
    if file is None:
        raise CannotUse(DatabaseFault.ELSEWHERE)
    return file


def back_up(file: Path, target: Path, *, force: bool = False) -> None:
    """Copy the database `file` to `target`, even while it is in use. `force` allows replacing an existing `target`.

    The copy is a single file that only its owner may access. It gets its name once it is complete on disk. Raises
    CannotUse, sqlite3's errors and OSError. After an error `target` is unchanged.
    """
    if not file.is_file():
        raise CannotUse(DatabaseFault.MISSING, file)
    if target.exists():
        if any(_is_same(target, own) for own in _with_beside(file)):
            raise CannotUse(DatabaseFault.ITSELF, target)
        if not force:
            raise CannotUse(DatabaseFault.EXISTS, target)
    with _new_file_beside(target) as new:
        _copy(file, new)
        _check(new, file)
        for beside in _with_beside(target)[1:]:
            beside.unlink(missing_ok=True)
        os.replace(new, target)
        flush_names(target.parent)


def put_back(copy: Path, file: Path, now: datetime) -> tuple[Path | None, str]:
    """Replace the database `file` with a copy. Return the file to which the old database was renamed, and the schema.

    The service of the new database may take the mailbox over. The old database's file is None if there was none. The
    schema is that of the copy, which stays where it is. Raises the errors of `back_up`. After an error the database is
    unchanged.
    """
    if not copy.is_file():
        raise CannotUse(DatabaseFault.MISSING, copy)
    if _is_same(copy, file):
        raise CannotUse(DatabaseFault.ITSELF, copy)
    file = file.resolve()  # keep a symbolic link
    with _new_file_beside(file) as new:
        _copy(copy, new)
        revision = _check(new, copy)
        _allow_take_over(new)
        _copy_owner(new, file)
        with alone(file):
            kept = _set_aside(file, f"{file.name}.before-{now:%Y%m%d-%H%M%S}")
            os.replace(new, file)
        flush_names(file.parent)
    return kept, revision


@contextmanager
def _new_file_beside(file: Path) -> Iterator[Path]:
    """Create an empty file in the folder of `file`, readable by its owner only. Delete it after the block.

    A file that the block has renamed stays. Raises CannotUse, which names the folder, if nothing can be written there.
    """
    new = file.with_name(f".{file.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    try:
        os.close(os.open(new, os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        raise CannotUse(DatabaseFault.FOLDER, file.parent) from None
    try:
        yield new
    finally:
        for made in _with_beside(new):
            made.unlink(missing_ok=True)


def _copy(source: Path, new: Path) -> None:
    with closing(_open(source, "rw", BUSY_SECONDS)) as there, closing(_open(new, "rw")) as here:
        try:
            there.execute("PRAGMA schema_version").fetchone()
        except sqlite3.DatabaseError as error:
            raise _damage(error, source) from None
        # A single step copies all pages. Copying in several steps would restart after each commit of a busy service.
        there.backup(here)
        # Without WAL mode, the copy is one file that can be read even in a read-only folder.
        here.execute("PRAGMA journal_mode=DELETE")


def _allow_take_over(new: Path) -> None:
    """Let the service of the restored database read the mailbox, although its marker is newer (`store.marker`)."""
    with (
        closing(_open(new, "rw")) as there,
        suppress(sqlite3.OperationalError),
    ):  # an older schema has no marker
        there.execute("INSERT INTO marker (id) VALUES (1) ON CONFLICT DO NOTHING")
        there.execute("UPDATE marker SET takes_over = 1")


def _check(new: Path, source: Path) -> str:
    """Check the new copy for damage and return its schema. Raises CannotUse, which names `source`."""
    with closing(_open(new, "ro")) as there:
        try:
            found = there.execute("PRAGMA integrity_check(1)").fetchall()
        except sqlite3.DatabaseError as error:
            raise _damage(error, source) from None
        if found != [("ok",)]:
            raise CannotUse(DatabaseFault.DAMAGED, source)
        try:
            versions = there.execute("SELECT version_num FROM alembic_version").fetchall()
        except sqlite3.OperationalError:
            versions = []
    if len(versions) != 1:
        raise CannotUse(DatabaseFault.FOREIGN, source)
    version = str(versions[0][0])
    check_version(version, source)
    return version


def _damage(error: sqlite3.DatabaseError, file: Path) -> Exception:
    """Return CannotUse for an error that means damage. Return others, such as a full disk or a lock, unchanged."""
    return error if isinstance(error, sqlite3.OperationalError) else CannotUse(DatabaseFault.DAMAGED, file)


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Lock the database exclusively during the block. Before that, write its log into the file.

    Raises CannotUse if the database is in use, unless it is too damaged to tell.
    """
    if not file.exists():
        yield
        return
    with closing(_open(file, "rw")) as held:
        try:
            # SQLite leaves WAL mode only if no other connection is open.
            held.execute("PRAGMA journal_mode=DELETE")
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise CannotUse(DatabaseFault.IN_USE, file) from None
            raise
        except sqlite3.DatabaseError:
            pass
        yield


def _set_aside(file: Path, name: str) -> Path | None:
    """Give the old database a second name, and rename the files next to it. Return the second name, or None."""
    kept = file.with_name(name)
    there = file.exists()
    if there:
        os.link(file, kept)  # a hard link, so that there is a database under the old name at every moment
    for suffix in _SUFFIXES:
        with suppress(FileNotFoundError):
            os.rename(f"{file}{suffix}", f"{kept}{suffix}")
    return kept if there else None


def _copy_owner(new: Path, file: Path) -> None:
    """If run as root, give the file `new` the owner of `file`, or of its folder if `file` doesn't exist."""
    if os.geteuid() == 0:
        owner = (file if file.exists() else file.parent).stat()
        os.chown(new, owner.st_uid, owner.st_gid)


def _open(file: Path, mode: str, wait: float = 0) -> sqlite3.Connection:
    """Open an existing database. `mode` is "ro" or "rw". `wait` is the maximum time to wait for a lock, in seconds."""
    uri = f"{file.resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=wait, isolation_level=None)


def _with_beside(file: Path) -> list[Path]:
    return [file, *(file.with_name(f"{file.name}{suffix}") for suffix in _SUFFIXES)]


def _is_same(file: Path, other: Path) -> bool:
    return file.exists() and other.exists() and file.samefile(other)
