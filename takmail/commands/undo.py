"""Taking the last turn back, as if it had not been played; the log keeps it."""

from takmail.commands import offers
from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.commands.events import QuestionClosed, TurnsTakenBack
from takmail.commands.game.turn_labels import Played, played
from takmail.commands.kinds import OfferEnd, OfferKind
from takmail.commands.records import MessageId, Offer
from takmail.commands.turn_reference import is_of_this_mail


def last_played(context: Context) -> Played:
    """The last turn of the game."""
    return played(context.table, len(context.table.turns))[-1]


def may_be_unsaid(context: Context) -> bool:
    """Whether nobody can have heard of the last turn; False: its letter may have left, or tells of more."""
    return is_of_this_mail(context, context.table.turns[-1]) or telling_letter(context) is not None


def telling_letter(context: Context) -> MessageId | None:
    """The letter that would tell the opponent of the last turn and of nothing else, if no sender has had it in hand."""
    thread, number = context.table.threads[context.you.other], len(context.table.turns)
    return thread.last if thread.is_unclaimed and thread.told == number else None


def take_back(context: Context, agreed: Offer | None = None, *, told: MessageId | None = None) -> Events:
    """The last turn is given up, with all that was asked and offered since; `agreed` is the offer that has led to it.

    `told` is the letter that would have told of it.
    """
    table = context.table
    number = len(table.turns)
    gone = [one for one in table.offers if one.kind == OfferKind.UNDO or one.turn >= number]
    return (
        *offers.closed(context, [one for one in gone if one != agreed], OfferEnd.LAPSED),
        *all_questions_closed(context),
        TurnsTakenBack(game=table.number, after=number - 1, how=OfferKind.UNDO, at=context.now, told=told),
    )


def all_questions_closed(context: Context) -> Events:
    """What was asked of either player was asked about the board before."""
    return tuple(QuestionClosed(question=one.id) for one in context.table.questions)
