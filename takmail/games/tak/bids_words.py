"""Word the bids for the first turn."""

from collections.abc import Iterator

from takmail.blocks import Message, message
from takmail.games.interface import Seat
from takmail.games.optional import Account
from takmail.games.wording import Seen, Sentences


class BidWords:
    """The part of `TakWording` about bids."""

    def bid(self, seen: Seen) -> Sentences:  # noqa: ARG002 - all games with bids have the same
        """Say how to bid for the first turn."""
        return (message("tak_bid"),)


def opened_bids(seen: Seen, account: Account) -> Iterator[Message]:
    """Say before the first turn what both have bid, and who pays it."""
    bids = account.facts["bids"]
    if isinstance(bids, tuple) and seen.turns == 0:
        white, black = bids
        yield message("tak_bids_were", white=white, black=black)
        yield message(
            "tak_you_pay_bid" if seen.you == Seat.FIRST else "tak_opponent_pays_bid",
            coins=white,
            is_by_lot=white == black,
        )
