"""Sealed bids for the first turn (University Rules)."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from takmail.games.interface import Reason, Refused, Seat
from takmail.games.tak.setup import HIGHEST_BID, TakSetup, parse_bid


def with_guests_words(setup: TakSetup, words: Sequence[str]) -> TakSetup:
    """Return the set-up with the guest's bid, if both bid.

    Raises `Refused`: `bid-missing`, `bad-bid`, `bid-for-nothing`, `said-twice` or `unknown-word`.
    """
    bids = []
    for word in words:
        name, _, value = word.lower().partition("=")
        if name != "bid":
            raise Refused(Reason("unknown-word", {"word": word[:40]}))
        bids.append(parse_bid(value))
    if len(bids) > 1:
        raise Refused(Reason("said-twice", {"what": "bid", "word": words[-1][:40]}))
    if not setup.has_bids:
        if bids:
            raise Refused(Reason("bid-for-nothing", {"highest": HIGHEST_BID}))
        return setup
    if not bids:
        raise Refused(Reason("bid-missing", {"highest": HIGHEST_BID, "is_guest": True}))
    return replace(setup, answer=bids[0])


def seated_by_bids(setup: TakSetup, host: Seat, rng: Random) -> tuple[TakSetup, Seat]:
    """Return the set-up with both bids opened, and the host's seat. The higher bid has the first seat.

    Of equal bids, `rng` draws one. A set-up in which no bids wait is returned unchanged.
    """
    if setup.bid is None or setup.answer is None:
        return setup, host
    higher = Seat.FIRST if setup.bid > setup.answer else Seat.SECOND
    host = rng.choice(list(Seat)) if setup.bid == setup.answer else higher
    bids = (setup.bid, setup.answer) if host is Seat.FIRST else (setup.answer, setup.bid)
    return replace(setup.without_bids, bids=bids), host
