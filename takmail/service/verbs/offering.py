"""Offers as such, whatever they are about: which stand, how one is made, and when they lapse."""

from collections.abc import Sequence

from takmail.service.case import Case, Report, done, failed
from takmail.service.reading.commands import ANSWERS
from takmail.service.reading.plain import command_form
from takmail.service.verbs import talk
from takmail.store import offers
from takmail.store.tables import Offer, OfferEnd, OfferKind


def standing(case: Case, seat: int, kind: OfferKind | None = None) -> Sequence[Offer]:
    """The offers of a seat that stand, of a kind or of any."""
    return [one for one in case.table.offers if one.seat == seat and kind in (None, one.kind)]


def offer(case: Case, kind: OfferKind) -> Report:
    """Make an offer; one that stands is not made twice."""
    if standing(case, case.seat, kind):
        return done("already_offered", kind=kind)
    table = case.table
    offers.make(case.session, table.number, case.seat, kind, len(table.turns), case.desk.clock())
    case.changed()
    if talk.is_heard(case):  # who takes no words sees it in the next letter
        case.tell("offer", kind=kind, turn=len(table.turns))
    return done("offered", kind=kind)


def lapse(case: Case) -> None:
    """The sender has played a turn: what the other one had offered, and any `undo`, was about the board before."""
    gone = [one for one in case.table.offers if one.seat != case.seat or one.kind == OfferKind.UNDO]
    offers.end(case.session, gone, OfferEnd.LAPSED)


def instead(case: Case) -> Report | None:
    """What to write in place of `accept` or `decline` while an offer waits; None: nothing does."""
    waits = case.chair is not None and bool(standing(case, case.seat.other))
    return failed("say_agree") if waits else None


def hint(case: Case, words: str) -> Report | None:
    """What to write in place of a mere `yes` or `no` while an offer waits; None: the words begin with neither."""
    first = next(filter(None, map(command_form, words.splitlines())), "")
    return instead(case) if first.lower().removeprefix("/") in ANSWERS else None
