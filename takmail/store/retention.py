"""Retention: delete the content of old mails and letters, except for the columns that their games still need.

Row numbers increase with time. Each pass goes through the rows in batches, oldest first, and ends at the first batch
whose rows are all too young.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import exists, tuple_
from sqlalchemy.orm import aliased, load_only
from sqlmodel import Session, col, delete, select, update

from takmail.mail.tokens import SeatKey
from takmail.store import outbox, people
from takmail.store.personal_data import REDUCED_MAIL
from takmail.store.tables import (
    ChatRow,
    DisputeRow,
    GameRow,
    InboxRow,
    OutboxRow,
    PendingRow,
    PlayerRow,
    RememberedAddressRow,
    SeatRow,
)
from takmail.world import UNFINISHED, LetterState, MailState, PlayerKind

_WAITING = (MailState.NEW, MailState.SHUNTED)
"""The states of mails that are not handled yet. A shunted mail waits for the operator and may contain a turn."""
_SETTLED = (
    LetterState.SENT,
    LetterState.FAILED,
    LetterState.WITHDRAWN,
    LetterState.GATHERED,
    LetterState.PIECE,
)
_AT_ONCE = 200
"""The maximum number of rows that one statement names by key."""


@dataclass(frozen=True, slots=True)
class Pass:
    """The result of one batch.

    The next batch begins after row `last`, which is None if the pass has ended. `reduced` is the number of rows whose
    content was deleted.
    """

    last: int | None
    reduced: int


def reduce_mails(
    session: Session, before: datetime, after: int, most: int, key: SeatKey, strangers_before: datetime
) -> Pass:
    """Delete the content of handled mails that arrived before a time. Go through at most `most` mails above `after`.

    For mails of strangers that time is `strangers_before`, which is the later one.
    """
    rows = _next(session, InboxRow, after, most, "received_at", "state", "is_reduced", "sender")
    old = [row for row in rows if row.received_at < strangers_before]
    whole = [row for row in old if not row.is_reduced and row.state not in (*_WAITING, MailState.OLDER)]
    known = people.known_addresses(session, key, {row.sender for row in whole if row.sender is not None})
    overdue = [row.id for row in whole if row.received_at < before or row.sender not in known]
    return Pass(_last(rows, old, most), reduce_these_mails(session, overdue))


def reduce_these_mails(session: Session, numbers: Sequence[int | None]) -> int:
    """Delete the content of these mails, whatever their state. Return how many were not reduced before."""
    return session.exec(
        update(InboxRow)
        .where(col(InboxRow.id).in_(numbers), col(InboxRow.is_reduced).is_(False))
        .values(REDUCED_MAIL)
    ).rowcount


def reduce_letters(session: Session, before: datetime, after: int, most: int) -> Pass:
    """Replace the bytes of letters that were written before a time with their hash, unless a letter still waits.

    Also delete their text, unless it is needed to recognise quotes. It is needed while the game runs, in the last
    letters to each seat, and while a question in the letter is open. Go through at most `most` letters above `after`.
    """
    rows = _next(session, OutboxRow, after, most, "created_at", "state", "game_id", "seat", "sha256")
    old = [row for row in rows if row.created_at < before]
    overdue = [row for row in old if row.state in _SETTLED]
    whole = [row for row in overdue if row.sha256 is None]
    for row in whole:
        outbox.reduce_letter(row)
    unknown = {row.id for row in overdue} - _may_be_quoted(session, overdue)
    told = update(OutboxRow).where(col(OutboxRow.id).in_(unknown), col(OutboxRow.text) != "")
    session.exec(told.values(text="", html_text=None))
    return Pass(_last(rows, old, most), len(whole))


def drop_words(session: Session, before: datetime) -> None:
    """Delete chat messages that were written before a time and are in a letter.

    In a running game the newest message of each seat is kept, to recognise a mail that is delivered twice.
    """
    newer = aliased(ChatRow)
    is_newest = ~exists().where(
        col(newer.game_id) == ChatRow.game_id,
        col(newer.seat) == ChatRow.seat,
        col(newer.letter_id).is_not(None),
        col(newer.version) > ChatRow.version,
    )
    runs = exists().where(col(GameRow.id) == ChatRow.game_id, col(GameRow.standing).in_(UNFINISHED))
    key = tuple_(col(ChatRow.game_id), col(ChatRow.version))
    old = select(ChatRow.game_id, ChatRow.version).where(
        col(ChatRow.letter_id).is_not(None), ChatRow.said_at < before, ~(is_newest & runs)
    )
    gone = session.exec(old).all()
    for start in range(0, len(gone), _AT_ONCE):
        session.exec(
            delete(ChatRow).where(key.in_([tuple(message) for message in gone[start : start + _AT_ONCE]]))
        )


def forget_addresses(session: Session, before: datetime) -> None:
    """Forget the addresses of nobody from which the last proven mail came before a time. Who has left stays so."""
    session.exec(delete(RememberedAddressRow).where(col(RememberedAddressRow.verified_at) < before))


def drop_reasons(session: Session, before: datetime) -> None:
    """Delete the reasons of disputes that began before a time, unless the dispute is open in a running game."""
    runs = exists().where(col(GameRow.id) == DisputeRow.game_id, col(GameRow.standing).in_(UNFINISHED))
    stands = col(DisputeRow.ended_at).is_(None) & runs
    old = update(DisputeRow).where(col(DisputeRow.opened_at) < before, ~stands, col(DisputeRow.reason) != "")
    session.exec(old.values(reason=""))


def _next(session: Session, table: Any, after: int, most: int, *columns: str) -> Sequence[Any]:
    """Return at most `most` rows of a table with numbers above `after`, with `id` and these columns only."""
    few = load_only(*(getattr(table, name) for name in ("id", *columns)))
    return session.exec(
        select(table).options(few).where(col(table.id) > after).order_by(col(table.id)).limit(most)
    ).all()


def _last(rows: Sequence[Any], old: Sequence[Any], most: int) -> int | None:
    # A row that is too young ends no batch: a clock that was ahead may have written it.
    return rows[-1].id if old and len(rows) == most else None


def _may_be_quoted(session: Session, letters: Sequence[OutboxRow]) -> set[int | None]:
    """Return the numbers of those letters whose text is still needed to recognise quotes.

    Nobody continues a game of an erased player, so its letters are not needed.
    """
    numbers = {letter.id for letter in letters}
    asked = select(PendingRow.letter_id).where(
        col(PendingRow.letter_id).in_(numbers), col(PendingRow.address).is_not(None)
    )
    running = select(OutboxRow.id).join(GameRow, col(OutboxRow.game_id) == col(GameRow.id))
    running = running.where(col(OutboxRow.id).in_(numbers), col(GameRow.standing).in_(UNFINISHED))
    left = select(SeatRow.game_id).join(PlayerRow).where(PlayerRow.kind == PlayerKind.ERASED)
    abandoned = {*session.exec(left.where(col(SeatRow.game_id).in_({letter.game_id for letter in letters})))}
    seats = {
        (letter.game_id, letter.seat)
        for letter in letters
        if letter.game_id is not None and letter.seat is not None and letter.game_id not in abandoned
    }
    last = {number for game, seat in seats for number in outbox.last_to_seat(session, game, seat)}
    return {*session.exec(asked), *session.exec(running), *last}
