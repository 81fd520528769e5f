"""Parse what players bid for the first turn by the University Rules."""

import re

from takmail.games.interface import Reason, Refused

HIGHEST_BID = 100
"""The highest bid, in coins."""


def parse_bid(text: str) -> int:
    """Parse a bid. Raises `Refused` (`bad-bid`) if it is no whole number of coins from 0 to the highest bid."""
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) > HIGHEST_BID:
        raise Refused(Reason("bad-bid", {"text": text[:20], "highest": HIGHEST_BID}))
    return int(text)


def parse_bids(text: str) -> tuple[int, int]:
    """Parse both bids of a set-up, such as `4,2`. Raises `Refused` (`bad-bid`)."""
    first, _, second = text.partition(",")
    return parse_bid(first), parse_bid(second)
