"""What both have agreed on is done: they go on from one board, and what is given up is kept beside."""

from takmail.service.case import Case, Report, done
from takmail.service.wish import wish_of
from takmail.store import offers
from takmail.store.tables import Offer, OfferEnd, OfferKind


def carry_out(case: Case, offer: Offer) -> Report:
    """Do what was proposed; all else that was asked or offered was about the board before."""
    table = case.table
    agreed = wish_of(table, offer)
    offers.end(case.session, [one for one in table.offers if one.id != offer.id], OfferEnd.LAPSED)
    offers.end(case.session, [offer], OfferEnd.AGREED)
    offers.take_back(case.session, table.turns[offer.target :], OfferKind(offer.kind), case.desk.clock())
    # What this very mail has offered before is moot, and what it has said is not.
    case.news = [one for one in case.news if one.about not in ("offer", "proposed")]
    case.changed()
    case.tell("remedy_agreed", wish=agreed)
    return done("remedy_agreed", wish=agreed)
