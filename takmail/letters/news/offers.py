"""Tell offers that the players make, refuse, withdraw or agree to."""

from collections.abc import Mapping

from takmail.blocks import Blocks, message, paragraph
from takmail.letters.news.row import Row, is_yours
from takmail.letters.passages.ending import outcome
from takmail.letters.passages.offers import agreed, given_up, lapsed_offers
from takmail.letters.passages.times import clock_to_move, pace_told, time_over
from takmail.letters.reader import Reader
from takmail.world import LIFETIME, PendingKind, events


def _offered(event: events.OfferMade, reader: Reader) -> Blocks:
    yours, kind = is_yours(event, reader), event.offer.kind
    if kind is PendingKind.PACE:
        pace, days = pace_told(event.offer.words), LIFETIME.days
        return paragraph(
            message("you_propose_pace" if yours else "opponent_proposes_pace", pace=pace),
            time_over(reader, event.offer.words),
            message("your_proposal_stands" if yours else "opponents_proposal_stands", days=days),
        )
    if yours:
        return paragraph(message("offered", kind=kind))
    if kind is PendingKind.DRAW:
        return paragraph(message("opponent_offers_draw"))
    return paragraph(message("opponent_asks_to_undo", turn=event.offer.turn))


def _proposed(event: events.ProposalMade, reader: Reader) -> Blocks:
    """Tell a proposal. The opponent's replaces another one only if the reader knows of that."""
    wish, after = event.wish, event.shown_after
    target = wish.target or 0
    if is_yours(event, reader):
        told = paragraph(
            message("you_propose", kind=wish.kind, turn=target, is_in_place=event.is_in_place),
            None if after is None else message("you_showed_proposed_board", turn=after),
            given_up(wish),
            message("your_proposal_stands", days=LIFETIME.days),
        )
    else:
        replaces = event.instead_of is not None
        told = paragraph(
            message("opponent_proposes", kind=wish.kind, turn=target, is_in_place=replaces),
            None if after is None else message("opponent_showed_proposed_board", turn=after),
            given_up(wish),
            message("opponents_proposal_stands", days=LIFETIME.days),
        )
    if event.comparison is None:
        return told
    return (*told, *reader.wording.proposed(event.comparison, is_yours=is_yours(event, reader)))


def _refused(event: events.OfferRefused, reader: Reader) -> Blocks:
    yours, wish = is_yours(event, reader), event.wish
    if wish.kind is PendingKind.TIME:
        shown = clock_to_move(reader)
        until = None if shown is None else shown.until
        return paragraph(message("you_wait" if yours else "opponent_waits", until=until))
    if yours:
        return paragraph(message("your_refusal_told", kind=wish.kind))
    return paragraph(message("opponent_refuses", kind=wish.kind, turn=wish.target or 0))


def _withdrawn(event: events.OfferWithdrawn, reader: Reader) -> Blocks:
    """Tell that an offer is withdrawn: to the opponent the one of which they know."""
    if is_yours(event, reader):
        return paragraph(message("your_offer_withdrawn", kind=event.wish.kind, turn=event.wish.target or 0))
    offer = event.known_to_opponent
    assert offer is not None
    return paragraph(message("opponent_withdraws_offer", kind=offer.kind, turn=offer.target or 0))


def _agreed(event: events.OfferAgreed, reader: Reader) -> Blocks:
    """Tell that the players agree. Who wrote the mail hears what they have done, even if a bot agreed at once."""
    yours, wish = is_yours(event, reader), event.wish
    if wish.kind in (PendingKind.DRAW, PendingKind.TIME):
        if not reader.is_writer:
            return paragraph(*outcome(reader))
        if reader.has_ended:
            return ()  # the answer begins with the end
        return paragraph(message("draw_agreed" if wish.kind is PendingKind.DRAW else "win_claimed"))
    if wish.kind is PendingKind.PACE:
        pace, over = pace_told(wish.pace), time_over(reader, wish.pace)
        agreed_to = message("pace_agreed" if reader.is_writer else "opponent_agrees_to_pace", pace=pace)
        return paragraph(agreed_to, over)
    if wish.kind is PendingKind.UNDO:
        turn = event.turn
        assert turn is not None
        if yours:
            return paragraph(message("undo_granted", turn=turn.number, text=turn.text))
        return paragraph(message("opponent_lets_you_undo", number=turn.number, text=turn.text))
    return paragraph(*agreed(reader, wish, opponent_agrees=not yours))


def _lapsed(event: events.OffersLapsed, reader: Reader) -> Blocks:
    return lapsed_offers(reader, event.offers)


ROWS: Mapping[type[events.Event], Row] = {
    events.OfferMade: Row("offered", _offered),
    events.ProposalMade: Row("proposed", _proposed),
    events.OfferRefused: Row("offer_refused", _refused),
    events.OfferWithdrawn: Row("offer_withdrawn", _withdrawn),
    events.OfferAgreed: Row("offer_agreed", _agreed),
    events.OffersLapsed: Row("offers_lapsed", _lapsed, is_part=True),
}
"""Rows of offers."""
