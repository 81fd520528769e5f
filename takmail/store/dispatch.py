"""Letters on their way out: claimed under a lease, in order for each reader, and noted as what came of them."""

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
"""The name of a sender that has been given none of its own."""


LONGEST_DELAY = timedelta(hours=3)
"""No letter in the queue is put off for longer: the clock was set back since, where one is due later than that."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A letter in a sender's hand; `held_before` is who has had it in hand before that, '' if nobody."""

    id: int
    mail_from: str
    mail_to: str
    raw: bytes
    game_id: int | None
    turn: int | None
    attempts: int
    held_before: str


def _none_before(states: Sequence[LetterState], *, due: bool = False) -> ColumnElement[bool]:
    """Whether no letter to the same reader in one of these states comes before it, or none that is `due`.

    The first one is asked for by the index, letter by letter: PostgreSQL would make a join of `NOT EXISTS`, whose work
    grows with the square of the letters to one reader.
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
"""Letters never overtake each other, but for those that have been put off."""
_CLAIMED = (
    OutboxRow.id,
    OutboxRow.mail_from,
    OutboxRow.mail_to,
    OutboxRow.raw,
    OutboxRow.game_id,
    OutboxRow.turn,
    OutboxRow.attempts,
    OutboxRow.claimed_by,
)
_THESE = col(OutboxRow.id).in_(bindparam("numbers", expanding=True))
_IN_HAND = col(OutboxRow.state).in_((LetterState.QUEUED, LetterState.RESTING))
_DUE = (
    select(*_CLAIMED)  # type: ignore[call-overload]  # it knows no more than four columns by their types
    .where(_IS_QUEUED, _IS_DUE, _NONE_QUEUED_BEFORE)
    # By the index of states and moments, so that it ends with the last that is taken, however many more wait.
    .order_by(col(OutboxRow.due_at), col(OutboxRow.id))
    .limit(bindparam("most"))
    # SQLite has one writer at a time; elsewhere another process may be claiming just now.
    .with_for_update(skip_locked=True)
)
_DUE_AGAIN = (
    select(*_CLAIMED)  # type: ignore[call-overload]
    .where(
        _NONE_QUEUED_BEFORE,
        or_(
            # Those that have been put off don't hold back each other, but in two hands one could overtake the other.
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
    .where(_THESE, _IN_HAND)
    .values(state=LetterState.SENT, error="")
    .execution_options(synchronize_session=False)
)
_FLEETING = (
    select(OutboxRow)
    .where(_THESE, col(OutboxRow.is_fleeting).is_(True))
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
    """Take the letters that have been due the longest, no two to one reader, under a lease in the name of `by`."""
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


def give_back(session: Session, letters: Iterable[Claimed], now: datetime) -> None:
    """Let letters that were claimed, and never handed over, be as before."""
    for one in letters:
        _settle(session, one.id, due_at=now, claimed_by=one.held_before)


def waiting(session: Session) -> int:
    """How many letters are in the queue."""
    return session.exec(_WAITING).one()


def next_due(session: Session) -> datetime | None:
    """When the next letter is due; None if nothing waits."""
    found = (session.exec(_NEXT_DUE, params={"state": state}).first() for state in LEAVING)
    return min((due for due in found if due is not None), default=None)


def sent(session: Session, numbers: Sequence[int]) -> bool:
    """Note that the server has taken these letters; True: something of them was not to be kept, and is gone."""
    if not numbers:
        return False
    session.execute(_SENT, {"numbers": numbers})
    return _let_go(session, numbers)


def failed(session: Session, number: int, error: str) -> bool:
    """Note that a letter was refused for good; gives what `sent` gives."""
    _settle(session, number, state=LetterState.FAILED, error=error)
    return _let_go(session, [number])


def later(session: Session, number: int, due: datetime, attempts: int, error: str) -> None:
    """Note that a letter could not leave yet, when to try again, and how often the server has refused it."""
    _settle(session, number, due_at=due, attempts=attempts, error=error)


def release(session: Session, now: datetime, by: str = SERVICE) -> None:
    """End the leases of `by`, who is gone. Letters that wait for a later time go on waiting for it."""
    session.exec(
        update(OutboxRow)
        .where(
            col(OutboxRow.state) == LetterState.QUEUED,
            col(OutboxRow.error) == "",
            col(OutboxRow.claimed_by) == by,
        )
        .values(due_at=now)
    )


def _settle(session: Session, number: int, **values: object) -> None:
    """Note what came of an attempt, unless a report that the letter came back was quicker."""
    session.exec(update(OutboxRow).where(col(OutboxRow.id) == number, _IN_HAND).values(**values))


def _let_go(session: Session, numbers: Sequence[int]) -> bool:
    """Keep nothing of those of these letters that name somebody who is forgotten; whether there is one."""
    is_any = False
    for letter in session.execute(_FLEETING, {"numbers": numbers}).scalars():
        if letter.state in (LetterState.SENT, LetterState.FAILED):
            reduce_letter(letter)
            letter.text, letter.html_text, letter.mail_to, letter.error = "", None, "", ""
            session.add(letter)
            is_any = True
    return is_any
