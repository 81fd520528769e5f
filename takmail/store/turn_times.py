"""Load what the time of a turn depends on: when the letter about it left, and when takmail was out of service."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, func, union_all
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from takmail.games.interface import Seat
from takmail.store.dispatch import LEASE
from takmail.store.statements import run, select
from takmail.store.tables import MachineTimeRow, Moment, OutageRow, OutboxRow
from takmail.world import GRACE, Game, LetterState, Outage, TurnLetter, turn_since

HELD_AT_MOST = timedelta(days=7)
"""How long a letter that came back, or that waits for its reader to write, holds the clock of the turn in it."""
_NOT_THERE = (LetterState.RESTING, LetterState.BOUNCED, LetterState.FAILED)
"""The states of a digest that its reader does not have."""
_OLDEST = 20
"""How many letters about a turn are looked at, the oldest first."""
_digest: Any = aliased(OutboxRow)
_ABOUT_TURN = (
    select(
        OutboxRow.state,
        OutboxRow.claimed_by,
        OutboxRow.due_at,
        OutboxRow.created_at,
        OutboxRow.returned_at,
        _digest.state.label("digest_state"),
        func.coalesce(_digest.returned_at, _digest.created_at).label("digest_failed_at"),
        _digest.returned_at.label("digest_returned_at"),
    )
    .outerjoin(_digest, _digest.id == OutboxRow.told_by)
    .where(
        col(OutboxRow.game_id) == bindparam("game"),
        col(OutboxRow.seat) == bindparam("whose"),
        col(OutboxRow.turn) >= bindparam("number"),
        col(OutboxRow.state) != LetterState.WITHDRAWN,
        col(OutboxRow.created_at) >= bindparam("since"),
    )
    .order_by(col(OutboxRow.turn), col(OutboxRow.id))
    .limit(_OLDEST)
)
_OUTAGES = union_all(
    select(OutageRow.began_at, OutageRow.ended_at).where(col(OutageRow.ended_at) > bindparam("since")),
    select(MachineTimeRow.well_at, bindparam("now", type_=Moment)).where(
        col(MachineTimeRow.id) == 1, col(MachineTimeRow.well_at) < bindparam("latest")
    ),
)
"""The outages that are over, and the one in which takmail is, or from which it has only just recovered."""


def with_turn_times(session: Session, game: Game, now: datetime, *, is_due: bool) -> Game:
    """Return a game with what its clock depends on, if a clock runs, or if the cause is what is due in it (`is_due`).

    Another game is returned as it is.
    """
    record = game.record
    is_needed = record.timing.clock_from is not None or is_due
    if not (game.is_timed and is_needed):
        return game
    since = turn_since(game)
    letter = turn_letter(session, record.number, game.to_move, len(game.turns), since)
    return replace(game, turn_letter=letter, outages=outages(session, since, now))


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
    if row.state in (LetterState.HELD, LetterState.GATHERED, LetterState.PIECE):
        # A digest gives nobody time, unless it came back, or waits for its reader to write.
        is_lost = row.digest_returned_at is not None or row.digest_state in _NOT_THERE
        digest_failed_at: datetime = row.digest_failed_at
        return digest_failed_at + HELD_AT_MOST if is_lost else left
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
