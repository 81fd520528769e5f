"""What players offer each other, and the turns that they take back."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, or_
from sqlmodel import Session, col, delete, func, select, update

from takmail.store import disputes, outbox
from takmail.store.beside import beside
from takmail.store.quick import run
from takmail.store.remember import forget
from takmail.store.tables import (
    REMEDIES,
    Chat,
    Offer,
    OfferEnd,
    OfferKind,
    OutboxRow,
    Question,
    TakenBack,
    TakenBackTurn,
    Turn,
    TurnRow,
)

_OVERDUE = (
    update(Offer)
    .where(
        col(Offer.game_id) == bindparam("game"),
        col(Offer.ended).is_(None),
        col(Offer.kind).in_(REMEDIES),
        col(Offer.offered_at) <= bindparam("then"),
    )
    .values(
        ended=OfferEnd.LAPSED,
        told_until=select(func.coalesce(func.max(OutboxRow.id), 0)).scalar_subquery(),
    )
    .execution_options(synchronize_session=False)
)
_UNANSWERED = (OfferEnd.REPLACED, OfferEnd.WITHDRAWN, OfferEnd.LAPSED)


def make(session: Session, offer: Offer) -> None:
    """Note an offer; no letter written so far speaks of it."""
    offer.since = outbox.newest(session)
    session.add(offer)
    session.flush()
    forget(session)


def end(session: Session, offers: Sequence[Offer], how: OfferEnd) -> None:
    """Note what came of some offers."""
    if not offers:
        return
    newest = outbox.newest(session)
    for one in offers:
        one.ended, one.told_until = how, newest
        session.add(one)
    session.flush()


def last_ended(session: Session, number: int, seat: int, kind: OfferKind | None) -> Offer | None:
    """The newest offer of a seat that stands no more, of this kind or of any."""
    query = select(Offer).where(Offer.game_id == number, Offer.seat == seat, col(Offer.ended).is_not(None))
    if kind is not None:
        query = query.where(Offer.kind == kind)
    return session.exec(query.order_by(col(Offer.id).desc()).limit(1)).first()


def ended_here(session: Session, number: int, seat: int, turn: int) -> Sequence[Offer]:
    """What a seat has offered after this turn and not any more, but for what was answered; a draw outlasts one turn."""
    given_up = select(func.max(TakenBack.since)).where(TakenBack.game_id == number).scalar_subquery()
    query = select(Offer).where(
        Offer.game_id == number,
        Offer.seat == seat,
        or_(col(Offer.turn) == turn, (col(Offer.kind) == OfferKind.DRAW) & (col(Offer.turn) == turn - 1)),
        col(Offer.ended).in_(_UNANSWERED),
        col(Offer.since) >= func.coalesce(given_up, 0),
    )
    return session.exec(query.order_by(col(Offer.id))).all()


def ended_since(session: Session, number: int, seat: int, letter: int) -> Sequence[Offer]:
    """What a seat offered in a letter and not any more, but for what was answered; the newest first."""
    query = select(Offer).where(
        Offer.game_id == number,
        Offer.seat == seat,
        Offer.since < letter,
        col(Offer.told_until) >= letter,
        col(Offer.ended).in_(_UNANSWERED),
    )
    return session.exec(query.order_by(col(Offer.id).desc())).all()


def end_overdue(session: Session, number: int, then: datetime) -> None:
    """Let the proposals of a game lapse that were made at `then` or earlier."""
    if beside(session, number).offers and run(session, _OVERDUE, game=number, then=then).rowcount:
        session.expire_all()


def take_back(session: Session, turns: Sequence[Turn], how: OfferKind, now: datetime) -> None:
    """Take the last turns out of a game and keep them beside, as one branch; what was asked in it was asked after."""
    number = turns[0].game_id
    newest = session.exec(select(func.max(TakenBack.branch)).where(TakenBack.game_id == number)).one()
    since = outbox.newest(session)
    for turn in turns:
        row = session.get_one(TurnRow, (number, turn.number))
        taken = TakenBack(
            game_id=number,
            number=turn.number,
            seat=turn.seat,
            text=turn.text,
            written=turn.written,
            is_agreed=turn.is_agreed,
            branch=1 + (newest or 0),
            how=how,
            played_at=row.played_at,
            taken_back_at=now,
            since=since,
        )
        session.add(taken)
        session.delete(row)
    disputes.end(session, number, now)
    session.exec(delete(Question).where(col(Question.game_id) == number))
    session.flush()
    forget(session)


def knows_better(gone: TakenBackTurn, shown: int, letter: int) -> bool:
    """Whether a turn that was given up makes a letter out of date that showed the game after turn `shown`.

    A turn that its player has taken back concerns only the letters that showed it. Where both have agreed to go back
    all older letters are out of date: the very move that they have given up may come again in answer to one.
    """
    return gone.since >= letter and (gone.number <= shown or gone.how != OfferKind.UNDO)


def words_wait(session: Session, letter: int) -> None:
    """Have the words wait again that a letter would have brought."""
    session.exec(update(Chat).where(col(Chat.letter_id) == letter).values(letter_id=None))
    forget(session)
