"""A line as it was meant: what mail programs and phones put into what people type is taken out again."""

import re
import unicodedata
from functools import lru_cache

from takmail.mail.quotes.words import PLAIN, in_one_way

_INVISIBLE = ("Cf", "Cc", "Cn", "Co", "Cs")
_NOT_WRITTEN = re.compile("[\ud800-\udfff\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
_BOLD = re.compile(r"\*([^*]+)\*")
_SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_SPACES = re.compile(r"\s+")


def plain(line: str) -> str:
    """The line in NFKC without invisible characters, with plain quotes, dashes and single spaces."""
    if line.isascii() and line.isprintable():
        return _SPACES.sub(" ", line.translate(PLAIN)).strip()
    text = in_one_way(line).translate(PLAIN)
    return _SPACES.sub(" ", "".join(filter(_is_visible, text))).strip()


@lru_cache(4096)
def _is_visible(char: str) -> bool:
    return char in "\t " or unicodedata.category(char) not in _INVISIBLE


def command_form(line: str) -> str:
    """The plain line without a closing full stop, exclamation mark, comma or emoji, which phones and manners add.

    Asterisks around the whole of it are how Gmail writes bold letters in plain text.
    """
    text = _without_emoji(plain(line))
    bold = _BOLD.fullmatch(text)
    text = bold[1].strip() if bold else text
    return text if text == "." else re.sub(r"\s*[.!,]$", "", text)


def _without_emoji(text: str) -> str:
    """The text without the emoji that it ends with."""
    end = len(text)
    while end and (text[end - 1] in f" \ufe0f{_SKIN_TONES}" or unicodedata.category(text[end - 1]) == "So"):
        end -= 1
    return text[:end]


def clipped(text: str, most: int) -> str:
    """The text, with its end left off where it has more than `most` characters."""
    return text if len(text) <= most else f"{text[:most].rstrip()} ..."


def writable(text: str) -> str:
    """The text without what nobody types.

    Halves of a character, which no database and no letter takes, and signs that drive a terminal or turn a line round.
    """
    return _NOT_WRITTEN.sub("", text)


_MOST = 999_999_999


def turn_number(digits: str) -> int:
    """The number that digits stand for; what is larger than any turn's could be is cut short."""
    return int(digits.lstrip("0")[: len(str(_MOST))] or "0")
