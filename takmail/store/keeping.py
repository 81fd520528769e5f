"""What is kept of mails and letters that are dealt with, once they are old: the game needs no more than is left here.

Numbers rise with time, so each pass goes through the oldest rows, some at a time, up to the first that is too young.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import exists
from sqlalchemy.orm import aliased, load_only
from sqlmodel import Session, col, delete, select, update

from takmail.store import outbox
from takmail.store.tables import (
    Chat,
    Confirmation,
    Dispute,
    GameRow,
    IntakeRow,
    LetterState,
    MailState,
    OutboxRow,
    Question,
    Standing,
)

_WAITING = (MailState.NEW, MailState.SHUNTED)
"""Mails that nothing has been made of yet; one that raised waits for the operator, or a turn would be lost."""
_SETTLED = (LetterState.SENT, LetterState.FAILED, LetterState.WITHDRAWN)
_RUNNING = (Standing.INVITED, Standing.OPEN, Standing.ADJOURNED)


@dataclass(frozen=True, slots=True)
class Pass:
    """How far one step has come: `last` is the number to go on after, None at the end; `reduced` is how many."""

    last: int | None
    reduced: int


def reduce_mails(session: Session, before: datetime, after: int, most: int) -> Pass:
    """Take the bytes from the mails that came before a moment and are dealt with."""
    rows = _next(session, IntakeRow, after, most, "received_at", "state", "is_reduced")
    old = [row for row in rows if row.received_at < before]
    due = [row.id for row in old if not row.is_reduced and row.state not in (*_WAITING, MailState.OLDER)]
    return Pass(_last(old, most), reduce_these_mails(session, due))


def reduce_these_mails(session: Session, numbers: Sequence[int | None]) -> int:
    """Take the bytes from mails, whatever became of them; gives how many had any."""
    kept = update(IntakeRow).where(col(IntakeRow.id).in_(numbers), col(IntakeRow.is_reduced).is_(False))
    return session.exec(kept.values(raw=b"", sender=None, queue=None, is_reduced=True)).rowcount


def reduce_letters(session: Session, before: datetime, after: int, most: int) -> Pass:
    """Keep the hash alone of letters that were written before a moment and have left, or never will.

    Their text serves to know them again when they are quoted: it stays while the game runs, with the last letters to
    each seat, and where a question that they asked is open.
    """
    rows = _next(session, OutboxRow, after, most, "created_at", "state", "game_id", "seat", "sha256")
    old = [row for row in rows if row.created_at < before]
    due = [row for row in old if row.state in _SETTLED]
    whole = [row for row in due if row.sha256 is None]
    for row in whole:
        outbox.reduce_letter(row)
        session.add(row)
    unknown = {row.id for row in due} - _may_be_quoted(session, due)
    told = update(OutboxRow).where(col(OutboxRow.id).in_(unknown), col(OutboxRow.text) != "")
    session.exec(told.values(text="", html_text=None))
    return Pass(_last(old, most), len(whole))


def drop_words(session: Session, before: datetime) -> None:
    """Forget what letters have brought long ago.

    Of a game that runs the newest words of each seat stay: they tell a mail that has come before.
    """
    newer = aliased(Chat)
    is_newest = ~exists().where(
        col(newer.game_id) == Chat.game_id,
        col(newer.seat) == Chat.seat,
        col(newer.letter_id).is_not(None),
        col(newer.id) > Chat.id,
    )
    runs = exists().where(col(GameRow.id) == Chat.game_id, col(GameRow.standing).in_(_RUNNING))
    old = select(Chat.id).where(col(Chat.letter_id).is_not(None), Chat.said_at < before, ~(is_newest & runs))
    session.exec(delete(Chat).where(col(Chat.id).in_(session.exec(old).all())))


def drop_reasons(session: Session, before: datetime) -> None:
    """Forget why turns were disputed long ago, unless such a dispute stands in a game that runs."""
    runs = exists().where(col(GameRow.id) == Dispute.game_id, col(GameRow.standing).in_(_RUNNING))
    stands = col(Dispute.ended_at).is_(None) & runs
    old = update(Dispute).where(col(Dispute.opened_at) < before, ~stands, col(Dispute.reason) != "")
    session.exec(old.values(reason=""))


def drop_questions(session: Session, before: datetime) -> None:
    """Forget questions that were asked before a moment, with the words that a `yes` would have run."""
    for table in (Question, Confirmation):
        session.exec(delete(table).where(col(table.asked_at) < before))


def _next(session: Session, table: Any, after: int, most: int, *columns: str) -> Sequence[Any]:
    """The next rows of a table, without the long columns."""
    few = load_only(*(getattr(table, name) for name in ("id", *columns)))
    query = select(table).options(few).where(col(table.id) > after).order_by(col(table.id)).limit(most)
    return session.exec(query).all()


def _last(old: Sequence[Any], most: int) -> int | None:
    return old[-1].id if len(old) == most else None


def _may_be_quoted(session: Session, letters: Sequence[OutboxRow]) -> set[int | None]:
    """Which letters may come back as a quote that has to be known."""
    numbers = {one.id for one in letters}
    asked = select(Confirmation.letter_id).where(col(Confirmation.letter_id).in_(numbers))
    running = select(OutboxRow.id).join(GameRow, col(OutboxRow.game_id) == col(GameRow.id))
    running = running.where(col(OutboxRow.id).in_(numbers), col(GameRow.standing).in_(_RUNNING))
    seats = {(one.game_id, one.seat) for one in letters if one.game_id is not None and one.seat is not None}
    last = {number for game, seat in seats for number in outbox.last_to_seat(session, game, seat)}
    return {*session.exec(asked), *session.exec(running), *last}
