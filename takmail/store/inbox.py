"""The queue of incoming mails: each is kept whole before anything is made of it."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

import sqlalchemy
from sqlalchemy import and_, bindparam, func, or_
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select, update

from takmail.commands.kinds import MailState
from takmail.store import mailboxes
from takmail.store.statements import as_stored, insert, run
from takmail.store.tables import IntakeRow
from takmail.store.tables.column_types import ADDRESS, LARGEST
from takmail.store.tables.mails import IN_HAND

ATTEMPTS = 3
"""The most attempts at a mail that makes its handler raise, before it is shunted."""


class NotOurs(Exception):  # noqa: N818 - another process was quicker, which is no error
    """A mail is in the hand of another process, or has been handled by it."""


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
_END = (
    update(IntakeRow)
    .where(col(IntakeRow.id) == bindparam("number"))
    .values(
        state=bindparam("ends"),
        note=bindparam("why"),
        game_id=bindparam("about"),
        turn=bindparam("played"),
        queue=None,
        claimed_by="",
        is_costly=bindparam("costs"),
    )
    .execution_options(synchronize_session=False)
)
_END_CLAIMED = _END.where(col(IntakeRow.state) == MailState.NEW, col(IntakeRow.claimed_by) == bindparam("by"))
_EARLIER = aliased(IntakeRow)
# Not as NOT EXISTS: PostgreSQL would make a join of it, and read all mails that wait for each that is claimed.
_BEFORE_IT = (
    select(_EARLIER.id)
    .where(
        col(_EARLIER.queue) == IntakeRow.queue,
        col(_EARLIER.state) == MailState.NEW,
        col(_EARLIER.id) < IntakeRow.id,
    )
    .limit(1)
    .scalar_subquery()
)
# What this process has claimed, and has no longer in hand, is free again: the database was away meanwhile.
_FREE = or_(
    col(IntakeRow.claimed_by) == "",
    and_(
        col(IntakeRow.claimed_by) == bindparam("by"),
        col(IntakeRow.id).not_in(bindparam("in_hand", expanding=True)),
    ),
)
_NEXT = (
    select(IntakeRow)
    .where(col(IntakeRow.state) == MailState.NEW, _FREE, _BEFORE_IT.is_(None))
    .order_by(col(IntakeRow.id))
    .limit(1)
    # SQLite has one writer at a time; elsewhere others have mails in hand just now, and keep what comes behind them.
    .with_for_update(skip_locked=True, of=IntakeRow)
)
_CLAIM = (
    update(IntakeRow)
    .where(col(IntakeRow.id) == bindparam("number"))
    .values(claimed_by=bindparam("by"), claimed_at=bindparam("now"), attempts=col(IntakeRow.attempts) + 1)
    .execution_options(synchronize_session=False)
)
_HOLDERS = (
    select(IntakeRow.claimed_by, func.max(IntakeRow.claimed_at).label("last"))
    .where(col(IntakeRow.state) == MailState.NEW, IN_HAND)
    .group_by(col(IntakeRow.claimed_by))
)
_THIS = select(IntakeRow).where(col(IntakeRow.id) == bindparam("number")).with_for_update()


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
    if mail.uid is not None and mailboxes.known(session, mail.mailbox, mail.uid_validity, [mail.uid]):
        return None
    twin = first_of_kind(session, mail.fingerprint)
    if twin is None and _is_first(session, mail):
        return mail
    if mail.uid is not None and mailboxes.known(session, mail.mailbox, mail.uid_validity, [mail.uid]):
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
    kept = mailboxes.known(
        session, first.mailbox, first.uid_validity, [mail.uid for mail in mails if mail.uid]
    )
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


def waiting(session: Session) -> Sequence[int]:
    """The numbers of the mails that nothing has been made of yet, oldest first."""
    return [number for number in session.exec(_WAITING) if number is not None]


def claim(session: Session, now: datetime, by: str, in_hand: Sequence[int] = ()) -> IntakeRow | None:
    """Claim the next mail in the name of `by` and count the attempt; None where none waits or others have them all.

    The mails of one queue are handled in the order in which they came. `in_hand` are those that `by` is at.
    """
    mail = session.exec(_NEXT, params={"by": by, "in_hand": in_hand}).first()
    if mail is not None:
        run(session, _CLAIM, number=mail.id, by=by, now=now)
        as_stored(mail, attempts=mail.attempts + 1, claimed_by=by, claimed_at=now)
    return mail


def give_back(session: Session, number: int, by: str) -> None:
    """Let go of a mail that was claimed and not handled, as if it had never been claimed."""
    mine = (
        col(IntakeRow.id) == number,
        col(IntakeRow.state) == MailState.NEW,
        col(IntakeRow.claimed_by) == by,
    )
    session.exec(update(IntakeRow).where(*mine).values(claimed_by="", attempts=col(IntakeRow.attempts) - 1))


def release(session: Session, by: str) -> None:
    """Let others claim what a process that is gone had in hand."""
    theirs = (col(IntakeRow.state) == MailState.NEW, col(IntakeRow.claimed_by) == by)
    session.exec(update(IntakeRow).where(*theirs).values(claimed_by=""))


def holders(session: Session) -> Sequence[tuple[str, datetime]]:
    """The processes that have mails in hand, and when each has claimed its last one."""
    return [(row.claimed_by, row.last) for row in run(session, _HOLDERS)]


def get(session: Session, number: int) -> IntakeRow:
    """The mail with this number, which is known to exist; no other process handles it meanwhile."""
    return session.exec(_THIS, params={"number": number}).one()


def find(session: Session, number: int) -> IntakeRow | None:
    """As `get`, but None where there is no such mail."""
    if number > LARGEST:
        return None
    return session.get(IntakeRow, number, with_for_update=True)


def put_back(session: Session, mail: IntakeRow, queue: str | None, *, is_persons: bool) -> None:
    """Let a mail wait again as if it had just come; where it lies in the mailbox stays as it is."""
    mail.state, mail.raised, mail.note, mail.queue = MailState.NEW, 0, "", queue
    mail.claimed_by, mail.is_costly, mail.game_id, mail.turn = "", False, None, None
    mail.is_persons = mail.is_persons or is_persons
    session.add(mail)


def reduce(mail: IntakeRow) -> None:
    """Keep no more of a mail than that it came and how it ended."""
    mail.raw, mail.sender, mail.queue, mail.is_reduced = b"", None, None, True


def end(
    session: Session,
    number: int,
    state: MailState,
    note: str = "",
    *,
    claimed_by: str | None = None,
    is_costly: bool = False,
    game: int | None = None,
    turn: int | None = None,
) -> None:
    """Note where a mail ends, and why; `game` is the one that it was about, and `turn` the last that it has played.

    Raises NotOurs if it no longer waits in the hand of `claimed_by`, if given.
    """
    values = {
        "number": number,
        "ends": state,
        "why": note,
        "costs": is_costly,
        "about": game,
        "played": turn,
    }
    if claimed_by is None:
        run(session, _END, **values)
    elif not run(session, _END_CLAIMED, by=claimed_by, **values).rowcount:
        raise NotOurs(number)


def stumbled(session: Session, number: int, note: str, by: str) -> bool:
    """Note that handling a mail raised; True if it is shunted now, for the operator to look at."""
    mail = get(session, number)
    if mail.state != MailState.NEW or mail.claimed_by != by:
        return False  # Another process has handled it meanwhile, or has it in hand.
    mail.raised += 1
    mail.note, mail.claimed_by = note, ""
    if mail.raised >= ATTEMPTS:
        mail.state, mail.queue = MailState.SHUNTED, None
    session.add(mail)
    return mail.state == MailState.SHUNTED
