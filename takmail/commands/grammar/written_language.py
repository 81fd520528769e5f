"""Tell in which language a text is probably written, by its script."""

import re
from collections import Counter
from collections.abc import Collection

_RUSSIAN, _CHINESE = "ru", "zh"
_CYRILLIC = "\u0400-\u052f"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(
    rf"(?P<{_RUSSIAN}>[{_CYRILLIC}]+)|(?P<{_CHINESE}>[{_HAN}]{{1,2}})|(?:(?![{_CYRILLIC}{_HAN}])[^\W\d_]){{2,}}"
)
"""A word. Two Chinese characters count as one, as no spaces separate words in Chinese.

A Latin letter alone does not count, as it may be that of a square.
"""
_OTHER_LANGUAGES = {
    _RUSSIAN: re.compile(rf"(?![\u0410-\u044f\u0401\u0451])[{_CYRILLIC}]"),
    _CHINESE: re.compile(r"[\u3040-\u30ff]"),
}
"""Letters that show that a text in the script of a language is in another one, such as Ukrainian or Japanese."""


def language_written(text: str, languages: Collection[str]) -> str | None:
    """Return the code of the language in whose script most words of a text are, None if it is none of `languages`.

    English is never returned, as commands and moves are in Latin letters whatever their writer speaks.
    """
    if text.isascii():
        return None
    words = Counter(word.lastgroup for word in _WORD.finditer(text))
    for code, others in _OTHER_LANGUAGES.items():
        if code in languages and 2 * words[code] > words.total() and not others.search(text):
            return code
    return None
