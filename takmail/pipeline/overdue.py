"""Close overdue offers, seeks and questions, and remove addresses that nobody has kept."""

from takmail.commands import addresses, seek
from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.commands.questions import closing
from takmail.world import OfferEnd, Queries, QuestionKind, Table
from takmail.world.changes import closing_seeks, in_game
from takmail.world.game_changes import without_offers


def close(context: Context, most: int) -> Events:
    """Return the changes that close overdue rows, at most `most` of each kind, and remove addresses whose week is over.

    Closing an offer increments the version of its game. An outcome whose letter mentions the offer and that is computed
    at the same time then conflicts.
    """
    now, world = context.now, context.world
    lapsed = tuple(
        in_game(game, without_offers, (offer.version,), OfferEnd.LAPSED)
        for game, offer in world.ask(Queries.overdue_offers, most)
        if Table.is_overdue(offer, now)
    )
    expired_seeks = tuple(
        expired.number for expired in world.ask(Queries.overdue_seeks, most) if not seek.is_open(expired, now)
    )
    expired_questions = [
        question for question in world.ask(Queries.overdue_questions, most) if not question.is_open(now)
    ]
    gone = (
        item
        for question in expired_questions
        if question.kind is QuestionKind.REMOVAL
        for item in addresses.removed(context, question)
    )
    closed_seeks = (closing_seeks(expired_seeks),) if expired_seeks else ()
    return (*lapsed, *closed_seeks, *closing(expired_questions), *gone)
