"""Leases: locks that expire, and the list of running processes. All times are those of the database's clock."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import func, type_coerce
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from takmail.store.tables import LeaseRow, Moment

LENGTH = timedelta(seconds=30)
"""How long a lease lasts without renewal."""

RENEWED_EVERY = LENGTH / 3
"""How often a running process renews its leases and looks for expired ones."""

_PROCESS = "process "
_ANY = "any process"
"""The name of a lease that every process renews and none releases. It shows when any process last ran."""


def take(session: Session, what: str, holder: str, is_gone: Callable[[str], bool]) -> bool:
    """Take or renew the lease named `what` for `holder`. Return False if another process has the lease.

    `is_gone` returns whether a process is known to have ended. Its lease can then be taken before it expires.
    """
    now = _now(session)
    lease = session.get(LeaseRow, what, with_for_update=True)
    if lease is None:
        with suppress(IntegrityError), session.begin_nested():
            session.add(LeaseRow(name=what, holder=holder, expires_at=now + LENGTH))
            session.flush()
            return True
        return False  # another process was quicker
    if lease.holder != holder and lease.expires_at > now and not is_gone(lease.holder):
        return False
    lease.holder, lease.expires_at = holder, now + LENGTH
    return True


def give_back(session: Session, what: str, holder: str) -> None:
    """Release the lease named `what` before it expires, if `holder` has it."""
    session.exec(delete(LeaseRow).where(col(LeaseRow.name) == what, col(LeaseRow.holder) == holder))


class Stopped(NamedTuple):
    """A task of a running process that has stopped: for how many seconds, and why."""

    task: str
    seconds: int
    why: str


def renew_process(
    session: Session, process: str, key_id: str | None = None, stopped: Sequence[Stopped] = ()
) -> None:
    """Store that a process is running, with the id of its key and its tasks that have stopped."""
    if take(session, _PROCESS + process, process, lambda _: False):
        lease = session.get_one(LeaseRow, _PROCESS + process)
        lease.key_id, lease.outages = key_id, json.dumps(stopped) if stopped else None
    take(session, _ANY, process, lambda _: True)


def release_process(session: Session, process: str) -> None:
    """Store that a process has ended after releasing all its claims."""
    give_back(session, _PROCESS + process, process)


def count_processes(session: Session, is_gone: Callable[[str], bool]) -> int:
    """Return the number of running processes."""
    return len(_running(session, is_gone))


def have_other_key(session: Session, key_id: str, is_gone: Callable[[str], bool]) -> bool:
    """Return whether a running process has another key than that with an id."""
    return any(lease.key_id not in (None, key_id) for lease in _running(session, is_gone))


def stopped_tasks(session: Session) -> Sequence[Stopped]:
    """Return the tasks of processes that have stopped, as they were when the processes last renewed their leases.

    A process that asks is one of them. Of one that was killed they are known until its lease expires.
    """
    leases = _running(session, lambda _: False)
    return [Stopped(*task) for lease in leases for task in json.loads(lease.outages or "[]")]


def _running(session: Session, is_gone: Callable[[str], bool]) -> Sequence[LeaseRow]:
    """Return the leases of the running processes."""
    query = select(LeaseRow).where(
        col(LeaseRow.name).startswith(_PROCESS), col(LeaseRow.expires_at) > _now(session)
    )
    return [lease for lease in session.exec(query) if not is_gone(lease.holder)]


def since_last(session: Session) -> timedelta | None:
    """Return how long ago any process last renewed its leases, or None if none ever did."""
    lease = session.get(LeaseRow, _ANY)
    return None if lease is None else _now(session) - (lease.expires_at - LENGTH)


def is_valid(session: Session, lease: LeaseRow) -> bool:
    """Return whether a lease has not expired."""
    return lease.expires_at > _now(session)


def ended_processes(session: Session, process: str, is_gone: Callable[[str], bool]) -> Sequence[str]:
    """Return the other processes that have crashed, and delete their leases. Each is returned to one caller only."""
    now = _now(session)
    others = (col(LeaseRow.name).startswith(_PROCESS), col(LeaseRow.holder) != process)
    query = select(LeaseRow).where(*others).with_for_update(skip_locked=True)
    ended = [lease for lease in session.exec(query) if lease.expires_at <= now or is_gone(lease.holder)]
    for lease in ended:
        session.delete(lease)
    return [lease.holder for lease in ended]


def _now(session: Session) -> datetime:
    """Return the time of the database's clock, as the clocks of several machines may differ."""
    return session.exec(select(type_coerce(func.current_timestamp(), Moment()))).one()
