"""The words of a text as two texts are compared, whatever mail programs did to either."""

import re
import unicodedata

PLAIN = (
    dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
    | dict.fromkeys(map(ord, "‘’‚‛′`´"), "'")
    | dict.fromkeys(map(ord, "“”„‟″«»"), '"')
)
"""For `str.translate`: dashes and quotes of every kind, and what is typed for them."""

_BEYOND_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f\ufdfa\ufdfb]{1,40}")
"""What may be written in several ways, with the letter that stands before it and may carry its marks.

U+FDFA and U+FDFB stay as they are: NFKC makes 18 and 8 letters of them, of any other sign at most two a byte.
"""


def in_one_way(text: str) -> str:
    """The text in NFKC but for two signs, a piece at a time: putting n marks of one letter in order takes n² steps."""
    if text.isascii():
        return text
    return _BEYOND_ASCII.sub(lambda piece: unicodedata.normalize("NFKC", piece[0]), text)


_LONGEST_WORD = 60

# Soft hyphens, zero widths, and the marks of bold text. All of ASCII is here, as `translate` takes longest for what
# it doesn't find.
_PLAIN = (
    {code: code for code in range(128)}
    | PLAIN
    | dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff*"))
)
# Programs write the target of a link behind it: `flat <mailto:...>`, Gmail without the `mailto:`, Proton in brackets.
_TARGET = r"(?:mailto:|https?://)[^<>()\s]*"
_LINK = re.compile(rf"<(?:{_TARGET}|[^<>@\s]{{1,200}}@[^<>?\s]{{1,200}}\?[^<>\s]*)>", re.IGNORECASE)
_BRACKETED = re.compile(rf"\[([^\[\]]*)\]\({_TARGET}\)", re.IGNORECASE)


def words_of(text: str) -> list[str]:
    """The words of a text as they are compared, made plain; each letter of a very long one, which may be broken off."""
    if "](" in text:
        text = _BRACKETED.sub(r"\1", text)
    if "<" in text:
        text = _LINK.sub(" ", text)
    plain = in_one_way(text).casefold().translate(_PLAIN)
    words = plain.split()
    if len(plain) <= _LONGEST_WORD or max(map(len, words), default=0) <= _LONGEST_WORD:
        return words
    return [part for word in words for part in (word if len(word) > _LONGEST_WORD else (word,))]
