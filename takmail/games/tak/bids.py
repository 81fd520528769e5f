"""Sealed bids for the first turn (University Rules)."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from takmail.games.interface import Reason, Refused, Seat
from takmail.games.tak.setup import HIGHEST_BID, TakSetup, parse_bid


def bid_in(setup: TakSetup, words: Sequence[str], command: str) -> int | None:
    """Return the bid in the words behind a command, None if nobody bids in a game with this set-up.

    Raises `Refused`: `bid-missing`, `bad-bid`, `bid-for-nothing`, `said-twice`, or `settled` for any other word.
    """
    bids = []
    for word in words:
        name, _, value = word.lower().partition("=")
        if name != "bid":
            facts = {"word": word[:40], "command": command, "has_bids": setup.has_bids}
            raise Refused(Reason("settled", facts))
        if not setup.has_bids:
            raise Refused(Reason("bid-for-nothing", {"highest": HIGHEST_BID}))
        bids.append(parse_bid(value))
    if len(bids) > 1:
        raise Refused(Reason("said-twice", {"what": "bid", "word": words[-1][:40]}))
    if setup.has_bids and not bids:
        raise Refused(Reason("bid-missing", {"highest": HIGHEST_BID, "command": command}))
    return bids[0] if bids else None


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
