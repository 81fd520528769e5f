"""Offers as such, whatever they are about: which stand, which have ended, and what a mail says that may be meant so."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from takmail.commands.answers import Refusal, refused
from takmail.commands.context import Context
from takmail.commands.events import OfferClosed, OfferMade
from takmail.commands.grammar.commands import ANSWERS
from takmail.commands.grammar.normalize import command_form
from takmail.commands.kinds import REMEDIES, OfferEnd, OfferKind
from takmail.commands.records import Offer
from takmail.games.interface import Seat


def standing(context: Context, seat: Seat, kind: OfferKind | None = None) -> tuple[Offer, ...]:
    """The offers of a seat that stand, of a kind or of any."""
    return tuple(one for one in context.table.offers if one.seat == seat and kind in (None, one.kind))


def ended(context: Context, seat: Seat) -> tuple[Offer, ...]:
    """The offers of a seat that stand no more, oldest first; a proposal that waits for too long has lapsed."""
    table = context.table
    stored = context.queries.ended_offers(table.number)
    every = {one.version: one for one in (*stored, *table.ended) if one.seat == seat}
    in_order = (every[version] for version in sorted(every))
    return tuple(replace(one, ended=OfferEnd.LAPSED) if one.ended is None else one for one in in_order)


def new(context: Context, kind: OfferKind, *, target: int | None = None, board: str | None = None) -> Offer:
    """An offer of the sender's for the game as it stands, not made yet."""
    return Offer(0, context.you, kind, len(context.table.turns), context.now, target, board)


def closed(context: Context, offers: Sequence[Offer], how: OfferEnd) -> tuple[OfferClosed, ...]:
    """The events by which offers end."""
    return tuple(OfferClosed(game=context.table.number, offer=one.version, how=how) for one in offers)


def unsaid(context: Context, offer: Offer) -> OfferMade | None:
    """Return the event of an offer that this mail made and would tell the opponent of, if it did."""
    made = (one for one in context.done(OfferMade) if one.game == context.game)
    return next((one for one in made if one.version == offer.version and one.is_told), None)


def lapsing(context: Context) -> tuple[Offer, ...]:
    """What lapses as the sender plays a turn: all was about the board before but a draw that they offer."""
    offers = context.table.offers
    return tuple(one for one in offers if one.seat != context.you or one.kind != OfferKind.DRAW)


def is_proposal(offer: Offer) -> bool:
    """Whether an offer is to go on from another board."""
    return offer.kind in REMEDIES


@dataclass(frozen=True, slots=True)
class Hint:
    """What to write in place of words that may be meant for takmail; `is_all`: they are no more, and go to nobody."""

    refusal: Refusal
    is_all: bool


_AGREED = re.compile(r"\bagreed?\b", re.IGNORECASE)
_HANDFUL = 6
"""So many words say no more than whether an offer is taken."""


def instead(context: Context) -> Refusal | None:
    """What to write in place of `accept` or `decline` while an offer waits; None: nothing does."""
    return refused("say_agree", is_all=False) if waits(context) else None


def hint(context: Context, words: str) -> Hint | None:
    """What to write in place of a bare `yes`, `no` or `agreed` while an offer waits; None: nothing does.

    A handful of such words is not for the other one to read.
    """
    first = next(filter(None, map(command_form, words.splitlines())), "").removeprefix("/")
    is_few = len(words.split()) <= _HANDFUL
    begins = re.split(r"[ ,.;:!]", first.lower(), maxsplit=1)[0]
    if not _AGREED.search(first) and not (begins in ANSWERS and (is_few or first.lower() in ANSWERS)):
        return None
    return Hint(refused("say_agree", is_all=is_few), is_few) if waits(context) else None


def waits(context: Context) -> bool:
    """Whether an offer of the other one's stands."""
    return context.game is not None and bool(standing(context, context.you.other))
