"""A line as it was meant: what mail programs and phones put into what people type is taken out again."""

import re
import unicodedata

from takmail.mail.typography import PLAIN

_INVISIBLE = ("Cf", "Cc", "Cn", "Co", "Cs")
_HALVES = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"\s+")


def plain(line: str) -> str:
    """The line in NFKC without invisible characters, with plain quotes, dashes and single spaces."""
    text = unicodedata.normalize("NFKC", line).translate(PLAIN)
    text = "".join(c for c in text if c in "\t " or unicodedata.category(c) not in _INVISIBLE)
    return _SPACES.sub(" ", text).strip()


def command_form(line: str) -> str:
    """The plain line without a closing full stop, exclamation mark or comma, which phones and manners add."""
    text = plain(line)
    return text if text == "." else re.sub(r"\s*[.!,]$", "", text)


def clipped(text: str, most: int) -> str:
    """The text, with its end left off where it has more than `most` characters."""
    return text if len(text) <= most else f"{text[:most].rstrip()} ..."


def writable(text: str) -> str:
    """The text without lone surrogates, halves of a character that no database and no letter takes."""
    return _HALVES.sub("", text)
