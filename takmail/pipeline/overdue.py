"""Close overdue offers, seeks and questions, and remove addresses that nobody has kept."""

from takmail.commands import addresses, seek
from takmail.commands.answers import Effects
from takmail.commands.context import Context
from takmail.commands.questions import closing
from takmail.world import PendingEnd, PendingKind, Queries
from takmail.world.changes import closing_seeks, in_game
from takmail.world.game_changes import without_offers


def close(context: Context, most: int) -> Effects:
    """Return the changes that close overdue rows, at most `most` of each kind, and remove addresses whose week is over.

    Closing an offer increments the version of its game. An outcome whose letter mentions the offer and that is computed
    at the same time then conflicts.
    """
    now, world = context.now, context.world
    expired = [item for item in world.ask(Queries.overdue, most) if item.is_over(now)]
    context.load_games([item.game for item in expired if item.game is not None])
    lapsed = tuple(
        in_game(offer.game, without_offers, (offer.id,), PendingEnd.LAPSED)
        for offer in expired
        if offer.is_offer and offer.game is not None
    )
    expired_seeks = tuple(
        expired.number for expired in world.ask(Queries.overdue_seeks, most) if not seek.is_open(expired, now)
    )
    questions = [question for question in expired if not question.is_offer]
    gone = (
        item
        for question in questions
        if question.kind is PendingKind.REMOVAL
        for item in addresses.removed(context, question)
    )
    closed_seeks = (closing_seeks(expired_seeks),) if expired_seeks else ()
    return (*lapsed, *closed_seeks, *closing(questions), *gone)
