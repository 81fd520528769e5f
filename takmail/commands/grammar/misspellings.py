"""Recognise commands with a typing error in the first word, such as `acept` or `nwe 5 vs ben@example.org`."""

from takmail.commands.grammar import forms
from takmail.commands.grammar.commands import SETTLING, WORDS, Unclear
from takmail.games.registry import Games

_MORE_KEYWORDS = (
    "challenge",
    "seek",
    "join",
    "unseek",
    "address",
    "forget",
    "name",
    "propose",
    "view",
    "receipts",
    "moves",
)
_KEYWORDS = ("new", *(word for word in (*WORDS, *SETTLING, *_MORE_KEYWORDS) if len(word) > 3))
"""The words that are recognised when they are misspelled.

Shorter keywords are left out, because too many words resemble them. `block` is left out, because "black" resembles it.
"""
_LONGEST = max(map(len, _KEYWORDS)) + 1
"""The maximum number of letters of a word that counts as a misspelled keyword."""
_SHORTEST = 3
"""The minimum number of letters of a word that counts as a misspelled keyword."""


def corrected(line: str, first: bool, games: Games) -> str | None:
    """Return the corrected line if its first word is one typing error away from a keyword.

    Return None if there is no such keyword, or more than one. A typing error is an extra, missing, wrong or transposed
    letter. The first letter is hardly ever wrong, so "same here" is no `name`. A longer word such as "agreed" is no
    error, either.
    """
    word, _, rest = line.partition(" ")
    low = word.lower().removeprefix("/")
    if not (_SHORTEST <= len(low) <= _LONGEST and low.isalpha()):
        return None
    found = [
        mended
        for known in _KEYWORDS
        if abs(len(known) - len(low)) <= 1 and known[0] in low[:2]
        if _is_one_typo_apart(low, known) and _is_command(mended := f"{known} {rest}".strip(), first, games)
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


def _is_command(line: str, first: bool, games: Games) -> bool:
    command = forms.read(line, first, games)
    return command is not None and not isinstance(command, Unclear)
