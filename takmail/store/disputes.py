"""Turns that a player holds to be invalid: the game goes on, and that ends it."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from takmail.store.beside import beside
from takmail.store.remember import forget
from takmail.store.tables import Dispute

_STANDING = (
    select(Dispute)
    .where(col(Dispute.game_id) == bindparam("game"), col(Dispute.ended_at).is_(None))
    .order_by(col(Dispute.id))
)


def of_game(session: Session, number: int) -> Sequence[Dispute]:
    """All disputes of a game, oldest first."""
    return session.exec(select(Dispute).where(Dispute.game_id == number).order_by(col(Dispute.id))).all()


def standing(session: Session, number: int) -> Sequence[Dispute]:
    """The disputes in a game that have not ended, oldest first."""
    if not beside(session, number).disputes:
        return []
    return session.exec(_STANDING, params={"game": number}).all()


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
    forget(session)
    return True


def end(session: Session, number: int, now: datetime) -> None:
    """End every dispute in a game: it goes on, be it by a move or by what its players have agreed on."""
    for one in standing(session, number):
        one.ended_at = now
        session.add(one)
