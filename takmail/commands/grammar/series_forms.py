"""Read how long a match is in words: "best of five", «матч из пяти партий», 五局三胜, "first to 100 points"."""

import re
from collections.abc import Sequence
from functools import cache

from takmail.commands.command import LineFault, Unclear
from takmail.limits.words import MAX_REPEATED_WORD_CHARS
from takmail.vocabulary import IDEOGRAPHS, meanings_in
from takmail.world import SeriesTerms

LENGTH = re.compile(r"(?:games|points)=.*")
"""How a match ends, as an option of `new`."""
_NUMBER = "#"
"""What stands for a number in a phrase of the vocabulary."""
_LETTER = rf"[^\W\d_{IDEOGRAPHS}]"
_NUMERALS = {str(number) for number in range(1, 31)}


def length_in(options: Sequence[str]) -> str | Unclear | None:
    """Return how long a match is by options of `new`, in canonical form, None if there are none."""
    if not options:
        return None
    terms = SeriesTerms.read(" ".join(options))
    if terms is None:
        return Unclear(LineFault.MATCH_LENGTH, " ".join(options)[:MAX_REPEATED_WORD_CHARS])
    return terms.write()


def with_matches_in_short(text: str) -> str:
    """Return a plain text in lower case, in which what says how long a match is stands as an option of `new`."""
    return _phrases().sub(lambda found: f" {_option(found)} ", text)


def split_match(text: str) -> tuple[str | None, str]:
    """Return the option of `new` that a text in lower case has in words, None if it has none, and the other words."""
    found = _phrases().search(text)
    if found is None or SeriesTerms.read(option := _option(found)) is None:
        return None, text
    return option, f"{text[: found.start()]} {text[found.end() :]}".strip()


def _option(found: re.Match[str]) -> str:
    group, typed = next((group, typed) for group, typed in found.groupdict().items() if typed is not None)
    number = int(typed if typed.isdecimal() else meanings_in("dates")[typed])
    match group.partition("_")[0]:
        case "points":
            return f"points={number}"
        case "wins":
            return f"games={2 * number - 1}"  # Who needs three wins plays best of five.
        case _:
            return f"games={number}"


@cache
def _phrases() -> re.Pattern[str]:
    """Return the pattern of phrases, in each of which a group has the number, called by what is counted."""
    numerals = (word for word, meaning in meanings_in("dates").items() if meaning in _NUMERALS)
    number = rf"\d{{1,4}}|{'|'.join(map(re.escape, sorted(numerals, key=len, reverse=True)))}"
    phrases = sorted(meanings_in("matches").items(), key=lambda item: len(item[0]), reverse=True)
    patterns = []
    for place, (phrase, kind) in enumerate(phrases):
        before, *behind = map(re.escape, phrase.split(_NUMBER))
        others = rf"(?:{number})".join(behind)
        patterns.append(rf"{before}(?P<{kind}_{place}>{number}){others}")
    return re.compile(rf"(?<!{_LETTER}|\d)(?:{'|'.join(patterns)})(?!{_LETTER})")
