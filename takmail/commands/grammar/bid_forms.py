"""Parse the terms behind `accept`, `join 31` and `rematch`, such as `bid=2`.

A bid is sealed. So whatever seems to be one is a command, and never chat that the opponent would read.
"""

import re

from takmail.commands.grammar.commands import LineFault, Unclear

_EQUALS = re.compile(r"\s*=\s*")
_LOOSE_BID = re.compile(r"(?:(?:and|with|my|a|the|i)\s+)*bid(?:\s+(?:is|of|it))?\s*[:=]?\s*([-+]?\d\S*)[.!]?")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*\W*")
_TERM = re.compile(r"[a-z]{2,12}=\S{1,40}")
_PUNCTUATION = ",;:.!"


def read_terms(rest: str) -> tuple[str, ...] | Unclear | None:
    """Parse the words behind a command. None if they are no terms but chat."""
    text = _EQUALS.sub("=", rest.lower().strip())
    words = tuple(word for one in text.split() if (word := one.strip(_PUNCTUATION)))
    if all(_TERM.fullmatch(word) for word in words):
        return words
    if loose := _LOOSE_BID.fullmatch(text.strip(_PUNCTUATION)):
        return (f"bid={loose[1].strip(_PUNCTUATION)}",)
    return Unclear(LineFault.BID_WHAT) if _NUMBER.fullmatch(text) or re.search(r"\bbid\b", text) else None


def read_bid(line: str) -> Unclear | None:
    """Return the fault of a line that is nothing but a bid, such as `bid=2` or `my bid is 2`. Else None."""
    text = _EQUALS.sub("=", line.lower().strip())
    return Unclear(LineFault.BID_WHAT) if _LOOSE_BID.fullmatch(text) else None
