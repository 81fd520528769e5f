"""Find offers, decide which of them a turn ends, and make the changes that close them."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.commands.context import Context
from takmail.games.interface import Seat
from takmail.world import BOARD_PROPOSALS, Offer, OfferedChange, OfferEnd, OfferKind, offered_change
from takmail.world.changes import Change, in_game
from takmail.world.game_changes import with_shown_board, without_offers
from takmail.world.news import OfferMade, ProposalMade


def standing(context: Context, seat: Seat, kind: OfferKind | None = None) -> tuple[Offer, ...]:
    """Return the open offers of a seat: those of one kind, or all if `kind` is None."""
    return tuple(offer for offer in context.table.offers if offer.seat == seat and kind in (None, offer.kind))


def shown(context: Context, seat: Seat, version: int) -> tuple[Offer, ...]:
    """Return the offers of a seat that a letter of this version shows, including those that have ended since.

    The sender knows own offers that are newer than the letter, so these count as shown, too.
    """
    table = context.table
    known = (offer for offer in table.every_offer if offer.version <= version or seat == context.you)
    # A seat has at most one open draw offer, undo offer and proposal.
    newest = {
        OfferKind.BOARD if is_proposal(offer) else offer.kind: offer for offer in known if offer.seat == seat
    }
    last = max((offer.offered_at for offer in newest.values()), default=context.now)
    return tuple(
        offer
        for offer in newest.values()
        # An expired offer may not be closed yet. A letter with a later offer did not show it any more.
        if (offer.ended_version is None or offer.ended_version > version)
        and not table.is_overdue(offer, last)
    )


def new(context: Context, kind: OfferKind, *, target: int | None = None, board: str | None = None) -> Offer:
    """Return an offer that the sender would make in the current position. Nothing is stored."""
    return Offer(0, context.you, kind, len(context.table.turns), context.now, target, board)


def board_stored(context: Context, board: str) -> Change:
    """Return the change that stores a board that the sender shows."""
    table, you = context.table, context.you
    return in_game(table.number, with_shown_board, you, board, len(table.turns), context.now)


def closed(context: Context, offers: Sequence[Offer], how: OfferEnd) -> tuple[Change, ...]:
    """Return the change that closes these offers, if there are any."""
    versions = tuple(offer.version for offer in offers)
    return (in_game(context.table.number, without_offers, versions, how),) if versions else ()


def unsent_offer(context: Context, offer: Offer) -> OfferMade | None:
    """Return the event of an offer that this mail made and that a letter will report to the opponent.

    Return None for any other offer.
    """
    made = (event for event in context.done(OfferMade) if event.game == context.game)
    as_made = replace(offer, version=0)
    return next((event for event in made if event.offer == as_made and event.notifies_opponent), None)


def known_to_opponent(context: Context, offer: Offer) -> OfferedChange | None:
    """Return the offer that the opponent knows about, None if there is none.

    If this mail made the offer, it is the proposal that the offer has replaced.
    """
    match unsent_offer(context, offer):
        case None:
            return offered_change(context.table, offer)
        case ProposalMade(instead_of=before):
            return before
        case _:
            return None


def is_proposal(offer: Offer) -> bool:
    """Tell whether an offer proposes to continue from another board."""
    return offer.kind in BOARD_PROPOSALS
