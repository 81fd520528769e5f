"""Claim letters of the outbox for delivery, in order for each recipient, and store the results."""

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
"""How long a claim on a letter lasts. After that, any process may claim and send the letter."""

SERVICE = "serve"
"""The default name of the process that sends."""


LONGEST_DELAY = timedelta(hours=3)
"""The longest possible delay of a queued letter. A letter that is due later was queued before the clock was set back.
"""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A letter that this process has claimed. `held_before` is the process that last claimed it before, or ''."""

    id: int
    mail_from: str
    mail_to: str
    message_id: str
    raw: bytes
    drawings: str
    game_id: int | None
    reported_turn: int | None
    attempts: int
    held_before: str


def _no_earlier_letter(states: Sequence[LetterState], *, due: bool = False) -> ColumnElement[bool]:
    """Return the condition that no earlier letter to the same recipient is in one of these states.

    With `due`, only earlier letters that are due count. The subquery finds the first letter through the index.
    PostgreSQL would turn `NOT EXISTS` into a join, which is quadratic in the number of letters to one recipient.
    """
    other = aliased(OutboxRow)
    which = [col(other.mail_to) == OutboxRow.mail_to, col(other.state).in_(states)]
    if due:
        which.append(col(other.due_at) <= bindparam("now"))
    first = select(func.min(other.id)).where(*which).scalar_subquery()
    return func.coalesce(first, OutboxRow.id) >= OutboxRow.id


_BOUNCED_OR_POSTPONED = (LetterState.BOUNCED, LetterState.POSTPONED)
_IS_QUEUED = col(OutboxRow.state) == LetterState.QUEUED
_IS_BOUNCED_OR_POSTPONED = col(OutboxRow.state).in_(_BOUNCED_OR_POSTPONED)
_IS_DUE = col(OutboxRow.due_at) <= bindparam("now")
_NO_EARLIER_QUEUED = _no_earlier_letter([LetterState.QUEUED])
"""The condition that keeps letters to one recipient in order. Bounced and postponed letters may be overtaken."""
_CLAIMED_COLUMNS = (
    OutboxRow.id,
    OutboxRow.mail_from,
    OutboxRow.mail_to,
    OutboxRow.message_id,
    OutboxRow.raw,
    OutboxRow.drawings,
    OutboxRow.game_id,
    OutboxRow.reported_turn,
    OutboxRow.attempts,
    OutboxRow.claimed_by,
)
_THESE = col(OutboxRow.id).in_(bindparam("numbers", expanding=True))
_UNSETTLED = col(OutboxRow.state).in_((LetterState.QUEUED, LetterState.RESTING))
_DUE = (
    select(*_CLAIMED_COLUMNS)  # type: ignore[call-overload]  # it knows no more than four columns by their types
    .where(_IS_QUEUED, _IS_DUE, _NO_EARLIER_QUEUED)
    # In the order of the index on state and time, so that the database can stop at the limit.
    .order_by(col(OutboxRow.due_at), col(OutboxRow.id))
    .limit(bindparam("most"))
    # Skip rows that another process is claiming now. SQLite has only one writer at a time.
    .with_for_update(skip_locked=True)
)
_DUE_AGAIN = (
    select(*_CLAIMED_COLUMNS)  # type: ignore[call-overload]
    .where(
        _NO_EARLIER_QUEUED,
        or_(
            # Only the first due one of a recipient, as two processes that each send one could change the order.
            and_(_IS_BOUNCED_OR_POSTPONED, _IS_DUE, _no_earlier_letter(_BOUNCED_OR_POSTPONED, due=True)),
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
    .where(col(OutboxRow.state) == bindparam("state"), _NO_EARLIER_QUEUED)
    .order_by(col(OutboxRow.due_at))
    .limit(1)
)


def claim(session: Session, now: datetime, by: str = SERVICE, most: int = 1) -> list[Claimed]:
    """Claim up to `most` due letters for process `by`, at most one for each recipient, the longest due first."""
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
    """Release letters that were claimed but not handed to the mail server."""
    for one in letters:
        _store_result(session, one.id, due_at=now, claimed_by=one.held_before)


def waiting(session: Session) -> int:
    """Return the number of queued letters."""
    return session.exec(_WAITING).one()


def next_due(session: Session) -> datetime | None:
    """Return when the next letter is due, or None if no letter waits."""
    found = (session.exec(_NEXT_DUE, params={"state": state}).first() for state in LEAVING)
    return min((due for due in found if due is not None), default=None)


def sent(session: Session, numbers: Sequence[int]) -> bool:
    """Mark letters as sent, and delete the content of those that name an erased player. Return whether any did."""
    if not numbers:
        return False
    session.execute(_SENT, {"numbers": numbers})
    return _purge(session, numbers)


def failed(session: Session, number: int, error: str) -> bool:
    """Mark a letter as failed for good, and delete its content if it names an erased player. Return whether it did."""
    _store_result(session, number, state=LetterState.FAILED, error=error)
    return _purge(session, [number])


def later(session: Session, number: int, due: datetime, attempts: int, error: str) -> None:
    """Store when to retry a letter, how often the server has refused it, and the last error."""
    _store_result(session, number, due_at=due, attempts=attempts, error=error)


def release(session: Session, now: datetime, by: str = SERVICE) -> None:
    """Release the letters that process `by` had claimed when it ended. Scheduled retries keep their time."""
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
    """Store the result of an attempt, unless the letter is settled already, for example by a bounce."""
    session.exec(update(OutboxRow).where(col(OutboxRow.id) == number, _UNSETTLED).values(**values))


def _purge(session: Session, numbers: Sequence[int]) -> bool:
    """Delete the content of those letters that name an erased player. Return whether there were any."""
    is_any = False
    for letter in session.execute(_PURGED_AFTER_SEND, {"numbers": numbers}).scalars():
        if letter.state in (LetterState.SENT, LetterState.FAILED):
            reduce_letter(letter)
            letter.text, letter.html_text, letter.mail_to, letter.error = "", None, "", ""
            session.add(letter)
            is_any = True
    return is_any
