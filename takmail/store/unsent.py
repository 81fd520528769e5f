"""The letters that have not left, as the operator sees to them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func
from sqlalchemy.orm import load_only
from sqlmodel import Session, col, select

from takmail.commands.kinds import LetterState
from takmail.store.tables import OutboxRow
from takmail.store.tables.column_types import LARGEST

UNSENT = tuple(one for one in LetterState if one not in (LetterState.SENT, LetterState.WITHDRAWN))
_LISTED = ("id", "game_id", "mail_to", "state", "attempts", "claimed_by", "due_at", "created_at", "error")


def newest(session: Session, states: Sequence[LetterState], last: int) -> Sequence[OutboxRow]:
    """The `last` letters in these states, without what they say, the newest at the end."""
    few = load_only(*(getattr(OutboxRow, name) for name in _LISTED))
    query = select(OutboxRow).options(few).where(_in_one_of(states)).order_by(col(OutboxRow.id).desc())
    return session.exec(query.limit(min(last, LARGEST))).all()[::-1]


def count(session: Session, states: Sequence[LetterState]) -> int:
    """How many letters are in these states."""
    return session.exec(select(func.count()).select_from(OutboxRow).where(_in_one_of(states))).one()


def find(session: Session, number: int) -> OutboxRow | None:
    """The letter with this number, which no sender takes meanwhile; None where there is none."""
    if number > LARGEST:
        return None
    return session.get(OutboxRow, number, with_for_update=True)


def is_in_hand(letter: OutboxRow, now: datetime) -> bool:
    """Whether a sender is handing it over: one that could not be handed over has the reason beside it."""
    is_claimed = letter.state == LetterState.QUEUED and letter.claimed_by != "" and letter.error == ""
    return is_claimed and letter.due_at > now


def retry(session: Session, letter: OutboxRow, now: datetime) -> None:
    """Let a letter leave now, as if it had never been tried."""
    letter.state, letter.due_at, letter.attempts = LetterState.QUEUED, now, 0
    session.add(letter)
    session.flush()


def drop(session: Session, letter: OutboxRow) -> None:
    """Let a letter never leave."""
    letter.state = LetterState.WITHDRAWN
    session.add(letter)
    session.flush()


def _in_one_of(states: Sequence[LetterState]) -> ColumnElement[bool]:
    return col(OutboxRow.state).in_(states)
