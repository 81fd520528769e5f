"""Recognise letters of other alphabets that resemble Latin ones."""

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
