"""Commands as `mailto:` links: touched, they open a mail to the seat's own address with the command filled in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from takmail.games.choice import Choice, Choices

MOST_BYTES = 44_000
"""How long the links of a letter may be together, with their tags: a letter is to stay below 60 KB."""
_TAGS = 110
"""Bytes of a link beside its address, Subject and words, at the most."""


@dataclass(frozen=True, slots=True)
class Touch:
    """What the links of a letter to one seat have in common.

    `head` is how they begin, and `number` the turn that a move of now would be.
    """

    head: str
    number: int

    def link(self, words: str) -> str:
        """A link that writes these words; the line ends behind them, as some programs put a signature there."""
        return f"{self.head}{quote(words, safe='')}%0D%0A"

    def turn(self, choice: Choice) -> str:
        """A link that plays a turn as long as it is the time for it."""
        return self.link(f"{choice.typed} #{self.number}")

    def likely(self, groups: Sequence[Choices]) -> tuple[Choices, ...]:
        """The groups with as many of their choices as there is room for.

        What `moves` tells of a place goes first, and then all boards but one: how to type theirs is the same.
        """
        boards = tuple(one for one in groups if not one.place)
        places = tuple(one for one in groups if one.place)
        short = tuple(replace(one, rows=()) for one in places)
        fitting = (some for some in ((*boards, *places), (*boards, *short)) if self._fit(some))
        return next(fitting, (*boards[:1], *short))

    def whole(self, groups: Sequence[Choices], lists: int = 1) -> tuple[Choices, ...]:
        """The groups of one place, the longest cut where there is no room for all, in a letter of so many lists."""
        most = max((len(one.turns) for one in groups), default=0)
        cut = tuple(groups)
        while most and not self._fit(cut * lists):
            most -= 1
            cut = tuple(replace(one, rows=(one.turns[:most],)) for one in groups)
        return cut

    def _fit(self, groups: Sequence[Choices]) -> bool:
        return sum(map(self._bytes, groups)) <= MOST_BYTES

    def _bytes(self, group: Choices) -> int:
        links = len(group.turns) + (group.missing > 0)
        words = sum(len(one.name) + len(one.typed) + 2 * one.typed.count(" ") for one in group.turns)
        return links * (len(self.head) + _TAGS) + words


def touch(address: str, subject: str, number: int) -> Touch:
    """The links that write to an address, with a Subject to go with it (RFC 6068 §5: a raw `+` may be lost)."""
    return Touch(f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body=", number)
