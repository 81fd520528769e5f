"""Turns that a player has held to be invalid."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from takmail.store.tables import Dispute


def add(session: Session, number: int, seat: int, turn: int, reason: str, now: datetime) -> None:
    """Note that the player of a seat holds turn `turn` to be invalid."""
    session.add(Dispute(game_id=number, seat=seat, turn=turn, reason=reason, opened_at=now))
    session.flush()


def of_game(session: Session, number: int) -> Sequence[Dispute]:
    """All disputes of a game, oldest first."""
    return session.exec(select(Dispute).where(Dispute.game_id == number).order_by(col(Dispute.id))).all()
