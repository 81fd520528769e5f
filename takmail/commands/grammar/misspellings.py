"""Recognise commands with a typing error in the first word, such as `acept` or `nwe 5 vs ben@example.org`."""

import unicodedata
from dataclasses import dataclass

from takmail.commands.grammar import forms
from takmail.commands.grammar.commands import SETTLING, WORDS, Foreign, Unclear
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


def meant(line: str, first: bool, games: Games) -> str | None:
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
    return command is not None and not isinstance(command, Unclear | Foreign)


_LOOKS_LIKE = dict(
    zip(
        "авсԁеғнһіјкӏмопрԛѕтуѵѡԝхʏАВСЕНІЈКМОРЅТУХ" + "αβεικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "ıſ",
        "abcdefhhijklmonpqstuvwwxyABCEHIJKMOPSTYX" + "abeiknoptuxwABEZHIKMNOPTYX" + "is",
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A letter that resembles a Latin one. `alphabet` is its alphabet, such as `Cyrillic`."""

    letter: str
    alphabet: str


def first_look_alike(text: str) -> LookAlike | None:
    """Return the first letter in `text` that resembles a Latin letter, None if there is none."""
    for letter in text:
        if letter in _LOOKS_LIKE:
            alphabet = unicodedata.name(letter).split()[0].capitalize()
            return LookAlike(letter, alphabet)
    return None


def with_latin(text: str) -> str:
    """Return `text` with each letter that resembles a Latin letter replaced by that letter."""
    return "".join(_LOOKS_LIKE.get(letter, letter) for letter in text)
