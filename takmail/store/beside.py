"""What there is of a game beside its turns: in most games nothing, so that is asked once, and nothing is read then.

A session is the work on one mail, which has its game locked: so what was found holds until it writes some itself.
"""

from dataclasses import dataclass

from sqlalchemy import BindParameter, bindparam, exists, literal_column
from sqlmodel import Session, col, select

from takmail.store.quick import run
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
_KNOWN = "takmail.beside"


def beside(session: Session, game: int) -> Beside:
    """What there is beside the turns of a game."""
    known: dict[int, Beside] = session.info.setdefault(_KNOWN, {})
    if game not in known:
        known[game] = Beside(**run(session, _THERE_ARE, game=game).mappings().one())
    return known[game]


def forget(session: Session) -> None:
    """Ask anew when it next matters: some was written just now, or another process may have written some."""
    session.info.pop(_KNOWN, None)
