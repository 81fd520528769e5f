"""What both have agreed on is done: they go on from one board, and what is given up is kept beside."""

from takmail.games.game import Seat
from takmail.service.case import Case, Report, done
from takmail.service.game.wish import state_after, wish_of
from takmail.store import games, offers, questions
from takmail.store.tables import Offer, OfferEnd, OfferKind, Turn


def carry_out(case: Case, offer: Offer) -> Report:
    """Do what was proposed; all else that was asked or offered was about the board before."""
    table = case.table
    agreed = wish_of(table, offer)
    offers.end(case.session, [one for one in table.offers if one.id != offer.id], OfferEnd.LAPSED)
    offers.end(case.session, [offer], OfferEnd.AGREED)
    if offer.board is None:
        gone = table.turns[offer.target :]
        offers.take_back(case.session, gone, OfferKind(offer.kind), case.desk.clock())
    else:
        games.add_turn(case.session, _turn(case, offer, offer.board))
    for seat in Seat:
        questions.close_all(case.session, table.number, seat)
    # What this very mail has offered before is moot, and what it has said is not.
    case.news = [one for one in case.news if one.about not in ("offer", "proposed")]
    case.changed()
    case.tell("remedy_agreed", wish=agreed)
    return done("remedy_agreed", wish=agreed)


def _turn(case: Case, offer: Offer, text: str) -> Turn:
    """The turn that sets the board, in the log as any other."""
    return Turn(
        game_id=case.table.number,
        number=len(case.table.turns) + 1,
        seat=offer.seat,
        text=text,
        written=text,
        is_agreed=True,
        checksum=state_after(case.table, offer).checksum,
        played_at=case.desk.clock(),
        intake_id=case.intake_id,
    )
