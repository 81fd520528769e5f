"""Commands as `mailto:` links: touched, they open a mail to the seat's own address with the command filled in."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from takmail.games.choice import Choice, Choices

MOST_BYTES = 44_000
"""How long the links of a letter may be together, with their tags, where there is little else in it."""
_TAGS = 110
"""Bytes of a link beside its address, Subject and words, at the most."""


@dataclass(frozen=True, slots=True)
class MailtoLinks:
    """The common part of the links in a letter to one seat.

    `head` is how they begin, and `number` the turn that a move of now would be; `room` is how many bytes there are for
    those of moves.
    """

    head: str
    number: int
    room: int = MOST_BYTES

    def ever_fewer(self) -> Iterator["MailtoLinks"]:
        """This, then with less and less room, and with none at last."""
        for part in (1, 2, 4, 8):
            yield replace(self, room=self.room // part)
        yield replace(self, room=0)

    def link(self, words: str) -> str:
        """A link that writes these words; the line ends behind them, as some programs put a signature there."""
        return f"{self.head}{quote(words, safe='')}%0D%0A"

    def turn(self, choice: Choice) -> str:
        """A link that plays a turn as long as it is the time for it."""
        return self.link(f"{choice.typed} #{self.number}")

    def row(self, choices: Sequence[Choice | None]) -> list[tuple[str, str, str]]:
        """For each choice the link that plays it, and its name in two lines; three times nothing for a gap."""
        return [("", "", "") if one is None else self._cell(one) for one in choices]

    def _cell(self, choice: Choice) -> tuple[str, str, str]:
        upper, _, lower = choice.name.rpartition(" ")
        return self.turn(choice), upper, lower

    def likely(self, groups: Sequence[Choices]) -> tuple[Choices, ...]:
        """The groups with as many of their choices as there is room for.

        What `moves` tells of a place goes first, and then all boards but one: how to type theirs is the same.
        """
        boards = tuple(one for one in groups if not one.place)
        places = tuple(one for one in groups if one.place)
        short = tuple(replace(one, rows=()) for one in places)
        ways = ((*boards, *places), (*boards, *short), (*boards[:1], *short))
        return next((some for some in ways if self._bytes(some) <= self.room), ())

    def whole(self, groups: Sequence[Choices], lists: int = 1) -> tuple[Choices, ...]:
        """The groups of one place, the longest cut where there is no room for all, in a letter of so many lists."""
        longest = max((len(one.turns) for one in groups), default=0)
        # One less of each is never longer, so the most that there is room for is found by halving.
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
    """The links that write to an address, with a Subject to go with it (RFC 6068 §5: a raw `+` may be lost)."""
    return MailtoLinks(f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body=", number)
