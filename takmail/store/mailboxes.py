"""Queries about a mailbox: which of its mails are stored, which have to be moved, and its watermark."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime

import sqlmodel
from sqlalchemy import bindparam
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, update

from takmail.store.statements import run, select
from takmail.store.tables import InboxRow, WatermarkRow
from takmail.world import MailState

_THESE = (
    col(InboxRow.mailbox) == bindparam("box"),
    col(InboxRow.uid_validity) == bindparam("validity"),
    col(InboxRow.uid).in_(bindparam("uids", expanding=True)),
)
_KNOWN = select(InboxRow.uid).where(*_THESE)
_TO_FILE = (
    select(InboxRow.uid, InboxRow.state)
    .where(*_THESE, col(InboxRow.state) != MailState.NEW, col(InboxRow.is_filed).is_(False))
    .order_by(col(InboxRow.uid))
)
_FILED = update(InboxRow).where(*_THESE).values(is_filed=True)


def known(session: Session, mailbox: str, uid_validity: int | None, uids: Iterable[int]) -> set[int]:
    """Return those of these UIDs whose mails are stored in the inbox."""
    return set(run(session, _KNOWN, box=mailbox, validity=uid_validity, uids=list(uids)).scalars())


def to_file(
    session: Session, mailbox: str, uid_validity: int, present: Sequence[int]
) -> Mapping[int, MailState]:
    """Return the states of the handled mails that are not moved yet, by UID, ascending. `present` are the UIDs."""
    return dict(run(session, _TO_FILE, box=mailbox, validity=uid_validity, uids=present))


def filed(session: Session, mailbox: str, uid_validity: int, uids: Sequence[int]) -> None:
    """Mark these mails as moved."""
    run(session, _FILED, box=mailbox, validity=uid_validity, uids=list(uids))


def forget_gone(session: Session, mailbox: str, uid_validity: int, present: Iterable[int]) -> int:
    """Forget the waiting mails that have left the mailbox, and return how many. `present` are the UIDs in it.

    Only what reads the mailbox moves mails out of it, and this database has moved none that wait.
    """
    waiting = (
        col(InboxRow.mailbox) == mailbox,
        col(InboxRow.uid_validity) == uid_validity,
        col(InboxRow.state) == MailState.NEW,
    )
    gone = set(session.exec(sqlmodel.select(InboxRow.uid).where(*waiting))) - set(present)
    for uid in gone:
        session.exec(delete(InboxRow).where(*waiting, col(InboxRow.uid) == uid))
    return len(gone)


def watermark(
    session: Session, mailbox: str, uid_validity: int, last_uid: int, now: datetime
) -> tuple[int, bool]:
    """Return the UID up to which mails are older than takmail and ignored, and whether this is the first call.

    The first call sets it to `last_uid`. It is 0 if the server has changed UIDVALIDITY, as UIDs then say nothing about
    the age.
    """
    known = session.get(WatermarkRow, mailbox)
    if known is None:
        with suppress(IntegrityError), session.begin_nested():
            session.add(
                WatermarkRow(mailbox=mailbox, uid_validity=uid_validity, uid=last_uid, first_started_at=now)
            )
    # It may be the new row, or that of another process that was quicker.
    mark = session.get_one(WatermarkRow, mailbox)
    return mark.uid if mark.uid_validity == uid_validity else 0, known is None


def first_start_to_heed(session: Session, mailbox: str, uid_validity: int) -> datetime | None:
    """Return the time of takmail's first start if mails before it have to be told apart by date, otherwise None.

    That is so after the server has changed UIDVALIDITY, which gives all mails new UIDs (RFC 3501 §2.3.1.1). The time
    is in whole seconds, as INTERNALDATE is.
    """
    mark = session.get(WatermarkRow, mailbox)
    if mark is None or mark.uid_validity == uid_validity or mark.uid == 0:
        return None
    return mark.first_started_at.replace(microsecond=0)
