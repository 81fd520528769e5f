"""Load when the current turn of a game began, and the outages since then."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, union_all
from sqlmodel import Session, col

from takmail.games.interface import Seat
from takmail.store.dispatch import LEASE
from takmail.store.statements import run, select
from takmail.store.tables import ClockRow, OutageRow, OutboxRow
from takmail.world import GRACE, LetterState, Outage, TurnLetter

HELD_AT_MOST = timedelta(days=7)
"""How long a letter that came back, or that waits for its reader to write, holds the clock of the turn in it."""
_OLDEST = 20
"""How many letters about a turn are looked at, the oldest first."""
_MOMENT: Any = OutageRow.__table__.c.ended_at.type  # type: ignore[attr-defined]
_ABOUT_TURN = (
    select(
        OutboxRow.state, OutboxRow.claimed_by, OutboxRow.due_at, OutboxRow.created_at, OutboxRow.returned_at
    )
    .where(
        col(OutboxRow.game_id) == bindparam("game"),
        col(OutboxRow.seat) == bindparam("whose"),
        col(OutboxRow.turn) >= bindparam("number"),
        col(OutboxRow.state) != LetterState.WITHDRAWN,
        col(OutboxRow.created_at) >= bindparam("since", type_=_MOMENT),
    )
    .order_by(col(OutboxRow.turn), col(OutboxRow.id))
    .limit(_OLDEST)
)
_OUTAGES = union_all(
    select(OutageRow.began_at, OutageRow.ended_at).where(
        col(OutageRow.ended_at) > bindparam("since", type_=_MOMENT)
    ),
    select(ClockRow.well_at, bindparam("now", type_=_MOMENT)).where(
        col(ClockRow.id) == 1, col(ClockRow.well_at) < bindparam("latest", type_=_MOMENT)
    ),
)
"""The outages that are over, and the one in which takmail is, or from which it has only just recovered."""


def turn_letter(session: Session, game: int, seat: Seat, turn: int, since: datetime) -> TurnLetter | None:
    """Return the letter to a seat that showed turn `turn` first, None if none has shown it since it is current."""
    rows = run(session, _ABOUT_TURN, game=game, whose=seat, number=turn, since=since)
    if not rows:
        return None
    return TurnLetter(min((time for row in rows if (time := _taken_at(row)) is not None), default=None))


def _taken_at(row: Any) -> datetime | None:
    """Return when the time of a turn begins by a letter about it, None if that is not known yet."""
    # A letter that was claimed left when its lease began.
    left: datetime = row.due_at - LEASE if row.claimed_by else row.due_at
    if row.state == LetterState.SENT and row.returned_at is None:
        return left
    if row.state in (LetterState.QUEUED, LetterState.POSTPONED) and row.returned_at is None:
        return None
    latest: datetime = (row.returned_at or row.created_at) + HELD_AT_MOST
    return min(latest, left) if row.state == LetterState.SENT else latest


def outages(session: Session, since: datetime, now: datetime) -> tuple[Outage, ...]:
    """Return the outages that ended after a time, in order. One that is not over ends now."""
    rows = run(session, _OUTAGES, since=since, now=now, latest=now - GRACE)
    return tuple(sorted(Outage(*row) for row in rows))
