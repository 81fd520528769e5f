"""Recognise commands with a typing error in the first word, such as `acept`, or with letters of other alphabets."""

import re
from difflib import get_close_matches

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
"""Keywords that too many words resemble, such as "black". Their letters may only be doubled, transposed or left out."""
_IM_WITH_NUMBER = re.compile(r"im(\d+)[.:,]?")
_REPEATED = re.compile(r"(.)\1+")
_VOWELS = re.compile("[aeiou]")
_SHORTEST = 3
"""The minimum number of letters of a word that counts as a misspelled keyword."""


def mended(line: str, reader: Reader) -> list[str]:
    """Return the line with each keyword that its first word resembles in place of this word.

    At most one letter is wrong, missing, doubled or transposed. The first letter is hardly ever wrong, so "same here"
    is no `name`. A longer word such as "agreed" is no error, either. A missing space is one: `im14` may be `im #14`.
    """
    typed, _, rest = line.removeprefix("/").partition(" ")
    word = typed.lower()
    if numbered := _IM_WITH_NUMBER.fullmatch(word):
        return [f"im #{numbered[1]} {rest}".strip()]
    if len(word) < _SHORTEST or not word.isalpha() or word in reader.commands.words:
        return []
    keywords = [
        keyword for keyword in reader.commands.words if keyword[0] == word[0] and _may_be(word, keyword)
    ]
    likely = get_close_matches(word, keywords, cutoff=(len(word) - 1) / len(word))
    return [f"{keyword} {rest}".strip() for keyword in likely]


def _may_be(word: str, keyword: str) -> bool:
    """Tell whether a word that resembles a keyword, and has its first letter, may be meant as this keyword."""
    has_its_letters = (
        sorted(word) == sorted(keyword)
        or _REPEATED.sub(r"\1", word) == keyword
        or _VOWELS.sub("", keyword) == word
    )
    is_longer = word.startswith(keyword) and not has_its_letters
    return not is_longer and (has_its_letters or keyword not in _LIKE_OTHER_WORDS)


_LOOKS_LIKE = dict(
    zip(
        "авсԁеғнһіјкӏмопрԛѕтуѵѡԝхʏАВСЕНІЈКМОРЅТУХ" + "αβεικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "ıſ",
        "abcdefhhijklmonpqstuvwwxyABCEHIJKMOPSTYX" + "abeiknoptuxwABEZHIKMNOPTYX" + "is",
        strict=True,
    )
)


def first_look_alike(text: str) -> str:
    """Return the first letter in `text` that resembles a Latin letter, '' if there is none."""
    return next((letter for letter in text if letter in _LOOKS_LIKE), "")


def with_latin(text: str) -> str:
    """Return `text` with each letter that resembles a Latin letter replaced by that letter."""
    return "".join(_LOOKS_LIKE.get(letter, letter) for letter in text)
