"""What programs and phones make of plain characters, and the way back."""

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
