"""Words from anywhere on a terminal."""


def printable(text: str) -> str:
    """The text without what could drive a terminal: names and records come from anywhere."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
