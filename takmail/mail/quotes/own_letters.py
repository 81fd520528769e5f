"""Taking letters that we wrote before out of what was typed: a thread may be quoted without any marks."""

import re
from collections.abc import Iterable, Mapping

from takmail.mail.quotes.known_letters import quoted_from
from takmail.mail.quotes.words import words_of

MAX_CHARS = 40_000
MAX_LINES = 1_000
"""A longer text isn't looked through; blank lines don't count."""

_FEW_LINES = 2
_PLACES = 8_000
_PROSE_WORDS = 3
_BLANKS = re.compile(r"\n(?:[ \t]*\n){2,}")


def may_hold_letters(text: str) -> bool:
    """Whether a text is looked through: most that is typed is shorter than any letter."""
    lines = sum(1 for line in text.split("\n") if line.strip())
    return _FEW_LINES < lines <= MAX_LINES and len(text) <= MAX_CHARS


def without_letters(text: str, letters: Iterable[str]) -> str:
    """What is left of a typed text once the letters that stand in it are out.

    Letters are much alike: the one that covers most is taken out first, whole, or the head of it would be left. A
    move or a board of a letter stays, as a player may type them again; only with the words around them they go.
    """
    if not may_hold_letters(text):
        return text
    lines = {number: line for number, line in enumerate(text.split("\n")) if line.strip()}
    words = _prose(text)
    waiting = [one for one in dict.fromkeys(letters) if len(words & _prose(one)) >= _PROSE_WORDS]
    kept = dict(lines)
    while waiting and len(kept) > _FEW_LINES:
        found = [(letter, _quoted(letter, kept)) for letter in waiting]
        best, taken = max(found, key=lambda one: sum(len(kept[number]) for number in one[1]))
        if not taken:
            break
        waiting = [letter for letter, covered in found if covered and letter != best]
        kept = {number: line for number, line in kept.items() if number not in taken}
    if len(kept) == len(lines):
        return text
    left = [line for number, line in enumerate(text.split("\n")) if number in kept or number not in lines]
    return _BLANKS.sub("\n\n", "\n".join(left)).strip("\n")


def _quoted(letter: str, lines: Mapping[int, str]) -> frozenset[int]:
    taken = quoted_from(letter, lines, frozenset(), hinted=False, places=_PLACES)
    prose = _prose("\n".join(lines[number] for number in taken))
    return taken if len(prose) >= _PROSE_WORDS else frozenset()


def _prose(text: str) -> set[str]:
    return {word for word in words_of(text) if len(word) > 3}
