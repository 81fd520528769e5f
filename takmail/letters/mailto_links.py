"""Build `mailto:` links for commands. A link opens a mail to takmail in which the command is already typed."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from takmail.games.choice import Choice, Choices
from takmail.limits.letters import MAX_LINKS_BYTES

_TAGS = 110
"""The maximum number of bytes of a link that are not its address, Subject or words."""


@dataclass(frozen=True, slots=True)
class MailtoLinks:
    """The common part of the links in one letter.

    * `head` is the beginning of each link
    * `number` is the number of the next turn
    * `room` is the maximum number of bytes of links to moves
    """

    head: str
    number: int
    room: int = MAX_LINKS_BYTES

    def ever_fewer(self) -> Iterator["MailtoLinks"]:
        """Yield these links, then copies with less and less `room`, and at last one with no room."""
        for part in (1, 2, 4, 8):
            yield replace(self, room=self.room // part)
        yield replace(self, room=0)

    def link(self, words: str) -> str:
        """Return a link that writes these words and a line break, because some mail programs append a signature."""
        return f"{self.head}{quote(words, safe='')}%0D%0A"

    def turn(self, choice: Choice) -> str:
        """Return a link that plays a turn. It names the turn's number, so that it is refused when it comes too late."""
        return self.link(f"{choice.typed} #{self.number}")

    def row(self, choices: Sequence[Choice | None]) -> list[tuple[str, str, str]]:
        """Return the link and the two lines of the name of each choice, or three empty strings for a gap."""
        return [("", "", "") if one is None else self._cell(one) for one in choices]

    def _cell(self, choice: Choice) -> tuple[str, str, str]:
        upper, _, lower = choice.name.rpartition(" ")
        return self.turn(choice), upper, lower

    def likely(self, groups: Sequence[Choices]) -> tuple[Choices, ...]:
        """Return the groups of choices that fit into `room`.

        If not all fit, the choices of each place are dropped first, and then all boards except the first one. The
        links of all boards type the same moves.
        """
        boards = tuple(one for one in groups if not one.place)
        places = tuple(one for one in groups if one.place)
        short = tuple(replace(one, rows=()) for one in places)
        ways = ((*boards, *places), (*boards, *short), (*boards[:1], *short))
        return next((some for some in ways if self._bytes(some) <= self.room), ())

    def whole(self, groups: Sequence[Choices], lists: int = 1) -> tuple[Choices, ...]:
        """Return the groups of one place with the longest ones cut, so that this many lists fit into `room`."""
        longest = max((len(one.turns) for one in groups), default=0)
        # The size grows with the number of choices, so bisection finds the largest number that fits.
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
    """Return links that write to an address with a Subject. A `+` is escaped, as it may be lost (RFC 6068 §5)."""
    return MailtoLinks(f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body=", number)
