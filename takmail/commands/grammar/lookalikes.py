"""Letters of other alphabets that look like a Latin one: named in the answer, never read as it."""

import unicodedata
from dataclasses import dataclass

_LOOKS_LIKE = dict(
    zip(
        "авсԁеғнһіјкӏмопрԛѕтуѵѡԝхʏАВСЕНІЈКМОРЅТУХ" + "αβεικνορτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "ıſ",
        "abcdefhhijklmonpqstuvwwxyABCEHIJKMOPSTYX" + "abeiknoptuxwABEZHIKMNOPTYX" + "is",
        strict=True,
    )
)


@dataclass(frozen=True, slots=True)
class LookAlike:
    """A foreign letter that resembles a Latin one: itself and its alphabet, such as `Cyrillic`."""

    letter: str
    alphabet: str


def first_look_alike(text: str) -> LookAlike | None:
    """The first letter of another alphabet in `text` that could be taken for a Latin one, or None."""
    for letter in text:
        if letter in _LOOKS_LIKE:
            alphabet = unicodedata.name(letter).split()[0].capitalize()
            return LookAlike(letter, alphabet)
    return None


def with_latin(text: str) -> str:
    """`text` with every look-alike replaced by the letter that it resembles."""
    return "".join(_LOOKS_LIKE.get(letter, letter) for letter in text)
