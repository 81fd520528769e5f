"""Sealed bids for the first turn (University Rules)."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from takmail.games.interface import Reason, Refused, Seat
from takmail.games.tak.setup import HIGHEST_BID, TakSetup, parse_bid


def with_guests_words(
    setup: TakSetup, host: Seat, words: Sequence[str], rng: Random
) -> tuple[TakSetup, Seat]:
    """Return the set-up after the guest's answer, and the host's seat. The higher bid has the first seat.

    Of equal bids, `rng` draws one. Raises `Refused`: `bid-missing`, `bad-bid`, `bid-for-nothing`, `said-twice` or
    `unknown-word`.
    """
    bids = []
    for word in words:
        name, _, value = word.lower().partition("=")
        if name != "bid":
            raise Refused(Reason("unknown-word", {"word": word[:40]}))
        bids.append(parse_bid(value))
    if len(bids) > 1:
        raise Refused(Reason("said-twice", {"what": "bid", "word": words[-1][:40]}))
    if setup.bid is None:
        if bids:
            raise Refused(Reason("bid-for-nothing", {"highest": HIGHEST_BID}))
        return setup, host
    if not bids:
        raise Refused(Reason("bid-missing", {"highest": HIGHEST_BID, "is_guest": True}))
    (guests,) = bids
    higher = Seat.FIRST if setup.bid > guests else Seat.SECOND
    host = rng.choice(list(Seat)) if setup.bid == guests else higher
    both = (setup.bid, guests) if host is Seat.FIRST else (guests, setup.bid)
    return replace(setup, bid=None, bids=both), host
