"""What players say to each other: it waits until a letter brings it."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, exists
from sqlmodel import Session, col, delete, select, update

from takmail.store import outbox
from takmail.store.beside import beside, words_wait
from takmail.store.remember import forget
from takmail.store.tables import Chat, SeatRow

_OF_GAME: BindParameter[int] = bindparam("game")
_WAITING = (
    select(Chat.words)
    .where(
        col(Chat.game_id) == _OF_GAME,
        col(Chat.seat) == bindparam("seat"),
        words_wait(),
    )
    .order_by(col(Chat.id))
)


def say(session: Session, number: int, seat: int, words: str, now: datetime) -> None:
    """Keep words for the opponent until a letter brings them; words that already wait are not doubled."""
    if words not in waiting(session, number, seat):
        session.add(Chat(game_id=number, seat=seat, words=words, said_at=now))
        session.flush()
        forget(session)


def waiting(session: Session, number: int, seat: int) -> Sequence[str]:
    """What a seat has said and no letter has brought yet, oldest first; also what one would that has been put off."""
    if not beside(session, number).words:
        return []
    return session.exec(_WAITING, params={"game": number, "seat": seat}).all()


def drop_waiting(session: Session, player_id: int, *, reader: int | None = None) -> None:
    """Forget what a player has said in any game, or in those with `reader`, and no letter has brought yet."""
    is_theirs = exists().where(
        col(SeatRow.game_id) == Chat.game_id,
        col(SeatRow.seat) == Chat.seat,
        col(SeatRow.player_id) == player_id,
    )
    query = delete(Chat).where(col(Chat.letter_id).is_(None), is_theirs)
    if reader is not None:
        query = query.where(
            exists().where(col(SeatRow.game_id) == Chat.game_id, col(SeatRow.player_id) == reader)
        )
    session.exec(query)
    session.expire_all()


def last_brought(session: Session, number: int, seat: int) -> str | None:
    """The newest words of a seat that a letter has brought, if any have been."""
    query = select(Chat.words).where(
        Chat.game_id == number, Chat.seat == seat, col(Chat.letter_id).is_not(None)
    )
    return session.exec(query.order_by(col(Chat.id).desc()).limit(1)).first()


def gather(session: Session, number: int, seat: int) -> None:
    """Take the words of a seat into the letter at hand: one of words alone that was put off is withdrawn."""
    if not beside(session, number).words:
        return
    put_off = (Chat.game_id == number, Chat.seat == seat, col(Chat.is_put_off).is_(True), words_wait())
    for letter in set(session.exec(select(Chat.letter_id).where(*put_off))):
        if letter is not None and outbox.withdraw_put_off(session, letter):
            session.exec(update(Chat).where(col(Chat.letter_id) == letter).values(letter_id=None))


def brought(session: Session, number: int, seat: int, letter_id: int, *, may_wait: bool = False) -> None:
    """Note that a letter brings all that a seat had said; one that `may_wait` may have been put off."""
    is_put_off = may_wait and outbox.is_put_off(session, letter_id)
    session.exec(
        update(Chat)
        .where(col(Chat.game_id) == number, col(Chat.seat) == seat, col(Chat.letter_id).is_(None))
        .values(letter_id=letter_id, is_put_off=is_put_off)
    )
