"""Turns that a player holds to be invalid: the game goes on, and that ends it."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, select

from takmail.store.tables import Dispute


def of_game(session: Session, number: int) -> Sequence[Dispute]:
    """All disputes of a game, oldest first."""
    return session.exec(select(Dispute).where(Dispute.game_id == number).order_by(col(Dispute.id))).all()


def standing(session: Session, number: int) -> Sequence[Dispute]:
    """The disputes in a game that have not ended, oldest first."""
    query = select(Dispute).where(Dispute.game_id == number, col(Dispute.ended_at).is_(None))
    return session.exec(query.order_by(col(Dispute.id))).all()


def begin(session: Session, new: Dispute) -> bool:
    """Note a dispute in the place of the one that the seat had about that turn; False: it is the very same."""
    for old in standing(session, new.game_id):
        if (old.seat, old.turn) == (new.seat, new.turn):
            if old.reason == new.reason:
                return False
            old.ended_at = new.opened_at
            session.add(old)
    session.add(new)
    session.flush()
    return True


def end(session: Session, number: int, now: datetime) -> None:
    """End every dispute in a game: it goes on, be it by a move or by what its players have agreed on."""
    for one in standing(session, number):
        one.ended_at = now
        session.add(one)
