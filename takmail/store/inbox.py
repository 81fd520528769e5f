"""The inbox: store incoming mails, claim them in order, and store how each one ended."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import ColumnElement, Insert, Integer, LargeBinary, and_, bindparam, func, or_, true
from sqlalchemy.orm import aliased, defer
from sqlmodel import Session, col, update

from takmail.games.readonly import replace
from takmail.limits.mails import MAIL_ROW_BYTES, Excess
from takmail.store import mailboxes
from takmail.store.personal_data import REDUCED_MAIL
from takmail.store.statements import insert, run, run_many, select
from takmail.store.tables import InboxRow
from takmail.store.tables.column_types import ADDRESS, LARGEST
from takmail.store.tables.mails import IS_CLAIMED
from takmail.world import MailState

_DAY = timedelta(days=1)
ATTEMPTS = 3
"""The number of exceptions while handling a mail after which the mail is shunted."""


class ClaimLost(Exception):  # noqa: N818 - not a bug, as another process was quicker
    """Another process has claimed or handled the mail."""


@dataclass(frozen=True, slots=True)
class NewMail:
    """The columns of a mail to be stored, as `InboxRow` describes them. The others get their defaults."""

    fingerprint: str
    received_at: datetime
    raw: bytes = b""
    size: int = 0
    mailbox: str = ""
    uid_validity: int | None = None
    uid: int | None = None
    sender: str | None = None
    queue: str | None = None
    state: MailState = MailState.NEW
    note: str = ""
    is_filed: bool = False
    arrived_at: datetime | None = None
    excess: Excess | None = None
    budget: str | None = None


@dataclass(frozen=True, slots=True)
class StoredMail:
    """What handling a mail needs of its row. `attempts` counts the current attempt."""

    id: int
    raw: bytes
    size: int
    fingerprint: str
    is_from_person: bool
    attempts: int
    received_at: datetime
    arrived_at: datetime | None
    excess: Excess | None = None
    budget: str | None = None
    part_of: int | None = None
    part: int | None = None

    @property
    def name(self) -> str:
        """The name of the mail for the operator."""
        return name_of(self.id, self.part_of, self.part)


def name_of(number: int | None, part_of: int | None, part: int | None) -> str:
    """Return the name of a mail for the operator. A part is named after its mail."""
    return f"mail {number}" if part_of is None else f"mail {part_of}, part {part}"


_OF_NEW_MAIL = tuple(field.name for field in fields(NewMail))
_FIRST_OF_KIND = (
    select(InboxRow.id)
    .where(col(InboxRow.fingerprint) == bindparam("fingerprint"))
    .order_by(col(InboxRow.id))
    .limit(1)
)
_FINISH = (
    update(InboxRow)
    .where(
        col(InboxRow.id) == bindparam("number"),
        col(InboxRow.state) == MailState.NEW,
        col(InboxRow.claimed_by) == bindparam("by"),
    )
    .values(
        state=bindparam("ends"),
        note=bindparam("why"),
        # A part is for its game, even if it was rejected.
        game_id=func.coalesce(bindparam("about", type_=Integer), col(InboxRow.game_id)),
        turn=bindparam("played"),
        queue=None,
        claimed_by="",
        is_costly=bindparam("costs"),
    )
)
_EARLIER = aliased(InboxRow)
# PostgreSQL would turn NOT EXISTS into a join that reads all waiting mails for each claim.
_BEFORE_IT = (
    select(_EARLIER.id)
    .where(
        col(_EARLIER.queue) == InboxRow.queue,
        col(_EARLIER.state) == MailState.NEW,
        col(_EARLIER.id) < InboxRow.id,
    )
    .limit(1)
    .scalar_subquery()
)
# A mail may be claimed by this process although it isn't working on the mail, as the database was unavailable when the
# claim should have been released. Such a mail is free.
_FREE = or_(
    col(InboxRow.claimed_by) == "",
    and_(
        col(InboxRow.claimed_by) == bindparam("by"),
        col(InboxRow.id).not_in(bindparam("in_hand", expanding=True)),
    ),
)
_STORED = (
    InboxRow.id,
    InboxRow.raw,
    InboxRow.size,
    InboxRow.fingerprint,
    InboxRow.is_from_person,
    InboxRow.attempts,
    InboxRow.received_at,
    InboxRow.arrived_at,
    InboxRow.excess,
    InboxRow.budget,
    InboxRow.part_of,
    InboxRow.part,
)
"""The columns of a mail, in the order of `StoredMail`."""
_THIS = select(*_STORED).where(col(InboxRow.id) == bindparam("number"))
_NEXT = (
    select(*_STORED)
    .where(col(InboxRow.state) == MailState.NEW, _FREE, _BEFORE_IT.is_(None))
    .order_by(col(InboxRow.id))
    .limit(1)
    # Skip mails that another process is claiming now. SQLite has only one writer at a time.
    .with_for_update(skip_locked=True, of=InboxRow)
)
_CLAIM = (
    update(InboxRow)
    .where(col(InboxRow.id) == bindparam("number"))
    .values(claimed_by=bindparam("by"), claimed_at=bindparam("now"), attempts=col(InboxRow.attempts) + 1)
)
_CLAIMANTS = (
    select(InboxRow.claimed_by, func.max(InboxRow.claimed_at).label("last"))
    .where(col(InboxRow.state) == MailState.NEW, IS_CLAIMED)
    .group_by(col(InboxRow.claimed_by))
)


_SHORTEN = update(InboxRow).where(col(InboxRow.id) == bindparam("number")).values(raw=bindparam("kept"))
_STORED_BYTES: Any = func.sum(func.length(InboxRow.raw) + MAIL_ROW_BYTES)
# After the clock was set back, mails from the future don't count.
_BYTES_WITHIN = select(_STORED_BYTES).where(
    col(InboxRow.budget) == bindparam("whose"),
    col(InboxRow.received_at) > bindparam("since"),
    col(InboxRow.received_at) <= bindparam("now"),
)
STRANGERS = ""
"""The budget of bytes of all strangers together."""


def fingerprint(raw: bytes, message_id: str | None, sender: str, *, is_whole: bool = True) -> str:
    """Return the fingerprint of a mail, which is the same for each delivery of the mail.

    It is a hash (SHA-256) of Message-ID and sender, or of all bytes if there is no Message-ID. A mail that was cut at
    the size limit gets another fingerprint than the whole mail, as the whole mail may be accepted later.
    """
    what = f"{message_id} {sender}".encode(errors="replace") if message_id else raw
    kind = ("id" if message_id else "raw") if is_whole else "cut"
    return f"{kind}:{hashlib.sha256(what).hexdigest()}"


def record(session: Session, mail: NewMail) -> int | None:
    """Store a mail and return its number, or None if the mail with this UID is stored already.

    A mail with the fingerprint of another mail is stored as a duplicate.
    """
    columns = _columns(mail)
    number = insert(session, _insert(session), {**columns, "unique_fingerprint": mail.fingerprint})
    if number is not None:
        return number
    if mail.uid is not None and mailboxes.known(session, mail.mailbox, mail.uid_validity, [mail.uid]):
        return None
    twin = session.get_one(InboxRow, first_of_kind(session, mail.fingerprint))
    columns |= {"state": MailState.DUPLICATE, "queue": None, "note": f"the same mail as {twin.id}"}
    if twin.is_reduced:
        columns |= REDUCED_MAIL  # a reduced mail must not come back through the mailbox
    return insert(session, _insert(session), columns)


def record_many(session: Session, mails: Sequence[NewMail]) -> None:
    """Store these mails of one mailbox as `record` does, but with few statements if most of them are new."""
    rows = [{**_columns(mail), "unique_fingerprint": mail.fingerprint} for mail in mails]
    if run_many(session, _insert(session), rows) == len(mails):
        return
    first, uids = mails[0], [mail.uid for mail in mails if mail.uid]
    kept = mailboxes.known(session, first.mailbox, first.uid_validity, uids)
    for mail in mails:
        if mail.uid not in kept:
            record(session, mail)


def _columns(mail: NewMail) -> dict[str, Any]:
    columns = {name: getattr(mail, name) for name in _OF_NEW_MAIL}
    return {**columns, "sender": (mail.sender or "")[: ADDRESS.length] or None}


def _insert(session: Session) -> Insert:
    """Return the statement that stores a mail, unless it collides with a stored one."""
    return _insert_for(session.connection().dialect.name)


@cache
def _insert_for(dialect: str) -> Insert:
    # A process uses one of the dialects, and loading the other takes 2 MiB.
    statement: Insert = (
        import_module(f"sqlalchemy.dialects.{dialect}").insert(InboxRow).on_conflict_do_nothing()
    )
    return statement


def record_part(session: Session, mail: NewMail, part_of: int, part: int, game: int | None) -> None:
    """Store a part of another mail, unless it is stored already, as its mail was put back and split again."""
    columns = {"unique_fingerprint": mail.fingerprint, "part_of": part_of, "part": part, "game_id": game}
    insert(session, _insert(session), {**_columns(mail), **columns})


def first_of_kind(session: Session, fingerprint: str) -> int | None:
    """Return the number of the first mail with this fingerprint, or None."""
    number: int | None = run(session, _FIRST_OF_KIND, fingerprint=fingerprint).scalar()
    return number


def claim(session: Session, now: datetime, by: str, in_hand: Sequence[int] = ()) -> StoredMail | None:
    """Claim the oldest free mail for process `by`, and count the attempt. Return None if no mail is free.

    A mail is free only if no earlier mail of its queue waits. `in_hand` are the claimed mails that `by` is working on.
    """
    row = run(session, _NEXT, by=by, in_hand=in_hand).first()
    if row is None:
        return None
    run(session, _CLAIM, number=row.id, by=by, now=now)
    return replace(StoredMail(*row), attempts=row.attempts + 1)


def claimed(session: Session, number: int) -> StoredMail:
    """Return a mail that this process has claimed."""
    return StoredMail(*run(session, _THIS, number=number).first())


def shorten(session: Session, number: int, raw: bytes) -> None:
    """Replace the bytes of a mail."""
    run(session, _SHORTEN, number=number, kept=raw)


def bytes_of_day(session: Session, budget: str, now: datetime) -> int:
    """Return how many bytes are stored of the mails that count in a budget and came within a day."""
    return int(run(session, _BYTES_WITHIN, whose=budget, since=now - _DAY, now=now).scalar() or 0)


def unclaim(session: Session, number: int, by: str) -> None:
    """Release a mail that was claimed but not handled, and don't count the attempt."""
    mine = (
        col(InboxRow.id) == number,
        col(InboxRow.state) == MailState.NEW,
        col(InboxRow.claimed_by) == by,
    )
    session.exec(update(InboxRow).where(*mine).values(claimed_by="", attempts=col(InboxRow.attempts) - 1))


def release(session: Session, by: str) -> None:
    """Release all mails that a process had claimed when it ended."""
    theirs = (col(InboxRow.state) == MailState.NEW, col(InboxRow.claimed_by) == by)
    session.exec(update(InboxRow).where(*theirs).values(claimed_by=""))


def holders(session: Session) -> Sequence[tuple[str, datetime]]:
    """Return the processes that have claimed mails, each with the time of its last claim."""
    return [(row.claimed_by, row.last) for row in run(session, _CLAIMANTS)]


def find(session: Session, number: int) -> InboxRow | None:
    """Return a mail, locked for this transaction, or None if there is no mail with this number."""
    if number > LARGEST:
        return None
    return session.get(InboxRow, number, with_for_update=True)


def put_back(mail: InboxRow, queue: str | None, *, is_from_person: bool) -> None:
    """Put a handled mail back into the queue, as if it had just arrived. In the mailbox it isn't moved."""
    mail.state, mail.errors, mail.note, mail.queue = MailState.NEW, 0, "", queue
    mail.claimed_by, mail.is_costly, mail.turn, mail.is_told = "", False, None, False
    mail.game_id = None if mail.part_of is None else mail.game_id
    mail.is_from_person = mail.is_from_person or is_from_person


def end(
    session: Session,
    number: int,
    state: MailState,
    note: str = "",
    *,
    claimed_by: str = "",
    is_costly: bool = False,
    game: int | None = None,
    turn: int | None = None,
) -> None:
    """Store the state in which a mail ended, and why (`note`).

    `game` is the mail's game, and `turn` the last turn that it played. Raises ClaimLost if process `claimed_by` no
    longer has the mail claimed. Without it, the mail must not be claimed.
    """
    ended = run(
        session,
        _FINISH,
        number=number,
        ends=state,
        why=note,
        costs=is_costly,
        about=game,
        played=turn,
        by=claimed_by,
    )
    if not ended.rowcount:
        raise ClaimLost(number)


def record_error(session: Session, number: int, note: str, by: str) -> bool:
    """Store that handling a mail failed with an exception, and release it. Return True if the mail is now shunted."""
    mail = session.get_one(InboxRow, number, with_for_update=True)
    if mail.state != MailState.NEW or mail.claimed_by != by:
        return False  # another process has handled or claimed the mail meanwhile
    mail.errors += 1
    mail.note, mail.claimed_by = note, ""
    if mail.errors >= ATTEMPTS:
        mail.state, mail.queue = MailState.SHUNTED, None
    return mail.state == MailState.SHUNTED


# For the operator.


def count(session: Session, states: Sequence[MailState]) -> int:
    """Return the number of mails in these states, or of all mails if none is given."""
    total = select(func.count()).select_from(InboxRow).where(_in_one_of(states))
    return int(session.execute(total).scalar_one())


def newest(
    session: Session, states: Sequence[MailState], last: int, head_bytes: int
) -> list[tuple[InboxRow, int, bytes]]:
    """Return the `last` newest mails in these states without their bytes, oldest first.

    With each come its full size and its first `head_bytes` bytes.
    """
    raw: Any = col(InboxRow.raw)
    query = (
        select(InboxRow, func.length(raw), func.substr(raw, 1, head_bytes, type_=LargeBinary()))
        .options(defer(raw))
        .where(_in_one_of(states))
        .order_by(col(InboxRow.id).desc())
        .limit(min(last, LARGEST))
    )
    return [
        (row, max(row.size, length), bytes(head or b""))
        for row, length, head in reversed(session.execute(query).all())
    ]


def _in_one_of(states: Sequence[MailState]) -> ColumnElement[bool]:
    return col(InboxRow.state).in_(states) if states else true()


def shunted_about(session: Session, game_id: int) -> Sequence[int]:
    """Return the shunted mails of a corrupt game that are not reduced, oldest first."""
    query = select(InboxRow.id).where(
        InboxRow.state == MailState.SHUNTED,
        InboxRow.game_id == game_id,
        col(InboxRow.is_costly).is_(False),
        col(InboxRow.is_reduced).is_(False),
    )
    return session.scalars(query.order_by(col(InboxRow.id))).all()
