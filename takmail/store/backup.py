"""Copies of SQLite's database: one taken while it is in use, and one put in its place.

What has to be brought over between machines is one file; its log (`-wal`) is part of it only while it is in use.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from sqlalchemy import make_url

from takmail.store.schema import BEFORE, BUSY_SECONDS, HEAD

_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database; left beside another one it would spoil that."""


class CopyFault(StrEnum):
    """Why a copy is not made or not put in place; the words for it stand in console/cant_copy.txt."""

    ELSEWHERE = "elsewhere"
    MISSING = "missing"
    EXISTS = "exists"
    ITSELF = "itself"
    IN_USE = "in use"
    DAMAGED = "damaged"
    FOREIGN = "foreign"
    OLDER = "older"
    NEWER = "newer"


class CannotCopy(Exception):  # noqa: N818 - a sentence for the operator, no error of the program's
    """What was asked for can't be; `file` is the one that is at fault."""

    def __init__(self, fault: CopyFault, file: Path | None = None) -> None:
        super().__init__(fault)
        self.fault = fault
        self.file = file


def file_of(url: str) -> Path:
    """The file of an SQLAlchemy URL; raises CannotCopy where the database is none of SQLite's, or only in memory."""
    parsed = make_url(url)
    file = parsed.database
    if parsed.get_backend_name() != "sqlite" or not file or file == ":memory:" or file.startswith("file:"):
        raise CannotCopy(CopyFault.ELSEWHERE)
    return Path(file)


def back_up(file: Path, target: Path, *, force: bool = False) -> None:
    """Copy the database as it is now, whoever works on it meanwhile; `force` lets the copy replace another file.

    The copy is its owner's alone, whole on the disk before it gets its name, and needs no other file. Raises
    CannotCopy, sqlite3's errors and OSError; then `target` is as it was.
    """
    if not file.is_file():
        raise CannotCopy(CopyFault.MISSING, file)
    if target.exists():
        if any(_is_same(target, one) for one in _with_beside(file)):
            raise CannotCopy(CopyFault.ITSELF, target)
        if not force:
            raise CannotCopy(CopyFault.EXISTS, target)
    with _made_beside(target) as new:
        _copy(file, new)
        _check(new, file)
        for one in _with_beside(target)[1:]:
            one.unlink(missing_ok=True)
        os.replace(new, target)
        _on_disk(target.parent)


def put_back(copy: Path, file: Path, now: datetime) -> tuple[Path | None, str]:
    """Put a copy in the place of the database; gives what the old one is called now, and the copy's schema.

    The copy stays where it is. Raises as `back_up` does; then the database is as it was.
    """
    if not copy.is_file():
        raise CannotCopy(CopyFault.MISSING, copy)
    if _is_same(copy, file):
        raise CannotCopy(CopyFault.ITSELF, copy)
    file = file.resolve()  # a link stays one
    with _made_beside(file) as new:
        _copy(copy, new)
        revision = _check(new, copy)
        _give_to_owner(new, file)
        with alone(file):
            kept = _set_aside(file, f"{file.name}.before-{now:%Y%m%d-%H%M%S}")
            os.replace(new, file)
        _on_disk(file.parent)
    return kept, revision


def newest_revision() -> str:
    """The schema of this takmail."""
    return HEAD


@contextmanager
def _made_beside(file: Path) -> Iterator[Path]:
    """A new empty file in the same folder, its owner's alone; it is gone afterwards unless it was renamed."""
    new = file.with_name(f".{file.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    os.close(os.open(new, os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield new
    finally:
        for one in _with_beside(new):
            one.unlink(missing_ok=True)


def _copy(source: Path, new: Path) -> None:
    with closing(_opened(source, "rw", BUSY_SECONDS)) as there, closing(_opened(new, "rw")) as here:
        try:
            there.execute("PRAGMA schema_version").fetchone()
        except sqlite3.DatabaseError as error:
            raise _damage(error, source) from None
        # All at once: a copy in steps would begin anew after each commit of a busy service.
        there.backup(here)
        # In this mode a database is one file, which can be read where nothing may be written beside it.
        here.execute("PRAGMA journal_mode=DELETE")


def _check(new: Path, source: Path) -> str:
    """Hold the new copy of a database against damage; gives its schema, or raises CannotCopy about the source."""
    with closing(_opened(new, "ro")) as there:
        try:
            found = there.execute("PRAGMA integrity_check(1)").fetchall()
        except sqlite3.DatabaseError as error:
            raise _damage(error, source) from None
        if found != [("ok",)]:
            raise CannotCopy(CopyFault.DAMAGED, source)
        try:
            versions = there.execute("SELECT version_num FROM alembic_version").fetchall()
        except sqlite3.OperationalError:
            versions = []
    if len(versions) != 1:
        raise CannotCopy(CopyFault.FOREIGN, source)
    version = str(versions[0][0])
    if version not in (BEFORE, HEAD):
        raise CannotCopy(CopyFault.OLDER if version < BEFORE else CopyFault.NEWER, source)
    return version


def _damage(error: sqlite3.DatabaseError, file: Path) -> Exception:
    """What an error of SQLite's comes to; a disk that is full or a lock tells nothing about the file."""
    return error if isinstance(error, sqlite3.OperationalError) else CannotCopy(CopyFault.DAMAGED, file)


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Lock everybody else out of the database, and write its log into the file; raises CannotCopy if it is in use.

    Of a damaged one that can't be found out.
    """
    if not file.exists():
        yield
        return
    with closing(_opened(file, "rw")) as held:
        try:
            # Whoever has it open holds a shared lock, and only who is alone may leave the mode that has a log.
            held.execute("PRAGMA journal_mode=DELETE")
            held.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise CannotCopy(CopyFault.IN_USE, file) from None
            raise
        except sqlite3.DatabaseError:
            pass
        yield


def _set_aside(file: Path, name: str) -> Path | None:
    """Let the old database have another name as well, and what lies beside it that name alone."""
    kept = file.with_name(name)
    there = file.exists()
    if there:
        os.link(file, kept)  # so that there is a database at every moment
    for suffix in _BESIDE:
        with contextlib.suppress(FileNotFoundError):
            os.rename(f"{file}{suffix}", f"{kept}{suffix}")
    return kept if there else None


def _give_to_owner(new: Path, file: Path) -> None:
    """Let root's copy belong to whoever the database belonged to, or its folder, where there is none yet."""
    if os.geteuid() == 0:
        owner = (file if file.exists() else file.parent).stat()
        os.chown(new, owner.st_uid, owner.st_gid)


def _opened(file: Path, mode: str, wait: float = 0) -> sqlite3.Connection:
    """The database in a file that is there; `wait` is how many seconds a lock is waited for."""
    uri = f"{file.resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=wait, isolation_level=None)


def _with_beside(file: Path) -> list[Path]:
    return [file, *(file.with_name(f"{file.name}{suffix}") for suffix in _BESIDE)]


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _on_disk(folder: Path) -> None:
    """Let the new name be there after a power cut, too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
