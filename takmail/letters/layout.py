"""Lay out text in lines: paragraphs, columns, and somebody's words."""

import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

WIDTH = 72
"""The maximum number of characters in a line of a letter. Mail programs do not wrap such a line when they quote it."""
INDENT = "  "
_UNBROKEN = "\ufdd6"
"""A space at which no line is broken. It is a noncharacter, which nobody writes on purpose."""
_GAP = 3
_COMMAND_WIDTH = 16
"""The minimum width of the left column of lines to type and what they do."""


def columns(lines: Iterable[str]) -> str:
    """Arrange short lines in as many columns as fit into `WIDTH`. All columns are as wide as the longest line."""
    cells = list(lines)
    width = max(map(len, cells), default=0) + _GAP
    across = max(1, (WIDTH - len(INDENT) + _GAP) // width)
    rows = (cells[at : at + across] for at in range(0, len(cells), across))
    return "\n".join(INDENT + "".join(cell.ljust(width) for cell in row).rstrip() for row in rows)


def fill(text: str, indent: str = "") -> str:
    """Wrap paragraphs to the width of a letter, each line with `indent`. A word that is too long has its own line."""
    return "\n\n".join("\n".join(_wrapped(one.split(), indent)) for one in text.split("\n\n"))


def described(text: str, line: str) -> str:
    """Return a line to type, and to the right of it what it does, wrapped to the width of a letter."""
    left = f"{INDENT}{line}".ljust(_COMMAND_WIDTH) + INDENT
    return left + fill(text, " " * len(left)).lstrip(" ")


def item_of(text: str) -> str:
    """Wrap an entry of a list, with a dash before its first line."""
    bullet = INDENT + "- "
    return bullet + fill(text, " " * len(bullet))[len(bullet) :]


def _wrapped(words: Sequence[str], indent: str) -> Iterator[str]:
    """Yield words in lines. This takes a tenth of the time of `textwrap`, which breaks words, too."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = ""
        line = f"{line} {word}" if line else indent + word
    yield line


def unbroken(text: str) -> str:
    """Keep a text on one line, such as a line to type. Whoever lays it out puts the spaces back (`with_spaces`)."""
    return text.replace(" ", _UNBROKEN)


def with_spaces(text: str) -> str:
    """Put the spaces of unbroken texts back."""
    return text.replace(_UNBROKEN, " ")


def quoted(text: str) -> str:
    """Format somebody's words: put a bar before each line, and wrap only the lines that are too long."""
    lines: list[str] = []
    for line in tidy(text).splitlines():
        lines += textwrap.wrap(line, WIDTH, break_on_hyphens=False) or [""]
    return "\n".join(f"  | {line}".rstrip() for line in lines)


def tidy(text: str) -> str:
    """Remove blanks at the ends of lines, repeated blank lines, and blank lines at both ends of the text."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).strip("\n")


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
