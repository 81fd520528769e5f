"""Queries about letters in the outbox. `write` stores letters, and `dispatch` claims them to be sent."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import load_only
from sqlmodel import Session, col, select

from takmail.mail.address import is_within
from takmail.store.tables import OutboxRow
from takmail.store.tables.column_types import LARGEST
from takmail.store.threads import LAST_LETTERS
from takmail.world import UNTHREADED, GameNumber, LetterState, MessageId, ReturnedLetter

LEAVING = (LetterState.QUEUED, LetterState.BOUNCED, LetterState.POSTPONED)
"""The states of letters that are sent when due. Only queued letters delay later letters to the same recipient."""
UNSENT = tuple(state for state in LetterState if state not in (LetterState.SENT, *UNTHREADED))


def by_message_id(session: Session, message_id: MessageId) -> OutboxRow:
    """Return the existing letter with this Message-ID."""
    return session.exec(select(OutboxRow).where(OutboxRow.message_id == message_id)).one()


def returned(letter: OutboxRow) -> ReturnedLetter:
    """Convert a letter that came back to a ReturnedLetter."""
    assert letter.id is not None
    return ReturnedLetter(
        letter.id,
        MessageId(letter.message_id),
        letter.mail_to,
        letter.state,
        None if letter.game_id is None else GameNumber(letter.game_id),
        len(letter.raw) > 0,
        letter.created_at,
    )


def last_to_seat(session: Session, game_id: int, seat: int) -> Sequence[int | None]:
    """Return the numbers of the last LAST_LETTERS letters to a seat that reach their reader, newest first."""
    return session.exec(
        select(OutboxRow.id)
        .where(OutboxRow.game_id == game_id, OutboxRow.seat == seat, col(OutboxRow.state).not_in(UNTHREADED))
        .order_by(col(OutboxRow.id).desc())
        .limit(LAST_LETTERS)
    ).all()


def unsent(session: Session, game_id: int) -> Sequence[OutboxRow]:
    """Return the letters about a game that may still be sent, oldest first."""
    return session.exec(
        select(OutboxRow)
        .where(OutboxRow.game_id == game_id, col(OutboxRow.state).in_(UNSENT))
        .order_by(col(OutboxRow.id))
    ).all()


def following(session: Session, mail_id: int | None) -> Sequence[OutboxRow]:
    """Return the letters that a mail led to, oldest first."""
    return session.exec(
        select(OutboxRow).where(OutboxRow.mail_id == mail_id).order_by(col(OutboxRow.id))
    ).all()


def reduce_letter(letter: OutboxRow) -> None:
    """Replace a letter's bytes with their hash."""
    if letter.sha256 is None:
        letter.raw, letter.drawings, letter.sha256 = b"", "", hashlib.sha256(letter.raw).hexdigest()


_LISTED = ("id", "game_id", "mail_to", "state", "attempts", "claimed_by", "due_at", "created_at", "error")


def newest(session: Session, states: Sequence[LetterState], last: int) -> Sequence[OutboxRow]:
    """Return the `last` newest letters in these states, without their text, oldest first."""
    few = load_only(*(getattr(OutboxRow, name) for name in _LISTED))
    query = (
        select(OutboxRow)
        .options(few)
        .where(col(OutboxRow.state).in_(states))
        .order_by(col(OutboxRow.id).desc())
    )
    return session.exec(query.limit(min(last, LARGEST))).all()[::-1]


def count(session: Session, states: Sequence[LetterState]) -> int:
    """Return the number of letters in these states."""
    return session.exec(
        select(func.count()).select_from(OutboxRow).where(col(OutboxRow.state).in_(states))
    ).one()


def matching(session: Session, states: Sequence[LetterState], reason: str, to: str) -> Sequence[int]:
    """Return the numbers of the letters in these states, to the address or domain `to`, with `reason` in their error.

    Each text may be '', and then does not count.
    """
    return [
        row.id
        for row in newest(session, states, LARGEST)
        if row.id is not None
        and reason.casefold() in row.error.casefold()
        and (to in ("", row.mail_to) or is_within(row.mail_to, to))
    ]


def find(session: Session, number: int) -> OutboxRow | None:
    """Return the letter with this number, locked against sending, or None."""
    if number > LARGEST:
        return None
    return session.get(OutboxRow, number, with_for_update=True)


def is_claimed(letter: OutboxRow, now: datetime) -> bool:
    """Return whether a process has claimed the letter to send it.

    A failed attempt sets `error`. Then the process no longer has the letter, although `claimed_by` still names it.
    """
    is_claimed = letter.state == LetterState.QUEUED and letter.claimed_by != "" and letter.error == ""
    return is_claimed and letter.due_at > now


def retry(letter: OutboxRow, now: datetime) -> None:
    """Queue a letter to be sent at once, as if there had been no attempt before."""
    letter.state, letter.due_at, letter.attempts = LetterState.QUEUED, now, 0
