"""Recognise letters of other alphabets that resemble Latin ones."""

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
