"""Questions to an address about what was asked in its owner's name, outside any game."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, delete, select

from takmail.store.tables import Confirmation


def ask(session: Session, question: Confirmation) -> None:
    """Open a question to an address."""
    session.add(question)
    session.flush()


def open_since(session: Session, address: str, then: datetime) -> Sequence[Confirmation]:
    """The questions that have been asked of an address since a moment, oldest first."""
    query = select(Confirmation).where(Confirmation.address == address, Confirmation.asked_at >= then)
    return session.exec(query.order_by(col(Confirmation.id))).all()


def drop(session: Session, question: Confirmation) -> None:
    """Close one question."""
    session.delete(question)
    session.flush()


def drop_all(session: Session, address: str) -> None:
    """Close all questions to an address."""
    session.exec(delete(Confirmation).where(col(Confirmation.address) == address))
    session.expire_all()
