"""What players offer each other, and the turns that they take back."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session, col, delete, func, select, update

from takmail.store import outbox
from takmail.store.tables import Chat, Offer, OfferEnd, OfferKind, Question, TakenBack, TurnRow


def make(session: Session, number: int, seat: int, kind: OfferKind, turn: int, now: datetime) -> None:
    """Note an offer, made after turn `turn`."""
    since = outbox.newest(session)
    session.add(Offer(game_id=number, seat=seat, kind=kind, turn=turn, offered_at=now, since=since))
    session.flush()


def end(session: Session, offers: Sequence[Offer], how: OfferEnd) -> None:
    """Note what came of some offers."""
    for one in offers:
        one.ended = how
        session.add(one)
    session.flush()


def last_ended(session: Session, number: int, seat: int, kind: OfferKind | None) -> Offer | None:
    """The newest offer of a seat that stands no more, of this kind or of any."""
    query = select(Offer).where(Offer.game_id == number, Offer.seat == seat, col(Offer.ended).is_not(None))
    if kind is not None:
        query = query.where(Offer.kind == kind)
    return session.exec(query.order_by(col(Offer.id).desc()).limit(1)).first()


def take_back(session: Session, turn: TurnRow, now: datetime) -> None:
    """Take the last turn out of a game and keep it beside; what was asked in the game was asked after it."""
    newest = select(func.max(TakenBack.branch)).where(TakenBack.game_id == turn.game_id)
    taken = TakenBack(
        game_id=turn.game_id,
        number=turn.number,
        seat=turn.seat,
        text=turn.text,
        written=turn.written,
        is_agreed=turn.is_agreed,
        branch=1 + (session.exec(newest).one() or 0),
        played_at=turn.played_at,
        taken_back_at=now,
        since=outbox.newest(session),
    )
    session.add(taken)
    session.delete(turn)
    session.exec(delete(Question).where(col(Question.game_id) == taken.game_id))
    session.flush()


def knows_better(session: Session, number: int, shown: int, letter: int) -> bool:
    """Whether a turn has been taken back that a letter, which showed the game after turn `shown`, still had."""
    query = select(TakenBack).where(
        TakenBack.game_id == number, TakenBack.number <= shown, TakenBack.since >= letter
    )
    return session.exec(query.limit(1)).first() is not None


def words_wait(session: Session, letter: int) -> None:
    """Have the words wait again that a letter would have brought."""
    session.exec(update(Chat).where(col(Chat.letter_id) == letter).values(letter_id=None))
