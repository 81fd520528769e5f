"""Commands as `mailto:` links. They open a mail to the seat's address with the command filled in."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from takmail.games.choice import Choice, Choices

MOST_BYTES = 44_000
"""The maximum size in bytes of all links in a letter with their tags, if it has little else."""
_TAGS = 110
"""Bytes of a link besides its address, Subject and words, at most."""


@dataclass(frozen=True, slots=True)
class MailtoLinks:
    """The common part of the links in a letter to one seat.

    `head` is how they begin. `number` is the turn that a move now would be. `room` is the number of bytes for links
    of moves.
    """

    head: str
    number: int
    room: int = MOST_BYTES

    def ever_fewer(self) -> Iterator["MailtoLinks"]:
        """Yield these links, then versions with less and less room, and at last one with none."""
        for part in (1, 2, 4, 8):
            yield replace(self, room=self.room // part)
        yield replace(self, room=0)

    def link(self, words: str) -> str:
        """Return a link that writes these words. A line break follows, as some programs append a signature."""
        return f"{self.head}{quote(words, safe='')}%0D%0A"

    def turn(self, choice: Choice) -> str:
        """Return a link that plays a turn, if it is still the right turn when sent."""
        return self.link(f"{choice.typed} #{self.number}")

    def row(self, choices: Sequence[Choice | None]) -> list[tuple[str, str, str]]:
        """Return for each choice its link and its name in two lines. A gap has three empty strings."""
        return [("", "", "") if one is None else self._cell(one) for one in choices]

    def _cell(self, choice: Choice) -> tuple[str, str, str]:
        upper, _, lower = choice.name.rpartition(" ")
        return self.turn(choice), upper, lower

    def likely(self, groups: Sequence[Choices]) -> tuple[Choices, ...]:
        """Return the groups with as many choices as fit.

        Details of places are dropped first, and then all boards but one, as their moves are typed in the same way.
        """
        boards = tuple(one for one in groups if not one.place)
        places = tuple(one for one in groups if one.place)
        short = tuple(replace(one, rows=()) for one in places)
        ways = ((*boards, *places), (*boards, *short), (*boards[:1], *short))
        return next((some for some in ways if self._bytes(some) <= self.room), ())

    def whole(self, groups: Sequence[Choices], lists: int = 1) -> tuple[Choices, ...]:
        """Return the groups of one place, the longest ones cut to fit, for a letter with this many lists."""
        longest = max((len(one.turns) for one in groups), default=0)
        # The size grows with the number of choices, so bisection finds the maximum.
        most = bisect_left(
            range(longest), 1, key=lambda n: self._bytes(_cut(groups, n + 1)) * lists > self.room
        )
        return _cut(groups, most)

    def _bytes(self, groups: Sequence[Choices]) -> int:
        turns = [one for group in groups for one in group.turns]
        links = len(turns) + sum(one.missing > 0 for one in groups)
        words = sum(len(one.name) + len(one.typed) + 2 * one.typed.count(" ") for one in turns)
        return links * (len(self.head) + _TAGS) + words


def _cut(groups: Sequence[Choices], most: int) -> tuple[Choices, ...]:
    return tuple(one if len(one.turns) <= most else replace(one, rows=(one.turns[:most],)) for one in groups)


def mailto_links(address: str, subject: str, number: int) -> MailtoLinks:
    """Return the links to an address, with a Subject for them (RFC 6068 §5: a raw `+` may be lost)."""
    return MailtoLinks(f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body=", number)
