"""Read until when a player is away."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Self

from takmail.commands.command import Arguments, Rest
from takmail.commands.grammar.dates import begins_as_until, is_until
from takmail.commands.grammar.faults import LineFault, Unclear
from takmail.commands.grammar.manners import bare
from takmail.commands.grammar.normalize import plain
from takmail.vocabulary import meanings_in

_MOST_WORDS = 4
"""The maximum number of words of an unknown date. More of them are a sentence, such as "away until we meet in May"."""


@dataclass(frozen=True, slots=True)
class Away(Arguments):
    """Until when or for how long the sender is away, as `until_of` reads it."""

    text: str

    @classmethod
    def read(cls, rest: Rest) -> Self | Unclear | None:
        """Parse what has the form of a date or a length of time. "away from home" is chat."""
        if is_until(rest.text):
            return cls(rest.text.lower())
        is_meant = begins_as_until(rest.text) and len(rest.text.split()) <= _MOST_WORDS
        return Unclear(LineFault.HOW, rest.keyword) if is_meant else None

    def written(self) -> str:
        """Return the text, which has only words of dates and numbers."""
        return self.text


def absence_in(words: str) -> str | None:
    """Return until when the writer of some words is away from now on, None if no line of them says so.

    "I am away until Friday" does, and "I am away on Friday" does not.
    """
    said = (_absent().fullmatch(bare(plain(line)).lower()) for line in words.splitlines())
    untils = (found["behind"] or found["before"] for found in said if found)
    return next((until for until in untils if is_until(until, is_plain=False)), None)


@cache
def _absent() -> re.Pattern[str]:
    """Return the pattern of a line that says that its writer is away, and more."""
    phrases = "|".join(map(re.escape, sorted(meanings_in("absent"), key=len, reverse=True)))
    return re.compile(rf"(?:{phrases})[ ,]*(?P<behind>.+)|(?P<before>.+?)[ ,]*(?:{phrases})")
