"""What there is of a game beside its turns: in most games nothing, so that is asked once, and nothing is read then."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, exists, literal_column, or_
from sqlmodel import Session, col, select

from takmail.store.quick import run
from takmail.store.remember import remembered
from takmail.store.tables import Chat, Dispute, LetterState, Offer, OutboxRow, Question, TakenBack


@dataclass(frozen=True, slots=True)
class Beside:
    """Whether there are offers, disputes and questions that stand, words that wait, and turns that were given up.

    Words wait as well while a letter that brings nothing else has been put off: the next letter takes them along.
    """

    offers: bool
    disputes: bool
    questions: bool
    words: bool
    given_up: bool


def words_wait() -> ColumnElement[bool]:
    """Whether words wait: no letter brings them, or one that has been put off and has not left since."""
    letter: Any = select(literal_column("1")).where(
        col(OutboxRow.id) == Chat.letter_id, col(OutboxRow.state) == LetterState.POSTPONED
    )
    is_put_off = and_(col(Chat.is_put_off).is_(True), letter.correlate(Chat).exists())
    return or_(col(Chat.letter_id).is_(None), is_put_off)


_OF_GAME: BindParameter[int] = bindparam("game")
_WHERE = {
    "offers": (col(Offer.game_id) == _OF_GAME, col(Offer.ended).is_(None)),
    "disputes": (col(Dispute.game_id) == _OF_GAME, col(Dispute.ended_at).is_(None)),
    "questions": (col(Question.game_id) == _OF_GAME,),
    "words": (col(Chat.game_id) == _OF_GAME, words_wait()),
    "given_up": (col(TakenBack.game_id) == _OF_GAME,),
}
_THERE_ARE = select(
    *(exists(literal_column("1")).where(*these).label(name) for name, these in _WHERE.items())
)


def beside(session: Session, game: int) -> Beside:
    """What there is beside the turns of a game."""
    return remembered(session, (Beside, game), lambda: _read(session, game))


def _read(session: Session, game: int) -> Beside:
    return Beside(**run(session, _THERE_ARE, game=game).mappings().one())
