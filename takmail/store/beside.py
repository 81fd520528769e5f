"""What there is of a game beside its turns: in most games nothing, so that is asked once, and nothing is read then."""

from dataclasses import dataclass

from sqlalchemy import BindParameter, bindparam, exists, literal_column
from sqlmodel import Session, col, select

from takmail.store.quick import run
from takmail.store.remember import remembered
from takmail.store.tables import Chat, Dispute, Offer, Question, TakenBack


@dataclass(frozen=True, slots=True)
class Beside:
    """Whether there are offers, disputes and questions that stand, words that wait, and turns that were given up."""

    offers: bool
    disputes: bool
    questions: bool
    words: bool
    given_up: bool


_OF_GAME: BindParameter[int] = bindparam("game")
_WHERE = {
    "offers": (col(Offer.game_id) == _OF_GAME, col(Offer.ended).is_(None)),
    "disputes": (col(Dispute.game_id) == _OF_GAME, col(Dispute.ended_at).is_(None)),
    "questions": (col(Question.game_id) == _OF_GAME,),
    "words": (col(Chat.game_id) == _OF_GAME, col(Chat.letter_id).is_(None)),
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
