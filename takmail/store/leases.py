"""Leases: what one process alone does at a time, and which processes there are; all by the database's own clock."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import func, type_coerce
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from takmail.store.tables import LeaseRow, Moment

LENGTH = timedelta(seconds=30)
"""How long a lease holds that nobody renews."""

RENEWED_EVERY = LENGTH / 3
"""How often a process that lives renews its leases, and looks for those that have ended."""

_PROCESS = "process "
_ANY = "any process"
"""What each process renews and none gives back: it tells when the last one was there."""


def take(session: Session, what: str, holder: str, is_gone: Callable[[str], bool]) -> bool:
    """Take a lease, or renew it; False: another one has it, who may be there still.

    `is_gone` tells of a holder whether it is known to be gone, before its lease has run out.
    """
    now = _now(session)
    lease = session.get(LeaseRow, what, with_for_update=True)
    if lease is None:
        with suppress(IntegrityError), session.begin_nested():
            session.add(LeaseRow(what=what, holder=holder, until=now + LENGTH))
            session.flush()
            return True
        return False  # another process has been quicker
    if lease.holder != holder and lease.until > now and not is_gone(lease.holder):
        return False
    lease.holder, lease.until = holder, now + LENGTH
    session.add(lease)
    session.flush()
    return True


def give_back(session: Session, what: str, holder: str) -> None:
    """End a lease before its time, if it is still this holder's."""
    session.exec(delete(LeaseRow).where(col(LeaseRow.what) == what, col(LeaseRow.holder) == holder))


def is_here(session: Session, process: str) -> None:
    """Note that a process lives."""
    take(session, _PROCESS + process, process, lambda _: False)
    take(session, _ANY, process, lambda _: True)


def leaves(session: Session, process: str) -> None:
    """Note that a process ends, with nothing left in its hands."""
    give_back(session, _PROCESS + process, process)


def present(session: Session, is_gone: Callable[[str], bool]) -> int:
    """How many processes are there now."""
    query = select(LeaseRow).where(
        col(LeaseRow.what).startswith(_PROCESS), col(LeaseRow.until) > _now(session)
    )
    return sum(not is_gone(one.holder) for one in session.exec(query))


def since_last(session: Session) -> timedelta | None:
    """How long ago a process said that it is there, to some seconds; None: none ever has."""
    lease = session.get(LeaseRow, _ANY)
    return None if lease is None else _now(session) - (lease.until - LENGTH)


def gone(session: Session, process: str, is_gone: Callable[[str], bool]) -> Sequence[str]:
    """The processes that have ended without a word, each told to one `process` that asks, alone."""
    now = _now(session)
    others = (col(LeaseRow.what).startswith(_PROCESS), col(LeaseRow.holder) != process)
    query = select(LeaseRow).where(*others).with_for_update(skip_locked=True)
    ended = [one for one in session.exec(query) if one.until <= now or is_gone(one.holder)]
    for lease in ended:
        session.delete(lease)
    session.flush()
    return [one.holder for one in ended]


def _now(session: Session) -> datetime:
    """The time by the database's clock: those of several machines may differ."""
    return session.exec(select(type_coerce(func.current_timestamp(), Moment()))).one()
