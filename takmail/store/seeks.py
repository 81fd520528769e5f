"""Games that wait for anybody to join."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, delete, select

from takmail.store.tables import Seek
from takmail.store.tables.kinds import LARGEST


def add(session: Session, seek: Seek) -> int:
    """Note that a player seeks anybody for a game; gives its number."""
    session.add(seek)
    session.flush()
    assert seek.id is not None
    return seek.id


def every(session: Session) -> Sequence[Seek]:
    """All of them, oldest first."""
    return session.exec(select(Seek).order_by(col(Seek.id))).all()


def of_player(session: Session, player_id: int) -> Sequence[Seek]:
    """The games for which a player seeks anybody, oldest first."""
    return session.exec(select(Seek).where(Seek.player_id == player_id).order_by(col(Seek.id))).all()


def get(session: Session, number: int) -> Seek | None:
    """The one with this number, if it is still there; no other process takes it meanwhile."""
    return session.get(Seek, number, with_for_update=True) if number <= LARGEST else None


def drop(session: Session, seek: Seek) -> None:
    """Let one be over."""
    session.delete(seek)
    session.flush()


def drop_all(session: Session, player_id: int) -> None:
    """Seek nobody for a player any more."""
    session.exec(delete(Seek).where(col(Seek.player_id) == player_id))
    session.expire_all()


def lapse(session: Session, then: datetime) -> None:
    """Let all be over that are older than a moment."""
    session.exec(delete(Seek).where(col(Seek.sought_at) < then))
    session.expire_all()
