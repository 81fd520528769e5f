"""The queue of incoming mails: each is kept whole before anything is made of it."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, LargeBinary, bindparam, exists, func, true
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased, defer
from sqlmodel import Session, col, select, update

from takmail.store.quick import as_stored, insert, run
from takmail.store.tables import IntakeRow, MailState, Watermark
from takmail.store.tables.kinds import ADDRESS, LARGEST

ATTEMPTS = 3
"""How often a mail that makes its handler raise is tried before it is shunted."""

_NEW = sqlalchemy.insert(IntakeRow)
_FIRST_OF_KIND = (
    select(IntakeRow.id)
    .where(col(IntakeRow.fingerprint) == bindparam("fingerprint"))
    .order_by(col(IntakeRow.id))
    .limit(1)
)
_TWINS = select(IntakeRow.fingerprint).where(
    col(IntakeRow.fingerprint).in_(bindparam("fingerprints", expanding=True))
)
# Each row has the same columns then, and the statement stays one.
_INSERT = sqlalchemy.insert(IntakeRow).execution_options(render_nulls=True)
_WAITING = select(IntakeRow.id).where(col(IntakeRow.state) == MailState.NEW).order_by(col(IntakeRow.id))
_FINISH = (
    update(IntakeRow)
    .where(col(IntakeRow.id) == bindparam("number"))
    .values(state=bindparam("ends"), note=bindparam("why"), queue=None)
    .execution_options(synchronize_session=False)
)
_EARLIER = aliased(IntakeRow)
_NEXT = (
    select(IntakeRow)
    .where(
        col(IntakeRow.state) == MailState.NEW,
        ~exists().where(
            col(_EARLIER.queue) == IntakeRow.queue,
            col(_EARLIER.state) == MailState.NEW,
            col(_EARLIER.id) < IntakeRow.id,
        ),
    )
    .order_by(col(IntakeRow.id))
    .limit(1)
    # SQLite has one writer at a time; elsewhere others have mails in hand just now, and keep what comes behind them.
    .with_for_update(skip_locked=True, of=IntakeRow)
)
_THIS = select(IntakeRow).where(col(IntakeRow.id) == bindparam("number")).with_for_update()


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What a list shows of a mail: `head` are its first bytes."""

    number: int
    received_at: datetime
    state: MailState
    note: str
    size: int
    head: bytes


def fingerprint(raw: bytes, message_id: str | None, sender: str, *, is_whole: bool = True) -> str:
    """What two deliveries of one mail share: Message-ID and sender, or else the very bytes (SHA-256).

    One that was too long to be kept whole is no twin of the whole one, which may be taken later.
    """
    what = f"{message_id} {sender}".encode(errors="replace") if message_id else raw
    kind = ("id" if message_id else "raw") if is_whole else "cut"
    return f"{kind}:{hashlib.sha256(what).hexdigest()}"


def record(session: Session, mail: IntakeRow) -> IntakeRow | None:
    """Keep a mail; None if this very delivery is kept already. A second delivery is marked a duplicate."""
    mail.sender = (mail.sender or "")[: ADDRESS.length] or None
    if mail.uid is not None and known(session, mail.mailbox, mail.uid_validity, [mail.uid]):
        return None
    twin = first_of_kind(session, mail.fingerprint)
    if twin is None and _is_first(session, mail):
        return mail
    if mail.uid is not None and known(session, mail.mailbox, mail.uid_validity, [mail.uid]):
        return None  # by another process, since we looked
    mail.state, mail.original, mail.queue = MailState.DUPLICATE, None, None
    mail.note = f"the same mail as {twin or 'another'}"
    if twin is not None and session.get_one(IntakeRow, twin).is_reduced:
        reduce(mail)  # what is no longer kept does not come back by the mailbox
    session.add(mail)
    session.flush()
    return mail


def record_all(session: Session, mails: Sequence[IntakeRow]) -> None:
    """As `record` for each of these mails of one mailbox, and in few statements those that are new, as most are."""
    if not mails:
        return
    first = mails[0]
    kept = known(session, first.mailbox, first.uid_validity, [mail.uid for mail in mails if mail.uid])
    twins = set(session.exec(_TWINS, params={"fingerprints": [mail.fingerprint for mail in mails]}))
    new: list[IntakeRow] = []
    others: list[IntakeRow] = []
    for mail in mails:
        is_new = mail.uid not in kept and mail.fingerprint not in twins
        (new if is_new else others).append(mail)
        twins.add(mail.fingerprint)
    if new and not _are_first(session, new):
        others = [*mails]
    for mail in others:
        record(session, mail)


def _are_first(session: Session, mails: Sequence[IntakeRow]) -> bool:
    """Store these mails, each the first of its kind, unless another process has stored one since we looked."""
    rows = [
        {
            **mail.model_dump(exclude={"id"}),
            "sender": (mail.sender or "")[: ADDRESS.length] or None,
            "original": mail.fingerprint,
        }
        for mail in mails
    ]
    try:
        with session.begin_nested():
            session.execute(_INSERT, rows)
    except IntegrityError:
        return False
    return True


def first_of_kind(session: Session, fingerprint: str) -> int | None:
    """The number of the mail that came first of all with this fingerprint, if one has."""
    return run(session, _FIRST_OF_KIND, fingerprint=fingerprint).scalar()


def _is_first(session: Session, mail: IntakeRow) -> bool:
    """Store a mail as the first of its kind, unless another process has done so since we looked."""
    mail.original = mail.fingerprint
    try:
        with session.begin_nested():
            mail.id = insert(session, _NEW, mail)
    except IntegrityError:
        return False
    return True


def known(session: Session, mailbox: str, uid_validity: int | None, uids: Iterable[int]) -> set[int]:
    """Which of these UIDs are kept already."""
    query = select(IntakeRow.uid).where(
        IntakeRow.mailbox == mailbox,
        IntakeRow.uid_validity == uid_validity,
        col(IntakeRow.uid).in_(list(uids)),
    )
    return {uid for uid in session.exec(query).all() if uid is not None}


def waiting(session: Session) -> Sequence[int]:
    """The numbers of the mails that nothing has been made of yet, oldest first."""
    return [number for number in session.exec(_WAITING) if number is not None]


def claim(session: Session) -> IntakeRow | None:
    """The next mail to be dealt with, for this transaction alone; None where none waits or others have them all.

    The mails of one queue are dealt with in the order in which they came. Whoever dies lets go of it by that.
    """
    return session.exec(_NEXT).first()


def get(session: Session, number: int) -> IntakeRow:
    """The mail with this number, which is known to exist; no other process deals with it meanwhile."""
    return session.exec(_THIS, params={"number": number}).one()


def find(session: Session, number: int) -> IntakeRow | None:
    """As `get`, but None where there is no such mail."""
    if number > LARGEST:
        return None
    return session.get(IntakeRow, number, with_for_update=True)


def count(session: Session, states: Sequence[MailState]) -> int:
    """How many mails are in these states, or in any where none is given."""
    return session.exec(select(func.count()).select_from(IntakeRow).where(_in_one_of(states))).one()


def shunted(session: Session) -> frozenset[int]:
    """The numbers of the mails that raised."""
    query = select(IntakeRow.id).where(IntakeRow.state == MailState.SHUNTED)
    return frozenset(number for number in session.exec(query) if number is not None)


def newest(session: Session, states: Sequence[MailState], last: int, head_bytes: int) -> list[Glimpse]:
    """The `last` mails of those that `count` counts, the newest at the end; of each only its first bytes are read."""
    raw: Any = col(IntakeRow.raw)
    query = (
        select(IntakeRow, func.length(raw), func.substr(raw, 1, head_bytes, type_=LargeBinary()))
        .options(defer(raw))
        .where(_in_one_of(states))
        .order_by(col(IntakeRow.id).desc())
        .limit(min(last, LARGEST))
    )
    return [
        Glimpse(
            row.id or 0,
            row.received_at,
            MailState(row.state),
            row.note,
            max(row.size, length),
            bytes(head or b""),
        )
        for row, length, head in reversed(session.exec(query).all())
    ]


def _in_one_of(states: Sequence[MailState]) -> ColumnElement[bool]:
    return col(IntakeRow.state).in_(states) if states else true()


def put_back(session: Session, mail: IntakeRow, *, is_persons: bool) -> None:
    """Let a mail wait again as if it had just come; where it lies in the mailbox stays as it is."""
    mail.state, mail.attempts, mail.note, mail.queue = MailState.NEW, 0, "", mail.sender
    mail.is_persons = mail.is_persons or is_persons
    session.add(mail)


def kept(session: Session) -> Iterator[tuple[int, bytes]]:
    """The mails that are kept, by number, one after the other."""
    numbers = select(IntakeRow.id).where(
        col(IntakeRow.is_reduced).is_(False), IntakeRow.state != MailState.OLDER
    )
    for number in session.exec(numbers).all():
        raw = session.exec(select(IntakeRow.raw).where(IntakeRow.id == number)).one()
        yield number or 0, raw


def reduce(mail: IntakeRow) -> None:
    """Keep no more of a mail than that it came and what became of it."""
    mail.raw, mail.sender, mail.queue, mail.is_reduced = b"", None, None, True


def finish(session: Session, mail: IntakeRow, state: MailState, note: str = "") -> None:
    """Note what became of a mail."""
    run(session, _FINISH, number=mail.id, ends=state, why=note)
    as_stored(mail, state=state, note=note, queue=None)


def stumbled(session: Session, number: int, note: str) -> bool:
    """Note that handling a mail raised; True if it is shunted now, for the operator to look at."""
    mail = get(session, number)
    if mail.state != MailState.NEW:
        return False  # Another process has dealt with it meanwhile.
    mail.attempts += 1
    mail.note = note
    if mail.attempts >= ATTEMPTS:
        mail.state, mail.queue = MailState.SHUNTED, None
    session.add(mail)
    return mail.state == MailState.SHUNTED


def shunt(session: Session, number: int, note: str) -> bool:
    """Keep a mail for the operator at once, where more attempts would come to the same; False: it is dealt with."""
    mail = get(session, number)
    if mail.state != MailState.NEW:
        return False
    mail.state, mail.note, mail.queue = MailState.SHUNTED, note, None
    session.add(mail)
    return True


def kept_for(session: Session, reason: str) -> Sequence[int]:
    """The mails that are kept for a reason that begins so, oldest first."""
    is_so = col(IntakeRow.note).startswith(reason, autoescape=True)
    query = select(IntakeRow.id).where(IntakeRow.state == MailState.SHUNTED, is_so)
    return [number for number in session.exec(query.order_by(col(IntakeRow.id))) if number is not None]


def that_played(session: Session, game_id: int, turn: int) -> int | None:
    """The newest mail that has played a turn of this number, as its note says, if one has."""
    what = f"game {game_id}, turn {turn}"
    query = select(IntakeRow.id, IntakeRow.note).where(
        IntakeRow.state == MailState.PLAYED, col(IntakeRow.note).contains(what, autoescape=True)
    )
    found = session.exec(query.order_by(col(IntakeRow.id).desc()))
    return next((number for number, note in found if re.search(rf"\b{what}\b", note)), None)


def to_file(
    session: Session, mailbox: str, uid_validity: int, present: Sequence[int]
) -> Mapping[int, MailState]:
    """Which of the mails with these UIDs are dealt with and not moved, ascending, and where each has ended."""
    query = (
        select(IntakeRow.uid, IntakeRow.state)
        .where(
            IntakeRow.mailbox == mailbox,
            IntakeRow.uid_validity == uid_validity,
            col(IntakeRow.uid).in_(present),
            IntakeRow.state != MailState.NEW,
            col(IntakeRow.filed).is_(False),
        )
        .order_by(col(IntakeRow.uid))
    )
    return {uid: MailState(state) for uid, state in session.exec(query).all() if uid is not None}


def filed(session: Session, mailbox: str, uid_validity: int, uids: Sequence[int]) -> None:
    """Note that these mails have been moved away."""
    session.exec(
        update(IntakeRow)
        .where(
            col(IntakeRow.mailbox) == mailbox,
            col(IntakeRow.uid_validity) == uid_validity,
            col(IntakeRow.uid).in_(list(uids)),
        )
        .values(filed=True)
    )


def watermark(session: Session, mailbox: str, uid_validity: int, last_uid: int, now: datetime) -> int:
    """The UID up to which mails are older than takmail and left alone; set at a mailbox's very first call."""
    mark = session.get(Watermark, mailbox)
    if mark is None:
        with suppress(IntegrityError), session.begin_nested():
            session.add(
                Watermark(mailbox=mailbox, uid_validity=uid_validity, uid=last_uid, first_started_at=now)
            )
        mark = session.get_one(
            Watermark, mailbox
        )  # ours, or that of another process that has just been quicker
    return mark.uid if mark.uid_validity == uid_validity else 0


def first_start_to_heed(session: Session, mailbox: str, uid_validity: int) -> datetime | None:
    """The moment before which mails are older than takmail, when UIDs can't tell that any more; else None.

    The server has numbered the mailbox anew (RFC 3501 §2.3.1.1). In whole seconds, as INTERNALDATE is.
    """
    mark = session.get(Watermark, mailbox)
    if mark is None or mark.uid_validity == uid_validity or mark.uid == 0:
        return None
    return mark.first_started_at.replace(microsecond=0)
