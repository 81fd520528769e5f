"""Recognise the lines of a mail in which a player bids, in other words than those of the command `bid`."""

import re

from takmail.vocabulary.taught import words_for

_BID = re.compile(r"^(?:(?:i |my )?bid (?:is )?(\S+)|([-+]?\d[\d.,]*))(?: coins?)?$", re.IGNORECASE)
"""A line that is a bid where the players bid: `my bid is 4`, or only a number."""
_BEGINS = "|".join(map(re.escape, words_for("new", "accept", "join", "rematch")))
_BID_BESIDE = re.compile(
    rf"^([^\w\n]*(?:#?\d+ )?/?(?:new|challenge|invite|accept|join|re-?match|{_BEGINS})\b[^\n]*?) "
    r"(?:(?:with|and|my|a|the|i) ){0,3}"
    r"bid(?: ?= ?(\S*)|(?: ?: ?| is | of | )([-+]?\d\S*))([^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
"""A command with which a game begins, and a bid beside it, such as `bid=4` or `with bid 4`."""


def bid_command(line: str) -> str:
    """Return a line as the command `bid` if it is a bid where the players bid, otherwise unchanged."""
    return _BID.sub(r"/bid \1\2", line)


def with_bids_below(text: str) -> str:
    """Return a text in which each bid beside a command is a line of its own below it."""
    return _BID_BESIDE.sub(r"\1\4\nbid=\2\3", text)
