"""Find offers, decide which of them a turn ends, and make the changes that close them."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.commands.context import Context
from takmail.games.interface import Seat
from takmail.world import BOARD_PROPOSALS, OfferedChange, Pending, PendingEnd, PendingKind, offered_change
from takmail.world.changes import Change, in_game
from takmail.world.game_changes import with_shown_board, without_offers
from takmail.world.news import OfferMade, ProposalMade


def standing(context: Context, seat: Seat, kind: PendingKind | None = None) -> tuple[Pending, ...]:
    """Return the open offers of a seat: those of one kind, or all if `kind` is None."""
    return tuple(offer for offer in context.table.offers if offer.seat == seat and kind in (None, offer.kind))


def shown(context: Context, seat: Seat, version: int) -> tuple[Pending, ...]:
    """Return the offers of a seat that a letter of this version shows, including those that have ended since.

    The sender knows own offers that are newer than the letter, so these count as shown, too.
    """
    table = context.table
    known = (offer for offer in table.every_offer if offer.version <= version or seat == context.you)
    # A seat has at most one open draw offer, undo offer and proposal.
    newest = {
        PendingKind.BOARD if is_proposal(offer) else offer.kind: offer
        for offer in known
        if offer.seat == seat
    }
    last = max((offer.asked_at for offer in newest.values()), default=context.now)
    return tuple(
        offer
        for offer in newest.values()
        # An expired offer may not be closed yet. A letter with a later offer did not show it any more.
        if (offer.ended_version is None or offer.ended_version > version) and not offer.is_over(last)
    )


def new(context: Context, kind: PendingKind, *, target: int | None = None, board: str = "") -> Pending:
    """Return an offer that the sender would make in the current position. Nothing is stored."""
    table = context.table
    return Pending(
        context.next_pending(),
        kind,
        context.now,
        board,
        table.number,
        context.you,
        turn=len(table.turns),
        target=target,
    )


def board_stored(context: Context, board: str) -> Change:
    """Return the change that stores a board that the sender shows."""
    table, you = context.table, context.you
    return in_game(table.number, with_shown_board, you, board, len(table.turns), context.now)


def closed(context: Context, offers: Sequence[Pending], how: PendingEnd) -> tuple[Change, ...]:
    """Return the change that closes these offers, if there are any."""
    ended = tuple(offer.id for offer in offers)
    return (in_game(context.table.number, without_offers, ended, how),) if ended else ()


def unsent_offer(context: Context, offer: Pending) -> OfferMade | None:
    """Return the event of an offer that this mail made and that a letter will report to the opponent.

    Return None for any other offer.
    """
    made = (event for event in context.done(OfferMade) if event.game == context.game)
    as_made = replace(offer, version=0)
    return next((event for event in made if event.offer == as_made and event.notifies_opponent), None)


def known_to_opponent(context: Context, offer: Pending) -> OfferedChange | None:
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


def is_proposal(offer: Pending) -> bool:
    """Tell whether an offer proposes to continue from another board."""
    return offer.kind in BOARD_PROPOSALS
