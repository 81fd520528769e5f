"""Parse bids: the terms behind `accept`, `join 31` and `rematch`, such as `bid=2`, and other lines about bids.

A bid is sealed. So whatever seems to be one in a game with bids is a command, and never chat that the opponent would
read. In any other game only the plain form is a command.
"""

import re
from typing import Literal

from takmail.commands.grammar.commands import LineFault, Unclear, WithTerms, Word

_EQUALS = re.compile(r"\s*=\s*")
_LOOSE_BID = re.compile(r"(?:(?:and|with|my|a|the|i)\s+)*bid(?:\s+(?:is|of|it))?\s*[:=]?\s*([-+]?\d\S*)[.!]?")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*\W*")
_TERM = re.compile(r"[a-z]{2,12}=\S{0,40}")
_WORD_WITH_REST = re.compile(r"/?\s*(accept|re-?match)(?!\w)\W*(.*)")
_NAMES_BIDS = re.compile(r"\b(?:bid|bids|bidding|re-?match)\b", re.IGNORECASE)
_ASKS = re.compile(r"^\W*re-?match\W+\w", re.IGNORECASE | re.MULTILINE)
_BID_IN_TEXT = re.compile(r"(\b(?:bid|answer)\b(?:\W|is\b|of\b){1,5})[0-9]+", re.IGNORECASE)
_PUNCTUATION = ",;:.!"


def read_terms(rest: str) -> tuple[str, ...] | None:
    """Parse the words behind a command, each of them such as `bid=2`. None if they are no terms."""
    words = tuple(word for one in _normal(rest).split() if (word := one.strip(_PUNCTUATION)))
    return words if all(_TERM.fullmatch(word) for word in words) else None


def read_terms_loosely(rest: str) -> tuple[str, ...] | Unclear | None:
    """Parse the words behind a command in a game with bids, such as `with bid 2`. None if they are chat."""
    text = _normal(rest)
    if (terms := read_terms(rest)) is not None:
        return terms
    if loose := _LOOSE_BID.fullmatch(text.strip(_PUNCTUATION)):
        return (f"bid={loose[1].strip(_PUNCTUATION)}",)
    return Unclear(LineFault.BID_WHAT) if _NUMBER.fullmatch(text) or re.search(r"\bbid\b", text) else None


def read_about_bids(line: str) -> WithTerms | Unclear | None:
    """Parse any line about a bid in a game with bids, such as `rematch, bid 2` or `my bid is 2`. Else None."""
    text = _normal(line)
    if _LOOSE_BID.fullmatch(text) or re.fullmatch(r"bid\W*", text):
        return Unclear(LineFault.BID_WHAT)
    begun = _WORD_WITH_REST.fullmatch(text)
    if begun is None or not begun[2]:
        return None
    word: Literal[Word.ACCEPT, Word.REMATCH] = Word.ACCEPT if begun[1] == "accept" else Word.REMATCH
    match read_terms_loosely(begun[2]):
        case tuple(terms):
            return WithTerms(word, terms)
        case None if word is Word.ACCEPT or not any(map(str.isdigit, begun[2])):
            return None
        case _:
            return Unclear(LineFault.BID_WHAT, word.value)


def may_tell_bid(words: str) -> bool:
    """Tell whether chat has a number and speaks of bids or of a rematch, or has a line that asks for a rematch."""
    return _ASKS.search(words) is not None or (
        _NAMES_BIDS.search(words) is not None and any(map(str.isdigit, words))
    )


def has_bid(text: str) -> bool:
    """Tell whether a text has a bid such as `bid=4` or `my bid is 4`."""
    return _BID_IN_TEXT.search(text) is not None


def without_bids(text: str) -> str:
    """Return a text for the operator, who may be a player, with `?` in place of the number of each bid."""
    return _BID_IN_TEXT.sub(r"\1?", text)


def _normal(text: str) -> str:
    return _EQUALS.sub("=", text.lower().strip())
