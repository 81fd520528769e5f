"""What two players agree on: draw, undo, and the answers to them, agree, refuse and withdraw."""

from takmail.service.case import Case, Report, done, failed
from takmail.service.game.wish import STANDS_FOR, Wish, wish_of
from takmail.service.reading.commands import Settle
from takmail.service.verbs import offering, remedies, talk
from takmail.service.verbs.closed import not_open
from takmail.service.verbs.undo import shows_what_is_gone, take_back, unsay
from takmail.store import games, offers
from takmail.store.tables import REMEDIES, Offer, OfferEnd, OfferKind, Ruling, Standing


def draw(case: Case) -> Report:
    """Offer a draw, or agree to one: where both offer it on the same board, both agree."""
    refusal = not_open(case.table.row)
    if refusal:
        return refusal
    turns = len(case.table.turns)
    is_seen = case.shown is None or (case.shown == turns and not shows_what_is_gone(case))
    if is_seen and offering.standing(case, case.seat.other, OfferKind.DRAW):
        return _end_in_a_draw(case)
    return offering.offer(case, OfferKind.DRAW)


def undo(case: Case) -> Report:
    """Take one's last turn back: at once if the opponent can't have seen it, and with their leave otherwise."""
    table = case.table
    if table.row.standing == Standing.OVER:
        return failed("undo_over")
    refusal = not_open(table.row)
    if refusal:
        return refusal
    if not table.turns:
        return failed("undo_nothing")
    if shows_what_is_gone(case):
        return failed("gone")
    if table.turns[-1].is_agreed:
        return failed("undo_agreed", turn=len(table.turns))
    if table.turns[-1].seat != case.seat:
        return failed("undo_answered", turn=len(table.turns))
    if unsay(case):
        taken = take_back(case)
        return done("taken_back", turn=taken)
    return offering.offer(case, OfferKind.UNDO)


def settle(case: Case, command: Settle) -> Report:
    """Answer what the opponent offers, or take back what one has offered oneself."""
    refusal = not_open(case.table.row)
    if refusal:
        return refusal
    seat = case.seat if command.verb == "withdraw" else case.seat.other
    found = offering.standing(case, seat, command.kind)
    if not found:
        return _none(case, command)
    if len(found) > 1:
        return failed("which_offer", verb=command.verb, kinds=[one.kind for one in found])
    offer = found[0]
    if command.target is not None and command.target != offer.target:
        return failed("other_offer", verb=command.verb, wish=wish_of(case.table, offer))
    doubt = None if command.verb == "withdraw" else _meant_another(case, command, offer)
    if doubt:
        return doubt
    match command.verb:
        case "withdraw":
            return _close(case, offer, OfferEnd.WITHDRAWN)
        case "refuse":
            return _close(case, offer, OfferEnd.REFUSED)
        case _:
            return _unsure(case, command, offer) or _agree(case, offer)


def _none(case: Case, command: Settle) -> Report:
    """Why there is nothing to answer or to take back."""
    is_own = command.verb == "withdraw"
    seat = case.seat if is_own else case.seat.other
    last = offers.last_ended(case.session, case.table.number, seat, command.kind)
    came_to = {"ended": last and last.ended, "is_late": last is not None and _is_late(case, last)}
    if is_own:
        return failed("no_own_offer", **came_to)
    has_own = bool(offering.standing(case, case.seat, command.kind))
    has_own_way = last is not None and _has_own_way(case, last)
    return failed("no_offer", **came_to, is_own=has_own, has_own_way=has_own_way)


def _has_own_way(case: Case, lapsed: Offer) -> bool:
    """Whether it was the sender's own proposal beside `lapsed` that both agreed on, and no turn has come since."""
    own = offers.last_ended(case.session, case.table.number, case.seat, None)
    if own is None or own.ended != OfferEnd.AGREED or own.kind not in REMEDIES or own.turn != lapsed.turn:
        return False
    return len(case.table.turns) == (own.turn + 1 if own.target is None else own.target)


def _meant_another(case: Case, command: Settle, offer: Offer) -> Report | None:
    """Where the letter that is answered told of another offer, which has ended since: that one may be meant."""
    if case.known is None or command.kind is not None:
        return None
    if command.verb == "agree" and case.known <= offer.since:
        return None  # that is told by itself
    ended = offers.ended_since(case.session, case.table.number, offer.seat, case.known)
    gone = next((one for one in ended if one.kind != offer.kind), None)
    if gone is None:
        return None
    meant = Wish(OfferKind(gone.kind), gone.turn, gone.target)
    wish = wish_of(case.table, offer)
    return failed("offer_meant", verb=command.verb, wish=wish, gone=meant, ended=gone.ended)


def _unsure(case: Case, command: Settle, offer: Offer) -> Report | None:
    """Where nobody knows which letter is answered: whether an offer that has ended may be what is agreed to."""
    if case.known is not None:
        return None
    ended = offers.ended_here(case.session, case.table.number, offer.seat, len(case.table.turns))
    others = [one for one in ended if not _is_same(one, offer) and command.kind in (None, one.kind)]
    if not others:
        return None
    is_told_by_kind = all(one.kind != offer.kind for one in ended if not _is_same(one, offer))
    return failed("offer_unsure", wish=wish_of(case.table, offer), is_told_by_kind=is_told_by_kind)


def _is_same(one: Offer, other: Offer) -> bool:
    """Whether two offers made in one position are the same in other words."""
    return (one.kind, one.target, one.board) == (other.kind, other.target, other.board)


def _is_late(case: Case, offer: Offer) -> bool:
    """Whether the time of a proposal is over."""
    return offer.kind in REMEDIES and case.desk.clock() - offer.offered_at >= STANDS_FOR


def _close(case: Case, offer: Offer, how: OfferEnd) -> Report:
    wish = wish_of(case.table, offer)
    offers.end(case.session, [offer], how)
    case.changed()
    if how == OfferEnd.WITHDRAWN:
        unsaid = offering.unsaid(case, offer)
        known = wish if unsaid is None else unsaid.facts.get("instead_of")
        if known and talk.is_heard(case):
            case.tell("offer_withdrawn", wish=known)
        return done("offer_withdrawn", wish=wish)
    case.tell("offer_refused", wish=wish)
    return done("offer_refused", wish=wish)


def _agree(case: Case, offer: Offer) -> Report:
    """Do what was offered, if the letter that is answered can have told of it."""
    if case.known is not None and case.known <= offer.since:
        return failed("offer_unseen", wish=wish_of(case.table, offer))
    if offer.kind == OfferKind.DRAW:
        return _end_in_a_draw(case)
    if offer.kind in REMEDIES:
        return remedies.carry_out(case, offer)
    offers.end(case.session, [offer], OfferEnd.AGREED)
    case.changed()
    taken = take_back(case)
    case.tell("agreed_undo", turn=taken)
    return done("agreed_undo", turn=taken)


def _end_in_a_draw(case: Case) -> Report:
    table = case.table
    result = table.rules.decide(None, "agreed")
    games.end(case.session, table.row, result.score, ruling=Ruling.AGREED)
    case.ended()
    case.tell("agreed_draw")
    return done("agreed_draw")
