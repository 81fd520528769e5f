"""Write untrusted texts and ages for the terminal."""

import unicodedata


def printable(text: str) -> str:
    """Replace each control and direction character of untrusted text by U+FFFD, and each special space by a space."""
    spaced = (" " if unicodedata.category(letter) == "Zs" else letter for letter in text)
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in spaced)


def age(seconds: int) -> str:
    """Return an age in seconds in its largest suitable unit."""
    for unit, name in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"
