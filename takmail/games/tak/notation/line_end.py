"""Parse the words after a move: a call of tak, the number of the turn, and foreign words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TURN_NUMBER = re.compile(r"#([0-9]{1,9})")
_CALLS = ("t", "(t)", "(t!)", "tak", "(tak)", "(tak!)")


@dataclass(frozen=True, slots=True)
class Tail:
    """The words after a move. `foreign` are the words that are neither a call of tak nor a turn number."""

    tak: bool
    number: int | None
    foreign: tuple[str, ...]


def tail_of(words: Sequence[str]) -> Tail:
    """Classify the words after a move, which may be in any order."""
    tak, number, foreign = False, None, []
    for word in words:
        found = _TURN_NUMBER.fullmatch(word)
        if word.lower() in _CALLS:
            tak = True
        elif found and number in (None, int(found[1])):
            number = int(found[1])
        else:
            foreign.append(word)
    return Tail(tak, number, tuple(foreign))
