"""Recognise commands with a typing error in the first word, such as `acept` or `nwe 5 vs ben@example.org`."""

import re
from difflib import get_close_matches

from takmail.commands.command import Fault
from takmail.commands.grammar.forms import parse
from takmail.commands.grammar.line_reader import Reader

_LIKE_OTHER_WORDS = (
    "block",
    "help",
    "im",
    "invite",
    "log",
    "match",
    "ptn",
    "rs",
    "say",
    "show",
    "unblock",
    "why",
)
"""Keywords that too many words resemble, such as "black", to be recognised with a wrong letter."""
_REPEATED = re.compile(r"(.)\1+")
_VOWELS = re.compile("[aeiou]")
_SHORTEST = 3
"""The minimum number of letters of a word that counts as a misspelled keyword."""


def corrected(line: str, first: bool, reader: Reader) -> str | None:
    """Return the corrected line if its first word resembles a keyword, None if it resembles none, or several.

    At most one letter is wrong, missing, doubled or transposed. The first letter is hardly ever wrong, so "same here"
    is no `name`. A longer word such as "agreed" is no error, either.
    """
    word, _, rest = line.partition(" ")
    low = word.lower().removeprefix("/")
    if not (len(low) >= _SHORTEST and low.isalpha()) or low in reader.commands.words:
        return None
    single = _REPEATED.sub(r"\1", low)
    known = [
        keyword
        for keyword in reader.commands.words
        if keyword[0] == low[0]
        and (keyword == single or not low.startswith(keyword))
        and (keyword not in _LIKE_OTHER_WORDS or _has_its_letters(low, keyword))
    ]
    likely = get_close_matches(low, known, cutoff=(len(low) - 1) / len(low))
    mended = (f"{keyword} {rest}".strip() for keyword in likely)
    orders = [order for line in mended if (order := parse(line, reader, is_first=first))]
    certain = [order.line for order in orders if not isinstance(order.arguments, Fault)]
    return certain[0] if len(certain) == 1 else None


def _has_its_letters(word: str, keyword: str) -> bool:
    """Tell whether a word has the letters of a keyword transposed or doubled, or lacks its vowels."""
    return (
        sorted(word) == sorted(keyword)
        or _REPEATED.sub(r"\1", word) == keyword
        or _VOWELS.sub("", keyword) == word
    )
