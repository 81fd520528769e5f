"""Write Chinese in traditional characters, and tell in which characters a text is written."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opencc import OpenCC

SIMPLIFIED, TRADITIONAL = "zh", "zh-hant"
"""The codes of the languages that are Chinese in one kind of characters."""
_TAIWANESE_WORDS = "s2twp"
"""The configuration of OpenCC by which words get the characters, and a few terms, that are usual in Taiwan."""
_CORRECTIONS = {
    "遮蔽": "封鎖",
    "全域性的": "全局的",
    "程式碼": "代碼",
    "儲存": "保存",
    "下劃線": "底線",
    "郵箱": "信箱",
    "回復": "回覆",
    "格里": "格裡",
    "通過郵件": "透過郵件",
}
"""What OpenCC writes, such as terms of programmers, and the words that letters mean by it."""
_QUOTATION_MARKS = str.maketrans("“”‘’", "「」『』")
_MAX_CACHED = 4_096


@cache
def _converter() -> "OpenCC":
    from opencc import OpenCC  # its import takes a while, and few processes write to anybody who needs it

    return OpenCC(_TAIWANESE_WORDS)


def in_traditional(text: str) -> str:
    """Return a text in simplified characters in traditional ones. What is no Chinese stays as it is."""
    converted: str = _converter().convert(text).translate(_QUOTATION_MARKS)
    for wrong, right in _CORRECTIONS.items():
        converted = converted.replace(wrong, right)
    return converted


def characters_of(text: str) -> str:
    """Return whether a text has more characters that are only simplified or only traditional, '' if neither.

    Those that only one of the two old encodings has, GB 2312 of the mainland and Big5 of Taiwan, are only one of these.
    """
    kinds = [_kind(character) for character in text]
    simplified, traditional = kinds.count(SIMPLIFIED), kinds.count(TRADITIONAL)
    if simplified == traditional:
        return ""
    return SIMPLIFIED if simplified > traditional else TRADITIONAL


@lru_cache(_MAX_CACHED)
def _kind(character: str) -> str:
    if not "\u4e00" <= character <= "\u9fff":
        return ""
    is_simplified, is_traditional = _is_in(character, "gb2312"), _is_in(character, "big5")
    if is_simplified == is_traditional:
        return ""
    return SIMPLIFIED if is_simplified else TRADITIONAL


def _is_in(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
