"""Recognise commands with a typing error in the first word, such as `acept` or `nwe 5 vs ben@example.org`."""

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
    """Return the corrected line if its first word is one typing error away from a keyword.

    Return None if there is no such keyword, or more than one. A typing error is an extra, missing, wrong or transposed
    letter. The first letter is hardly ever wrong, so "same here" is no `name`. A longer word such as "agreed" is no
    error, either.
    """
    word, _, rest = line.partition(" ")
    low = word.lower().removeprefix("/")
    if not (len(low) >= _SHORTEST and low.isalpha()):
        return None
    found = [
        mended
        for known in reader.commands.words
        if known not in _LIKE_OTHER_WORDS
        if abs(len(known) - len(low)) <= 1 and known[0] in low[:2]
        if _is_one_typo_apart(low, known) and _is_command(mended := f"{known} {rest}".strip(), first, reader)
    ]
    return found[0] if len(found) == 1 else None


def _is_one_typo_apart(word: str, known: str) -> bool:
    if word.startswith(known):
        return False
    start = next((at for at, (one, other) in enumerate(zip(word, known, strict=False)) if one != other), None)
    if start is None:
        return len(known) == len(word) + 1
    left, right = word[start:], known[start:]
    if left[:2] == right[1::-1] and left[2:] == right[2:]:
        return True
    return start > 0 and (left[1:] == right[1:] or left[1:] == right or left == right[1:])


def _is_command(line: str, first: bool, reader: Reader) -> bool:
    order = parse(line, reader, is_first=first)
    return order is not None and not isinstance(order.arguments, Fault)
