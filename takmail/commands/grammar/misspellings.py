"""Recognise commands with a typing error in the first word, such as `acept` or `nwe 5 vs ben@example.org`."""

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
"""Keywords that are not recognised when they are misspelled, because too many words resemble them, such as "black"."""
_SHORTEST = 3
"""The minimum number of letters of a word that counts as a misspelled keyword."""


def corrected(line: str, first: bool, reader: Reader) -> str | None:
    """Return the corrected line if its first word resembles a keyword, None if it resembles none, or several.

    At most one letter is wrong or transposed. The first letter is hardly ever wrong, so "same here" is no `name`. A
    longer word such as "agreed" is no error, either.
    """
    word, _, rest = line.partition(" ")
    low = word.lower().removeprefix("/")
    if not (len(low) >= _SHORTEST and low.isalpha()):
        return None
    known = [
        keyword
        for keyword in reader.commands.words
        if keyword not in _LIKE_OTHER_WORDS and keyword[0] == low[0] and not low.startswith(keyword)
    ]
    likely = get_close_matches(low, known, cutoff=(len(low) - 1) / len(low))
    mended = (f"{keyword} {rest}".strip() for keyword in likely)
    orders = [order for line in mended if (order := parse(line, reader, is_first=first))]
    certain = [order.line for order in orders if not isinstance(order.arguments, Fault)]
    return certain[0] if len(certain) == 1 else None
