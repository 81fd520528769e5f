"""Queries about the mails of the inbox, for the operator."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, LargeBinary, func, true
from sqlalchemy.orm import defer
from sqlmodel import Session, col, select

from takmail.store.tables import InboxRow
from takmail.store.tables.column_types import LARGEST
from takmail.world import MailState


def count(session: Session, states: Sequence[MailState]) -> int:
    """Return the number of mails in these states, or of all mails if none is given."""
    return session.exec(select(func.count()).select_from(InboxRow).where(_in_one_of(states))).one()


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
        for row, length, head in reversed(session.exec(query).all())
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
    return [number for number in session.exec(query.order_by(col(InboxRow.id))) if number is not None]
