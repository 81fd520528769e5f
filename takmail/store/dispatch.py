"""Letters in delivery: claim them under a lease, in order for each recipient, and store the results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter

from sqlalchemy import ColumnElement, and_, bindparam, func, or_
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select, update

from takmail.commands.kinds import LetterState
from takmail.store.outbox import LEAVING, reduce_letter
from takmail.store.tables import OutboxRow

LEASE = timedelta(minutes=10)
"""How long an attempt to send may take before the letter counts as unsent again."""

SERVICE = "serve"
"""The default name of a process that sends."""


LONGEST_DELAY = timedelta(hours=3)
"""The longest delay of a queued letter. If one is due later than that, the clock was set back."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A letter that a process has claimed. `held_before` is the process that claimed it before, or ''."""

    id: int
    mail_from: str
    mail_to: str
    raw: bytes
    game_id: int | None
    turn: int | None
    attempts: int
    held_before: str


def _none_before(states: Sequence[LetterState], *, due: bool = False) -> ColumnElement[bool]:
    """No earlier letter to the same recipient is in one of these states, or none that is `due`.

    The index finds the first one for each letter. PostgreSQL would make a join of `NOT EXISTS`, quadratic in the
    letters to one recipient.
    """
    other = aliased(OutboxRow)
    which = [col(other.mail_to) == OutboxRow.mail_to, col(other.state).in_(states)]
    if due:
        which.append(col(other.due_at) <= bindparam("now"))
    first = select(func.min(other.id)).where(*which).scalar_subquery()
    return func.coalesce(first, OutboxRow.id) >= OutboxRow.id


_PUT_OFF = (LetterState.BOUNCED, LetterState.POSTPONED)
_IS_QUEUED = col(OutboxRow.state) == LetterState.QUEUED
_IS_PUT_OFF = col(OutboxRow.state).in_(_PUT_OFF)
_IS_DUE = col(OutboxRow.due_at) <= bindparam("now")
_NONE_QUEUED_BEFORE = _none_before([LetterState.QUEUED])
"""Letters never overtake each other, except for postponed ones."""
_CLAIMED_COLUMNS = (
    OutboxRow.id,
    OutboxRow.mail_from,
    OutboxRow.mail_to,
    OutboxRow.raw,
    OutboxRow.game_id,
    OutboxRow.reported_turn,
    OutboxRow.attempts,
    OutboxRow.claimed_by,
)
_THESE = col(OutboxRow.id).in_(bindparam("numbers", expanding=True))
_UNSETTLED = col(OutboxRow.state).in_((LetterState.QUEUED, LetterState.RESTING))
_DUE = (
    select(*_CLAIMED_COLUMNS)  # type: ignore[call-overload]  # it knows no more than four columns by their types
    .where(_IS_QUEUED, _IS_DUE, _NONE_QUEUED_BEFORE)
    # Ordered as the index on state and time, so that the query ends after the last row it takes.
    .order_by(col(OutboxRow.due_at), col(OutboxRow.id))
    .limit(bindparam("most"))
    # SQLite has one writer at a time. In other databases another process may be claiming now.
    .with_for_update(skip_locked=True)
)
_DUE_AGAIN = (
    select(*_CLAIMED_COLUMNS)  # type: ignore[call-overload]
    .where(
        _NONE_QUEUED_BEFORE,
        or_(
            # Postponed letters don't block each other. But claimed by two processes, one could overtake the other.
            and_(_IS_PUT_OFF, _IS_DUE, _none_before(_PUT_OFF, due=True)),
            and_(_IS_QUEUED, col(OutboxRow.due_at) > bindparam("too_late")),
        ),
    )
    .order_by(col(OutboxRow.id))
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_CLAIM = (
    update(OutboxRow)
    .where(_THESE)
    .values(state=LetterState.QUEUED, due_at=bindparam("lease_ends"), claimed_by=bindparam("by"), error="")
    .execution_options(synchronize_session=False)
)
_SENT = (
    update(OutboxRow)
    .where(_THESE, _UNSETTLED)
    .values(state=LetterState.SENT, error="")
    .execution_options(synchronize_session=False)
)
_PURGED_AFTER_SEND = (
    select(OutboxRow)
    .where(_THESE, col(OutboxRow.purge_after_send).is_(True))
    .execution_options(populate_existing=True)
)
_WAITING = select(func.count()).where(col(OutboxRow.state) == LetterState.QUEUED)
_NEXT_DUE = (
    select(OutboxRow.due_at)
    .where(col(OutboxRow.state) == bindparam("state"), _NONE_QUEUED_BEFORE)
    .order_by(col(OutboxRow.due_at))
    .limit(1)
)


def claim(session: Session, now: datetime, by: str = SERVICE, most: int = 1) -> list[Claimed]:
    """Claim the letters that have been due the longest, one to each recipient, under a lease for `by`."""
    span = {"now": now, "too_late": now + LONGEST_DELAY, "most": most}
    rows = [*session.execute(_DUE_AGAIN, span), *session.execute(_DUE, {"now": now, "most": most})]
    firsts: dict[str, Claimed] = {}
    for one in sorted((Claimed(*row) for row in rows[:most]), key=attrgetter("id")):
        firsts.setdefault(one.mail_to, one)
    letters = list(firsts.values())
    if letters:
        numbers = [one.id for one in letters]
        session.execute(_CLAIM, {"numbers": numbers, "lease_ends": now + LEASE, "by": by})
    return letters


def unclaim(session: Session, letters: Iterable[Claimed], now: datetime) -> None:
    """Release letters that were claimed but never handed over."""
    for one in letters:
        _store_result(session, one.id, due_at=now, claimed_by=one.held_before)


def waiting(session: Session) -> int:
    """Return the number of queued letters."""
    return session.exec(_WAITING).one()


def next_due(session: Session) -> datetime | None:
    """Return when the next letter is due, or None."""
    found = (session.exec(_NEXT_DUE, params={"state": state}).first() for state in LEAVING)
    return min((due for due in found if due is not None), default=None)


def sent(session: Session, numbers: Sequence[int]) -> bool:
    """Mark letters as sent. Return True if content of one was purged, as it must not be kept."""
    if not numbers:
        return False
    session.execute(_SENT, {"numbers": numbers})
    return _purge(session, numbers)


def failed(session: Session, number: int, error: str) -> bool:
    """Mark a letter as failed for good. Return what `sent` returns."""
    _store_result(session, number, state=LetterState.FAILED, error=error)
    return _purge(session, [number])


def later(session: Session, number: int, due: datetime, attempts: int, error: str) -> None:
    """Store when to try a letter again, and how often the server has refused it."""
    _store_result(session, number, due_at=due, attempts=attempts, error=error)


def release(session: Session, now: datetime, by: str = SERVICE) -> None:
    """End the leases of `by`, which has ended. Letters that are scheduled for later keep their time."""
    session.exec(
        update(OutboxRow)
        .where(
            col(OutboxRow.state) == LetterState.QUEUED,
            col(OutboxRow.error) == "",
            col(OutboxRow.claimed_by) == by,
        )
        .values(due_at=now)
    )


def _store_result(session: Session, number: int, **values: object) -> None:
    """Store the result of an attempt, unless a bounce was processed first."""
    session.exec(update(OutboxRow).where(col(OutboxRow.id) == number, _UNSETTLED).values(**values))


def _purge(session: Session, numbers: Sequence[int]) -> bool:
    """Purge those of these letters that name an erased player. Return whether there is one."""
    is_any = False
    for letter in session.execute(_PURGED_AFTER_SEND, {"numbers": numbers}).scalars():
        if letter.state in (LetterState.SENT, LetterState.FAILED):
            reduce_letter(letter)
            letter.text, letter.html_text, letter.mail_to, letter.error = "", None, "", ""
            session.add(letter)
            is_any = True
    return is_any
