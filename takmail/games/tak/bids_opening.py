"""Open the bids of both players, which give the first turn, by the University Rules."""

from dataclasses import replace
from random import Random

from takmail.games.interface import Seat
from takmail.games.optional import Bidding
from takmail.games.tak.bids import parse_bid
from takmail.games.tak.setup import stored_setup


class TakBids(Bidding):
    """The part of `TakGame` about bids."""

    def asks_bid(self, setup: str) -> bool:
        """Return whether the set-up is for a game by University Rules."""
        return stored_setup(setup).has_bids

    def read_bid(self, text: str) -> int:
        """Parse a bid. Raises `Refused` (`bad-bid`) if it is no whole number of coins from 0 to the highest bid."""
        return parse_bid(text)

    def opened(self, setup: str, bids: tuple[int, int], rng: Random) -> tuple[str, Seat]:
        """Return the set-up with both bids, and the seat with the higher one. Of equal bids, `rng` draws one."""
        first, second = bids
        higher = Seat.FIRST if first > second else Seat.SECOND
        beginner = rng.choice(list(Seat)) if first == second else higher
        opened = bids if beginner is Seat.FIRST else (second, first)
        return str(replace(stored_setup(setup), bids=opened)), beginner

    def rematch_setup(self, setup: str) -> str:
        """Return the same set-up without bids."""
        return str(replace(stored_setup(setup), bids=None))
