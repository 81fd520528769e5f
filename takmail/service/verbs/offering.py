"""Offers as such, whatever they are about: which stand, how one is made, and when they lapse."""

import re
from collections.abc import Sequence

from takmail.service.case import Case, News, Report, done, failed
from takmail.service.reading.commands import ANSWERS
from takmail.service.reading.plain import command_form
from takmail.service.verbs import talk
from takmail.store import offers
from takmail.store.tables import REMEDIES, Offer, OfferEnd, OfferKind


def standing(case: Case, seat: int, kind: OfferKind | None = None) -> Sequence[Offer]:
    """The offers of a seat that stand, of a kind or of any."""
    return [one for one in case.table.offers if one.seat == seat and kind in (None, one.kind)]


def offer(case: Case, kind: OfferKind) -> Report:
    """Make an offer; one that stands is not made twice."""
    if standing(case, case.seat, kind):
        return done("already_offered", kind=kind)
    table = case.table
    made = new(case, kind)
    offers.make(case.session, made)
    case.changed()
    if talk.is_heard(case):  # who takes no words sees it in the next letter
        case.tell("offer", kind=kind, turn=len(table.turns), offer=made.id)
    return done("offered", kind=kind)


def new(case: Case, kind: OfferKind, *, target: int | None = None, board: str | None = None) -> Offer:
    """An offer of the sender's for the game as it stands, not made yet."""
    return Offer(
        game_id=case.table.number,
        seat=case.seat,
        kind=kind,
        turn=len(case.table.turns),
        target=target,
        board=board,
        offered_at=case.desk.clock(),
        since=0,
    )


def unsaid(case: Case, offer: Offer) -> News | None:
    """Drop the news of an offer that this very mail has made, as nobody has heard of it; None: it made none such."""
    found = next((one for one in case.news if one.facts.get("offer") == offer.id), None)
    if found is not None:
        case.news.remove(found)
    return found


def lapse(case: Case) -> bool:
    """The sender has played a turn: all was about the board before but a draw that they offer.

    Gives whether a proposal has ended so.
    """
    gone = [one for one in case.table.offers if one.seat != case.seat or one.kind != OfferKind.DRAW]
    offers.end(case.session, gone, OfferEnd.LAPSED)
    return any(one.kind in REMEDIES for one in gone)


_AGREED = re.compile(r"\bagreed?\b", re.IGNORECASE)
_HANDFUL = 6
"""So many words say no more than whether an offer is taken."""


def instead(case: Case) -> Report | None:
    """What to write in place of `accept` or `decline` while an offer waits; None: nothing does."""
    return failed("say_agree", is_all=False) if waits(case) else None


def hint(case: Case, words: str) -> Report | None:
    """What to write in place of a mere `yes`, `no` or `agreed` while an offer waits; None: nothing does.

    A handful of such words is not for the other one to read: `is_all` tells that they were no more.
    """
    first = next(filter(None, map(command_form, words.splitlines())), "").removeprefix("/")
    is_few = len(words.split()) <= _HANDFUL
    begins = re.split(r"[ ,.;:!]", first.lower(), maxsplit=1)[0]
    if not _AGREED.search(first) and not (begins in ANSWERS and (is_few or first.lower() in ANSWERS)):
        return None
    return failed("say_agree", is_all=is_few) if waits(case) else None


def waits(case: Case) -> bool:
    """Whether an offer of the other one's stands."""
    return case.chair is not None and bool(standing(case, case.seat.other))
