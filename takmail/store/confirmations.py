"""Questions to an address about what was asked in its owner's name, outside any game."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import bindparam
from sqlmodel import Session, col, delete, select

from takmail.store.quick import few
from takmail.store.tables import Confirmation

_ASKED_SINCE = (
    select(Confirmation)
    .where(
        col(Confirmation.address) == bindparam("address"),
        col(Confirmation.asked_at) >= bindparam("then"),
        col(Confirmation.letter_id).is_not(None),
    )
    .order_by(col(Confirmation.id))
)


def ask(session: Session, question: Confirmation) -> None:
    """Open a question to an address."""
    session.add(question)
    session.flush()


def asked_since(session: Session, address: str, then: datetime) -> Sequence[Confirmation]:
    """The questions that a letter has asked of an address since a moment, oldest first; also those replaced by now."""
    return few(session, _ASKED_SINCE, address=address, then=then)


def replace(session: Session, questions: Iterable[Confirmation]) -> None:
    """Let questions count no more, as newer ones have taken their place; a `yes` to their letters is still one."""
    for one in questions:
        one.is_replaced = True
        session.add(one)
    session.flush()


def addresses_for(session: Session, player_id: int, then: datetime) -> frozenset[str]:
    """The addresses that a player has said since a moment to be theirs, whether or not their owners were written to."""
    query = select(Confirmation.address).where(
        Confirmation.player_id == player_id, Confirmation.asked_at >= then
    )
    return frozenset(session.exec(query))


def drop(session: Session, question: Confirmation) -> None:
    """Close one question."""
    session.delete(question)
    session.flush()


def drop_all(session: Session, address: str) -> None:
    """Close all questions to an address."""
    session.exec(delete(Confirmation).where(col(Confirmation.address) == address))
    session.expire_all()
