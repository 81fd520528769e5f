"""Find offers, seeks and questions that have expired but are stored as open."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import BindParameter, bindparam
from sqlmodel import Session, col

from takmail.commands.seek import SOUGHT_FOR
from takmail.store.load import OFFER, QUESTIONS, SEEKS, offer_of, question_of, seek_of
from takmail.store.statements import run, select
from takmail.store.tables import OfferRow, QuestionRow, SeekRow
from takmail.world.ids import GameNumber
from takmail.world.kinds import BOARD_PROPOSALS
from takmail.world.players import Seek
from takmail.world.questions import QUESTION_LIFETIME, Question
from takmail.world.records import Offer
from takmail.world.table import STANDS_FOR

_MOST: BindParameter[int] = bindparam("most")
_EXPIRED_OFFERS: Any = (
    select(OfferRow.game_id, *OFFER)
    .where(
        col(OfferRow.ended).is_(None),
        col(OfferRow.kind).in_(BOARD_PROPOSALS),
        col(OfferRow.offered_at) <= bindparam("then"),
    )
    .limit(_MOST)
)
_EXPIRED_SEEKS = SEEKS.where(col(SeekRow.sought_at) < bindparam("then")).limit(_MOST)
_EXPIRED_QUESTIONS = QUESTIONS.where(col(QuestionRow.asked_at) < bindparam("then")).limit(_MOST)


def offers(session: Session, now: datetime, most: int) -> Sequence[tuple[GameNumber, Offer]]:
    """Return at most `most` proposals that have expired at `now`, each with its game."""
    rows: Iterable[Any] = run(session, _EXPIRED_OFFERS, then=now - STANDS_FOR, most=most)
    return [(GameNumber(game), offer_of(offer)) for game, *offer in rows]


def seeks(session: Session, now: datetime, most: int) -> Sequence[Seek]:
    """Return at most `most` seeks that have expired at `now`."""
    return [seek_of(row) for row in run(session, _EXPIRED_SEEKS, then=now - SOUGHT_FOR, most=most)]


def questions(session: Session, now: datetime, most: int) -> Sequence[Question]:
    """Return at most `most` questions that have expired at `now`."""
    rows = run(session, _EXPIRED_QUESTIONS, then=now - QUESTION_LIFETIME, most=most)
    return [question_of(row) for row in rows]
