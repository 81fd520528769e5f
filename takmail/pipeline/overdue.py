"""Close overdue offers, seeks and questions, and remove addresses that nobody has kept."""

from dataclasses import dataclass

from takmail.commands import addresses, seek
from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.commands.questions import closing
from takmail.world import events as ev
from takmail.world.ids import GameNumber
from takmail.world.kinds import OfferEnd, QuestionKind
from takmail.world.players import Seek
from takmail.world.questions import Question
from takmail.world.records import Offer
from takmail.world.table import Table


@dataclass(frozen=True, slots=True)
class Overdue:
    """Rows that are stored as open and may be overdue: offers with their games' numbers, seeks, and questions."""

    offers: tuple[tuple[GameNumber, Offer], ...] = ()
    seeks: tuple[Seek, ...] = ()
    questions: tuple[Question, ...] = ()


def close(context: Context, due: Overdue) -> Events:
    """Return the events that close the overdue rows, and remove the addresses whose week is over.

    Closing an offer increments the version of its game. An outcome whose letter mentions the offer and that is computed
    at the same time then conflicts.
    """
    now = context.now
    lapsed = tuple(
        ev.OfferClosed(game=game, offer=offer.version, how=OfferEnd.LAPSED)
        for game, offer in due.offers
        if Table.is_overdue(offer, now)
    )
    expired_seeks = tuple(expired.number for expired in due.seeks if not seek.is_open(expired, now))
    expired_questions = [question for question in due.questions if not question.is_open(now)]
    gone = (
        event
        for question in expired_questions
        if question.kind is QuestionKind.REMOVAL
        for event in addresses.removed(context, question)
    )
    closed_seeks = (ev.SeeksClosed(numbers=expired_seeks),) if expired_seeks else ()
    return (*lapsed, *closed_seeks, *closing(expired_questions), *gone)
