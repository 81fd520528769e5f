"""What the database knows of the marker in the mailbox, and the steps of taking the mailbox over.

The step in the database comes first, and is on disk before the marker is written. So whatever dies in between, the
marker in the mailbox is one of the two that the database knows.
"""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from takmail.mail.marker import Marker, Ownership
from takmail.store import leases
from takmail.store.process_name import boot_id
from takmail.store.sqlite_file import sqlite_file
from takmail.store.tables import LeaseRow, MarkerRow

READING = "the mailbox"
"""The lease of the process that reads the mailbox."""


@dataclass(frozen=True, slots=True)
class MarkerState:
    """The database's side of the marker, as `MarkerRow` describes it.

    `has_moved` is whether the database was elsewhere when its service last took the mailbox over: the machine was
    started anew, or the file was moved, restored or copied. `is_copy` is whether it was not the machine alone.
    """

    ours: Ownership
    has_moved: bool = False
    is_copy: bool = False
    takes_over: bool = False
    stopped: str = ""
    stopped_at: datetime | None = None
    unmarked: str = ""


def state(session: Session) -> MarkerState | None:
    """Return the database's side of the marker, or None if no service has read a mailbox yet. Nothing is changed."""
    row = session.get(MarkerRow, 1)
    return None if row is None or not row.database else _state(session, row)


def made(session: Session) -> MarkerState:
    """Return the database's side of the marker. The first call draws the database's random id."""
    row = _row(session)
    if not row.database:
        row.database = secrets.token_hex(8)
    return _state(session, row)


def take_over(session: Session, ours: Ownership, seen: Marker | None) -> Ownership | None:
    """Begin to take the mailbox over from the marker that was `seen` in it. Return what is to be written there.

    Return None if another process has begun since `ours` was loaded.
    """
    row = _row(session)
    if (row.database, row.token) != (ours.database, ours.token):
        return None
    row.generation = max(row.generation, 0 if seen is None else seen.generation) + 1
    row.previous = row.token if seen is None else seen.token
    row.token = secrets.token_hex(8)
    row.place, row.is_taken, row.takes_over = place(session), False, False
    return _ours(row)


def taken(session: Session, ours: Ownership) -> bool:
    """Note that the mailbox has the marker of `ours`. Return False if another process has begun to take it over."""
    row = _row(session)
    if row.token != ours.token:
        return False
    if not row.is_taken or row.stopped or row.unmarked:
        row.is_taken, row.stopped, row.stopped_at, row.unmarked = True, "", None, ""
    return True


def stop(session: Session, why: str, now: datetime) -> None:
    """Note that the service may not read the mailbox."""
    row = _row(session)
    row.stopped, row.stopped_at = why, row.stopped_at or now


def note_unmarked(session: Session, why: str) -> None:
    """Note that the mailbox has no marker. Nothing then forbids to read it."""
    row = _row(session)
    row.is_taken, row.stopped, row.stopped_at, row.unmarked = True, "", None, why
    row.place = place(session)


def allow_take_over(session: Session) -> None:
    """Note that the service may take the mailbox over, whosever its marker is."""
    _row(session).takes_over = True


def is_read_elsewhere(session: Session, process: str, is_gone: Callable[[str], bool]) -> bool:
    """Return whether another process of this database reads the mailbox now, and may do so."""
    lease = session.get(LeaseRow, READING)
    row = session.get(MarkerRow, 1)
    is_held = (
        lease is not None
        and lease.holder != process
        and leases.is_valid(session, lease)
        and not is_gone(lease.holder)
    )
    return is_held and row is not None and row.is_taken and not row.stopped and row.place == place(session)


def stopped(session: Session) -> str:
    """Return why the service may not read the mailbox, or ''."""
    row = session.get(MarkerRow, 1)
    return "" if row is None else row.stopped


def place(session: Session) -> str:
    """Return where the database is: the start of the machine or the database's server, a space, and the file.

    A copy of it is in another file, or on a machine or server that was started at another time.
    """
    bind = session.get_bind()
    if bind.dialect.name == "postgresql":
        started = "extract(epoch FROM pg_postmaster_start_time())"
        query = f"SELECT {started} || ' ' || oid FROM pg_database WHERE datname = current_database()"
        return str(session.connection().exec_driver_sql(query).scalar_one())
    file = sqlite_file(str(bind.engine.url))
    with suppress(OSError):
        if file is not None:
            found = os.stat(Path(os.path.realpath(file)))
            return f"{boot_id()} {found.st_dev}/{found.st_ino}"
    return ""


def _row(session: Session) -> MarkerRow:
    row = session.get(MarkerRow, 1, with_for_update=True)
    if row is not None:
        return row
    with suppress(IntegrityError), session.begin_nested():
        session.add(MarkerRow())
        session.flush()
    return session.get_one(MarkerRow, 1, with_for_update=True)  # or that of another process that was quicker


def _state(session: Session, row: MarkerRow) -> MarkerState:
    here = place(session)
    return MarkerState(
        _ours(row),
        row.place != here,
        row.place.partition(" ")[2] != here.partition(" ")[2],
        row.takes_over,
        row.stopped,
        row.stopped_at,
        row.unmarked,
    )


def _ours(row: MarkerRow) -> Ownership:
    return Ownership(row.database, row.generation, row.token, row.previous)
