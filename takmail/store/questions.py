"""What takmail has asked a player about a game and waits to be told."""

from collections.abc import Iterable, Sequence

from sqlalchemy import BindParameter, bindparam, or_
from sqlmodel import Session, col, delete, select

from takmail.store.beside import beside
from takmail.store.quick import run
from takmail.store.remember import forget
from takmail.store.tables import Question, QuestionKind

_OF_GAME: BindParameter[int] = bindparam("game")
_OF_SEAT = (col(Question.game_id) == _OF_GAME, col(Question.seat) == bindparam("seat"))
_QUESTIONS = (
    select(Question).where(*_OF_SEAT, col(Question.kind) == bindparam("kind")).order_by(col(Question.id))
)
_CLOSE = (
    delete(Question)
    .where(*_OF_SEAT, col(Question.kind).in_(bindparam("kinds", expanding=True)))
    .execution_options(synchronize_session=False)
)
_CLOSE_ANSWERED = (
    delete(Question)
    .where(
        col(Question.game_id) == _OF_GAME,
        or_(col(Question.seat) == bindparam("seat"), col(Question.kind) == bindparam("resign")),
    )
    .execution_options(synchronize_session=False)
)


def open_to(session: Session, number: int, seat: int, kind: QuestionKind) -> Sequence[Question]:
    """The questions of a kind that are open to a seat, oldest first; also those that newer ones have replaced."""
    if not beside(session, number).questions:
        return []
    return session.exec(_QUESTIONS, params={"game": number, "seat": seat, "kind": kind}).all()


def ask(session: Session, question: Question) -> None:
    """Open a question to a seat."""
    session.add(question)
    session.flush()
    forget(session)


def replace(session: Session, questions: Iterable[Question]) -> None:
    """Let questions count no more, as newer ones have taken their place; a `yes` to their letters is still one."""
    for one in questions:
        one.is_replaced = True
        session.add(one)
    session.flush()


def asked_in(session: Session, number: int, seat: int, letter: int) -> None:
    """Note which letter asks a seat whether it means to resign."""
    for one in open_to(session, number, seat, QuestionKind.RESIGN):
        one.letter_id = letter
        session.add(one)
    session.flush()


def close(session: Session, question: Question) -> None:
    """Close one question."""
    session.delete(question)
    session.flush()


def close_all(session: Session, number: int, seat: int, *kinds: QuestionKind) -> None:
    """Close what was asked of a seat: the kinds given, or all."""
    if beside(session, number).questions:
        run(session, _CLOSE, game=number, seat=seat, kinds=kinds or tuple(QuestionKind))


def close_answered(session: Session, number: int, seat: int) -> None:
    """Close what was asked of a seat that has played a turn, and whether the other one gives up the game as it was."""
    if beside(session, number).questions:
        run(session, _CLOSE_ANSWERED, game=number, seat=seat, resign=QuestionKind.RESIGN)
