"""Normalise a line. This undoes changes that mail programs and phones make to typed text."""

import re
import unicodedata
from functools import lru_cache

from takmail.mail.quotes.words import PLAIN, in_one_way

_INVISIBLE = ("Cf", "Cc", "Cn", "Co", "Cs")
"""The Unicode categories of characters that are invisible."""
_NOT_TYPED = re.compile("[\ud800-\udfff\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069]")
"""Lone surrogates, control characters and bidirectional characters."""
_BOLD = re.compile(r"\*([^*]+)\*")
_SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_SPACES = re.compile(r"\s+")
_GAME = re.compile(r"#(\d{1,9}) (?=\S)")
STOPS = ("quit", "--", ".")
"""Lines that end the part of a mail that is searched for commands."""


def plain(line: str) -> str:
    """Return the line in NFKC, without invisible characters, and with plain quotes, plain dashes and single spaces."""
    if line.isascii() and line.isprintable():
        return _SPACES.sub(" ", line.translate(PLAIN)).strip()
    text = in_one_way(line).translate(PLAIN)
    return _SPACES.sub(" ", "".join(filter(_is_visible, text))).strip()


@lru_cache(4096)
def _is_visible(char: str) -> bool:
    return char in "\t " or unicodedata.category(char) not in _INVISIBLE


def command_form(line: str) -> str:
    """Return the plain line without the full stop, exclamation mark, comma or emoji at its end.

    Phones and people add these. Asterisks around the whole line are removed, because Gmail marks bold text with them.
    """
    text = _without_emoji(plain(line))
    bold = _BOLD.fullmatch(text)
    text = bold[1].strip() if bold else text
    return text if text == "." else re.sub(r"\s*[.!,]$", "", text)


def _without_emoji(text: str) -> str:
    """Return the text without the emoji at its end."""
    end = len(text)
    while end and (text[end - 1] in f" \ufe0f{_SKIN_TONES}" or unicodedata.category(text[end - 1]) == "So"):
        end -= 1
    return text[:end]


def split_game(line: str) -> tuple[int | None, str]:
    """Return the number of a game at the beginning of a plain line, as in `#12 draw`, and the rest of the line."""
    named = _GAME.match(line)
    return (int(named[1]), line[named.end() :]) if named else (None, line)


def clipped(text: str, most: int) -> str:
    """Return the text, truncated to `most` characters."""
    return text if len(text) <= most else f"{text[:most].rstrip()} ..."


def writable(text: str) -> str:
    """Return the text without characters that nobody types.

    These are control and bidirectional characters, and lone surrogates, which neither a database nor a letter can
    store.
    """
    return _NOT_TYPED.sub("", text)


_MAX_TURN_NUMBER = 999_999_999


def turn_number(digits: str) -> int:
    """Return the number that the digits represent. Numbers larger than any turn number lose their last digits."""
    return int(digits.lstrip("0")[: len(str(_MAX_TURN_NUMBER))] or "0")


def short_number(text: str) -> int | None:
    """Return the number that a text such as `31` or `#31` names, None if it names none or a very large one."""
    digits = text.removeprefix("#")
    return int(digits) if digits.isdecimal() and len(digits) < 7 else None


def joined(*words: str | int | None) -> str:
    """Return the words that are not empty, with spaces between them."""
    return " ".join(str(word) for word in words if word not in (None, ""))


def without_move(line: str) -> str:
    """Return the line without a leading `/` and without the word `move`. Both are optional before a turn."""
    return re.sub(r"^(/ ?)?(move )?", "", line, flags=re.IGNORECASE)


def without_numbers(text: str) -> str:
    """Return the words of a text without those that have digits, and without the words beside them, which may be dates.

    If nothing else is left, return all words. Case and spaces do not count.
    """
    words = text.casefold().split()
    numbers = {at for at, word in enumerate(words) if any(map(str.isdigit, word))}
    kept = [word for at, word in enumerate(words) if not {at - 1, at, at + 1} & numbers]
    return " ".join(kept or words)
