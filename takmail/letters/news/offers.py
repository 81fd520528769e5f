"""Tell offers that the players make, refuse, withdraw or agree to."""

from collections.abc import Mapping
from datetime import datetime

from takmail.blocks import Blocks, message, paragraph
from takmail.letters.news.row import Row
from takmail.letters.parts.ending import outcome
from takmail.letters.parts.offers import agreed, given_up, lapsed_offers
from takmail.letters.parts.terms import pace_told
from takmail.letters.reader import Reader
from takmail.world import LIFETIME, PendingKind, news


def _you_offer(event: news.OfferMade, _reader: Reader) -> Blocks:
    if event.offer.kind is PendingKind.PACE:
        stands = message("your_proposal_stands", days=LIFETIME.days)
        return paragraph(message("you_propose_pace", pace=pace_told(event.offer.words)), stands)
    return paragraph(message("offered", kind=event.offer.kind))


def _opponent_offers(event: news.OfferMade, _reader: Reader) -> Blocks:
    if event.offer.kind is PendingKind.DRAW:
        return paragraph(message("opponent_offers_draw"))
    if event.offer.kind is PendingKind.PACE:
        stands = message("opponents_proposal_stands", days=LIFETIME.days)
        return paragraph(message("opponent_proposes_pace", pace=pace_told(event.offer.words)), stands)
    return paragraph(message("opponent_asks_to_undo", turn=event.offer.turn))


def _you_propose(event: news.ProposalMade, reader: Reader) -> Blocks:
    wish, after = event.wish, event.shown_after
    told = paragraph(
        message("you_propose", kind=wish.kind, turn=wish.target or 0, is_in_place=event.is_in_place),
        None if after is None else message("you_showed_proposed_board", turn=after),
        given_up(wish),
        message("your_proposal_stands", days=LIFETIME.days),
    )
    return (*told, *_compared(event, reader, is_yours=True))


def _opponent_proposes(event: news.ProposalMade, reader: Reader) -> Blocks:
    """Tell a proposal of the opponent, and that it replaces another one if the reader knows of that."""
    wish, after, replaces = event.wish, event.shown_after, event.instead_of is not None
    told = paragraph(
        message("opponent_proposes", kind=wish.kind, turn=wish.target or 0, is_in_place=replaces),
        None if after is None else message("opponent_showed_proposed_board", turn=after),
        given_up(wish),
        message("opponents_proposal_stands", days=LIFETIME.days),
    )
    return (*told, *_compared(event, reader, is_yours=False))


def _compared(event: news.ProposalMade, reader: Reader, *, is_yours: bool) -> Blocks:
    return () if event.comparison is None else reader.wording.proposed(event.comparison, is_yours=is_yours)


def _you_refuse(event: news.OfferRefused, reader: Reader) -> Blocks:
    if event.wish.kind is PendingKind.TIME:
        return paragraph(message("you_wait", until=_time_until(reader)))
    return paragraph(message("your_refusal_told"))


def _opponent_refuses(event: news.OfferRefused, reader: Reader) -> Blocks:
    if event.wish.kind is PendingKind.TIME:
        return paragraph(message("opponent_waits", until=_time_until(reader)))
    return paragraph(message("opponent_refuses", kind=event.wish.kind, turn=event.wish.target or 0))


def _time_until(reader: Reader) -> datetime | None:
    """Return when the time of the player to move is over, None if the game has ended."""
    return None if reader.game.clock is None else reader.game.clock.until


def _opponent_withdraws(event: news.OfferWithdrawn, _reader: Reader) -> Blocks:
    offer = event.known_to_opponent
    assert offer is not None
    return paragraph(message("opponent_withdraws_offer", kind=offer.kind, turn=offer.target or 0))


def _you_agree(event: news.OfferAgreed, reader: Reader) -> Blocks:
    if event.wish.kind is PendingKind.DRAW:
        told = paragraph(message("draw_agreed"))
    elif event.wish.kind is PendingKind.TIME:
        told = paragraph(message("win_claimed"))
    elif event.wish.kind is PendingKind.PACE:
        told = paragraph(message("pace_agreed", pace=pace_told(event.wish.pace)))
    elif event.seat is not reader.game.you:
        return _opponent_agrees(event, reader)  # a bot, to what the reader has just offered
    elif event.wish.kind is PendingKind.UNDO:
        assert event.turn is not None
        told = paragraph(message("undo_granted", turn=event.turn.number, text=event.turn.text))
    else:
        told = paragraph(*agreed(reader, event.wish, opponent_agrees=False))
    return (*told, *lapsed_offers(reader, event.lapsed))


def _opponent_agrees(event: news.OfferAgreed, reader: Reader) -> Blocks:
    if event.wish.kind in (PendingKind.DRAW, PendingKind.TIME):
        return paragraph(*outcome(reader))
    if event.wish.kind is PendingKind.PACE:
        return paragraph(message("opponent_agrees_to_pace", pace=pace_told(event.wish.pace)))
    if event.wish.kind is PendingKind.UNDO:
        assert event.turn is not None
        told = paragraph(message("opponent_lets_you_undo", number=event.turn.number, text=event.turn.text))
    else:
        told = paragraph(*agreed(reader, event.wish, opponent_agrees=True))
    return (*told, *lapsed_offers(reader, event.lapsed))


ROWS: Mapping[type[news.News], Row] = {
    news.OfferMade: Row("offered", _you_offer, _opponent_offers),
    news.ProposalMade: Row("proposed", _you_propose, _opponent_proposes),
    news.ProposalRepeated: Row(
        "already_proposed",
        lambda event, _: paragraph(
            message("proposal_repeated", kind=event.wish.kind, turn=event.wish.target or 0)
        ),
    ),
    news.OfferRefused: Row("offer_refused", _you_refuse, _opponent_refuses),
    news.OfferWithdrawn: Row(
        "offer_withdrawn",
        lambda event, _: paragraph(
            message("your_offer_withdrawn", kind=event.wish.kind, turn=event.wish.target or 0)
        ),
        _opponent_withdraws,
    ),
    news.OfferAgreed: Row("offer_agreed", _you_agree, _opponent_agrees),
}
"""Rows of news about offers."""
