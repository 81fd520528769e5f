"""Carry out an agreed remedy: both go on from one board, and what is given up is kept."""

from takmail.commands import offers
from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.commands.events import BoardSet, GameEvent, ProposalAgreed, TurnsTakenBack
from takmail.commands.game.offered_change import state_after, wish_of
from takmail.commands.kinds import OfferEnd
from takmail.commands.records import Offer
from takmail.commands.undo import all_questions_closed


def carry_out(context: Context, offer: Offer) -> Events:
    """Do what was proposed; all else that was asked or offered was about the board before."""
    table = context.table
    others = [one for one in table.offers if one != offer]
    return (
        ProposalAgreed(game=table.number, seat=context.you, wish=wish_of(table, offer)),
        *offers.closed(context, others, OfferEnd.LAPSED),
        *offers.closed(context, [offer], OfferEnd.AGREED),
        *all_questions_closed(context),
        _changed(context, offer),
    )


def _changed(context: Context, offer: Offer) -> GameEvent:
    """Return the event that changes the board: turns are given up, or a turn sets it, in the log as any other."""
    table = context.table
    if offer.board is None:
        assert offer.target is not None
        return TurnsTakenBack(game=table.number, after=offer.target, how=offer.kind, at=context.now)
    return BoardSet(
        game=table.number,
        seat=offer.seat,
        text=offer.board,
        at=context.now,
        checksum=state_after(table, offer).checksum,
        mail=context.mail,
    )
