"""Normalize the words of texts, so that texts can be compared after mail programs have reformatted them."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

PLAIN = (
    dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
    | dict.fromkeys(map(ord, "‘’‚‛′`´"), "'")
    | dict.fromkeys(map(ord, "“”„‟″«»「」"), '"')
)
"""A table for `str.translate` that converts typographic dashes and quotation marks to ASCII characters."""

_BEYOND_ASCII = re.compile(r"[\x00-\x7f]?[^\x00-\x7f\ufdfa\ufdfb]{1,40}")
"""Runs of characters with several encodings.

The character before them is included, because combining marks may follow it. U+FDFA and U+FDFB are excluded, because
NFKC expands them to 18 and 8 characters. It expands other characters to at most two per byte.
"""


def in_one_way(text: str) -> str:
    """Return the text in NFKC, except for U+FDFA and U+FDFB.

    The text is converted in pieces, because sorting n combining marks takes n² steps.
    """
    if text.isascii():
        return text
    return _BEYOND_ASCII.sub(lambda piece: unicodedata.normalize("NFKC", piece[0]), text)


PICTURE = "\ufffc"
"""The object replacement character, which stands for a picture."""
_LONG_WORD = 4  # letters; a shorter word may be part of a move or a board
# Programs may wrap a line before and after each Chinese character and mark, so each is a word. NFKC makes ASCII
# characters of the wide marks.
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SIGN = re.compile(f"({_HAN.pattern}|[\u3001-\u303f])")
_WIDE_MARK = re.compile("([\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65])")
_LONGEST_WORD = 60  # characters; a longer word is split into its characters

# Soft hyphens, zero-width characters, the asterisks of bold text, and the brackets around the text of a picture are
# removed. The bars between the cells of a table become spaces. All of ASCII is included, because `translate` is slowest
# for characters that it doesn't find.
_PLAIN = (
    {code: code for code in range(128)}
    | PLAIN
    | dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff\ufffc*[]"))
    | dict.fromkeys(map(ord, "|│"), " ")
)
# Programs write the target of a link after its text: `flat <mailto:...>`. Gmail omits the `mailto:`, and Proton writes
# the target in parentheses.
_TARGET = r"(?:mailto:|https?://)[^<>()\s]*"
_LINK = re.compile(rf"<(?:{_TARGET}|[^<>@\s]{{1,200}}@[^<>?\s]{{1,200}}\?[^<>\s]*)>", re.IGNORECASE)
_BRACKETED = re.compile(rf"!?\[([^\[\]]*)\]\((?:{_TARGET}|cid:[^()\s]*)\)", re.IGNORECASE)
_PICTURE = re.compile(
    r"\ufffc|\[\]|\[cid:[^\[\]\s]{1,200}\]|\[image: (?P<alt>[^\[\]]{0,2000})\]"
    r"|<[^<>\s]{1,200}\.(?:png|gif|jpe?g)>|\binline images?\b",
    re.IGNORECASE,
)
"""What programs write in place of a picture: `alt` is its alternative text."""


def _alternative(picture: re.Match[str]) -> str:
    return picture["alt"] or " "


def is_pictures(line: str) -> bool:
    """Return whether a line has only what programs write in place of pictures, with or without links."""
    return bool(_PICTURE.search(line)) and not _LINK.sub("", _PICTURE.sub("", line)).strip(" \t\r*")


_MAY_BE_WRITTEN = re.compile(r"[<\[]|mage")
"""What is in each line in which programs may have written a link or a picture."""


def words_of(text: str) -> list[str]:
    """Return the normalized words of a text for comparison. A very long word is split into its characters.

    Mail programs may wrap a very long word at any character. Of what they write in place of a picture, only its
    alternative text counts.
    """
    if "](" in text:
        # A picture may be within a link.
        text = _BRACKETED.sub(r"\1", _BRACKETED.sub(r"\1", text))
    if "image" in text or "Image" in text or "[cid:" in text or "<" in text:
        text = _LINK.sub(" ", _PICTURE.sub(_alternative, text))
    return _words(_normalized(text))


def words_by_line(lines: Iterable[str]) -> list[list[str]]:
    """Return the words of each line. Plain lines are normalized together, which takes less time."""
    bare = [line.removeprefix(PICTURE) for line in lines]
    apart = {at: line for at, line in enumerate(bare) if not line.isascii() or _MAY_BE_WRITTEN.search(line)}
    for at in apart:
        bare[at] = ""
    words = list(map(_words, _normalized("\n".join(bare)).split("\n"))) if bare else []
    for at, line in apart.items():
        words[at] = words_of(line)
    return words


def long_words(words: Sequence[str]) -> list[str]:
    """Return the words of prose: those of more than three letters, and each two Chinese characters in a row.

    They tell prose from moves and boards, whose words are shorter.
    """
    if "".join(words).isascii():
        return [word for word in words if len(word) >= _LONG_WORD]
    found = []
    sign = ""
    for word in words:
        if len(word) >= _LONG_WORD:
            found.append(word)
        if not _HAN.fullmatch(word):
            sign = ""
        elif sign:
            found.append(sign + word)
            sign = ""
        else:
            sign = word
    return found


def _normalized(text: str) -> str:
    if text.isascii():
        return text.casefold().translate(_PLAIN)
    plain = in_one_way(" ".join(_WIDE_MARK.split(text))).casefold().translate(_PLAIN)
    return " ".join(_SIGN.split(plain))


def _words(plain: str) -> list[str]:
    words = plain.split()
    if len(plain) <= _LONGEST_WORD or max(map(len, words), default=0) <= _LONGEST_WORD:
        return words
    return [part for word in words for part in (word if len(word) > _LONGEST_WORD else (word,))]
