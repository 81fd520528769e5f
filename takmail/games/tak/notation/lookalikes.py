"""Letters of other alphabets that look like those of a move, and are not read as them."""

import unicodedata
from dataclasses import dataclass

# Only for the letters that can stand in a move, lower case, as lines are lowered first (`В` is `в`).
_LOOKS_LIKE = dict(
    zip(
        "авсԁеғнһкмпрѕтԝ" + "αβεκηνρτω",
        "abcdefhhkmnpstw" + "abeknnptw",
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A foreign letter: itself, the letter that it resembles, and its alphabet, such as `Cyrillic`."""

    letter: str
    looks_like: str
    alphabet: str


def first_look_alike(text: str) -> LookAlike | None:
    """The first letter of another alphabet in `text` that could be taken for one of a move's, or None."""
    for letter in text:
        if letter in _LOOKS_LIKE:
            alphabet = unicodedata.name(letter).split()[0].capitalize()
            return LookAlike(letter, _LOOKS_LIKE[letter], alphabet)
    return None


def with_latin(text: str) -> str:
    """`text` with every look-alike replaced by the letter that it resembles."""
    return "".join(_LOOKS_LIKE.get(letter, letter) for letter in text)
