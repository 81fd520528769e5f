"""The outgoing letters, which leave after the commit, as `leaving` tells."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func
from sqlalchemy.orm import load_only
from sqlmodel import Session, col, select

from takmail.commands.kinds import LetterState
from takmail.commands.records import GameNumber, MessageId, ReturnedLetter
from takmail.store.load import LAST_LETTERS
from takmail.store.statements import run
from takmail.store.tables import OutboxRow
from takmail.store.tables.column_types import LARGEST

LEAVING = (LetterState.QUEUED, LetterState.BOUNCED, LetterState.POSTPONED)
"""The letters that leave when they are due; of these only the queued ones hold back those behind them."""
_NEWEST = select(func.max(OutboxRow.id))


def get(session: Session, number: int) -> OutboxRow:
    """The letter with this number, which is known to exist."""
    return session.get_one(OutboxRow, number)


def by_message_id(session: Session, message_id: MessageId) -> OutboxRow:
    """The letter with this Message-ID, which is known to exist."""
    return session.exec(select(OutboxRow).where(OutboxRow.message_id == message_id)).one()


def returned(letter: OutboxRow) -> ReturnedLetter:
    """A letter as one that comes back."""
    assert letter.id is not None
    return ReturnedLetter(
        letter.id,
        MessageId(letter.message_id),
        letter.mail_to,
        LetterState(letter.state),
        None if letter.game_id is None else GameNumber(letter.game_id),
        len(letter.raw) > 0,
    )


def last_to_seat(session: Session, game_id: int, seat: int) -> Sequence[int | None]:
    """The numbers of the last letters to a seat."""
    query = select(OutboxRow.id).where(OutboxRow.game_id == game_id, OutboxRow.seat == seat)
    return session.exec(query.order_by(col(OutboxRow.id).desc()).limit(LAST_LETTERS)).all()


def unsent(session: Session, game_id: int) -> Sequence[OutboxRow]:
    """The letters about a game that wait, have failed or came back, oldest first."""
    kept = (LetterState.SENT, LetterState.WITHDRAWN)
    query = select(OutboxRow).where(OutboxRow.game_id == game_id, col(OutboxRow.state).not_in(kept))
    return session.exec(query.order_by(col(OutboxRow.id))).all()


def following(session: Session, intake_id: int | None) -> Sequence[OutboxRow]:
    """The letters that followed from a mail, in order."""
    query = select(OutboxRow).where(OutboxRow.intake_id == intake_id)
    return session.exec(query.order_by(col(OutboxRow.id))).all()


def last_number(session: Session) -> int:
    """The number of the newest letter, 0 where there is none."""
    return run(session, _NEWEST).scalar_one() or 0


def reduce_letter(letter: OutboxRow) -> None:
    """Keep the hash of a letter in the place of its bytes."""
    if letter.sha256 is None:
        letter.raw, letter.sha256 = b"", hashlib.sha256(letter.raw).hexdigest()


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
