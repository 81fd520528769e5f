"""Parse bids: the terms behind `accept`, `join 31` and `rematch`, such as `bid=2`, and other lines about bids.

A bid is sealed. So whatever seems to be one in a game with bids is a command, and never chat that the opponent would
read. In any other game only the plain form is a command. What a mail says of bids seals its words in all games.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

from takmail.commands.command import Arguments, Rest
from takmail.commands.grammar.faults import LineFault, Unclear

_EQUALS = re.compile(r"\s*=\s*")
_LOOSE_BID = re.compile(r"(?:(?:and|with|my|a|the|i)\s+)*bid(?:\s+(?:is|of|it))?\s*[:=]?\s*([-+]?\d\S*)[.!]?")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*\W*")
_TERM = re.compile(r"[a-z]{2,12}=\S{0,40}")
_WORD_WITH_REST = re.compile(r"/?\s*(accept|re-?match)(?!\w)\W*(.*)")
_NAMES_BIDS = re.compile(r"(?<![^\W\d_])(?:out|over|re)?bid(?:s|ding)?(?![^\W\d_])", re.IGNORECASE)
"""The word `bid`. A digit or `_` may follow it directly. "forbid" is another word."""
_NAMES_REMATCH = re.compile(r"\bre-?match\b", re.IGNORECASE)
_ASKS = re.compile(r"^[^\w\n]*re-?match\W+\w", re.IGNORECASE | re.MULTILINE)
_BID_IN_TEXT = re.compile(r"(\bbid\b(?:\W|is\b|of\b){1,5})[0-9]+", re.IGNORECASE)
_PUNCTUATION = ",;:.!"
_SHORT_BID = re.compile(r"bid=[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class Accept(Arguments):
    """The terms behind `accept`, such as `bid=2`. The game itself parses them."""

    terms: tuple[str, ...] = ()

    @classmethod
    def read(cls, rest: Rest) -> Self | None:
        """Parse `bid=2`. "accept my thanks" is chat."""
        terms = read_terms(rest.text)
        return None if terms is None else cls(terms)

    def written(self) -> str | None:
        """Return the terms if they are too few and too short for a message."""
        return " ".join(self.terms) if has_no_message(self.terms) else None


@dataclass(frozen=True, slots=True)
class Rematch(Accept):
    """The terms behind `rematch`."""


def has_no_message(terms: tuple[str, ...]) -> bool:
    """Tell whether terms are too few and too short for a message."""
    return len(terms) <= 1 and all(map(_SHORT_BID.fullmatch, terms))


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


def read_about_bids(line: str) -> Accept | Unclear | None:
    """Parse any line about a bid in a game with bids, such as `rematch, bid 2` or `my bid is 2`. Else None."""
    text = _normal(line)
    if _LOOSE_BID.fullmatch(text) or re.fullmatch(r"bid\W*", text):
        return Unclear(LineFault.BID_WHAT)
    begun = _WORD_WITH_REST.fullmatch(text)
    if begun is None or not begun[2]:
        return None
    kind = Accept if begun[1] == "accept" else Rematch
    match read_terms_loosely(begun[2]):
        case tuple(terms):
            return kind(terms)
        case None if kind is Accept or not any(map(str.isdigit, begun[2])):
            return None
        case _:
            return Unclear(LineFault.BID_WHAT)


def speaks_of_bids(line: str, rules: Collection[str]) -> bool:
    """Tell whether the line of a command has the word `bid`, or one of the names of rules with bids."""
    return _NAMES_BIDS.search(line) is not None or any(
        re.search(rf"\b{re.escape(one)}\b", line, re.IGNORECASE) for one in rules
    )


def chat_speaks_of_bids(words: str, rules: Collection[str]) -> bool:
    """Tell whether chat has the word `bid`, or names rules with bids. "I was at the university" does not."""
    return _NAMES_BIDS.search(words) is not None or any(
        re.search(rf"\brules\W+{name}\b|\b{name}\W+rules\b", words, re.IGNORECASE)
        for name in map(re.escape, rules)
    )


def has_number(words: str) -> bool:
    """Tell whether chat has a digit."""
    return any(map(str.isdigit, words))


def may_ask_for_rematch(words: str) -> bool:
    """Tell whether chat has a number and speaks of a rematch, or has a line that asks for one."""
    return _ASKS.search(words) is not None or (has_number(words) and _NAMES_REMATCH.search(words) is not None)


def without_bids(text: str) -> str:
    """Return a text for the operator, who may be a player, with `?` in place of the number of each bid."""
    return _BID_IN_TEXT.sub(r"\1?", text)


def _normal(text: str) -> str:
    return _EQUALS.sub("=", text.lower().strip())
