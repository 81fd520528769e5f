"""Build `mailto:` links for commands. A link opens a mail to takmail in which the command is already typed."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from urllib.parse import quote

from takmail.games.choice import Choices
from takmail.games.grid import Touch, Touches
from takmail.limits.letters import MAX_LINK_CHARS, MAX_LINKS_BYTES
from takmail.mail.tokens import SeatRef

_LINE_END = "%0D%0A"
_TAGS = 110
"""The maximum number of bytes of a link in a list that are not its address, Subject or words."""
_NAME = 40
"""The maximum number of bytes of the name of a turn, in any language."""


_MAX_CACHED = 4_000
"""The maximum number of escaped texts in the cache: games have many turns in common."""


@dataclass(frozen=True, slots=True)
class MailtoLinks:
    """The common part of the links in one letter.

    * `head` is the beginning of each link
    * `end` is the end of the line of a turn, which says that it is the next one
    * `keep_one` is the line above several moves in one mail, which asks the player to keep one of them
    * `moves` is the command that lists all moves of a place
    * `most_chars` is the maximum length of a link of a place
    * `to_seat` makes the links that play in a seat (a `SeatRef`)
    """

    head: str
    end: str
    keep_one: str
    moves: str = "moves"
    most_chars: int = MAX_LINK_CHARS
    to_seat: "Callable[[SeatRef], MailtoLinks] | None" = field(default=None, compare=False)

    def link(self, words: str) -> str:
        """Return a link that writes these words and a line break, because some mail programs append a signature."""
        return f"{self.head}{_escaped(words)}{_LINE_END}"

    def turns(self, typed: Iterable[str]) -> list[str]:
        """Return links each of which plays a turn, if it is the next one."""
        head, end = self.head, self.end
        return [f"{head}{_escaped(turn)}{end}" for turn in typed]

    def board(self, touches: Touches) -> dict[str, str]:
        """Return the links of the places of a board, by the lower-case names of the places."""
        head, end = self.head, self.end
        return {
            place: self._several(place, touch)
            if touch.is_move or touch.turns[1:]
            else f"{head}{_escaped(touch.turns[0])}{end}"
            for place, touch in touches.items()
        }

    def _several(self, place: str, touch: Touch) -> str:
        """Return the link of a place that has several turns or may have more, with at most `most_chars` characters.

        The mail has as many turns as fit, one a line, and then the command that lists all of them.
        """
        begin, last = (
            f"{self.head}{_escaped(self.keep_one)}{_LINE_END}",
            f"{_escaped(f'{self.moves} {place}')}{_LINE_END}",
        )
        left = self.most_chars - len(begin) - len(last)
        turns = [f"{_escaped(turn)}{self.end}" for turn in touch.turns]
        while turns and sum(map(len, turns)) > left:
            turns.pop()
        return "".join((begin, *turns, last)) if turns else self.link(f"{self.moves} {place}")

    def whole(self, groups: Sequence[Choices], lists: int = 1) -> tuple[Choices, ...]:
        """Return the groups of one place. The longest are cut so that this many lists fit into `MAX_LINKS_BYTES`."""
        longest = max((len(group.turns) for group in groups), default=0)
        # The size grows with the number of choices, so bisection finds the largest number that fits.
        most = bisect_left(
            range(longest), 1, key=lambda n: self._bytes(_cut(groups, n + 1)) * lists > MAX_LINKS_BYTES
        )
        return _cut(groups, most)

    def _bytes(self, groups: Sequence[Choices]) -> int:
        turns = [choice for group in groups for choice in group.turns]
        links = len(turns) + sum(group.missing > 0 for group in groups)
        words = sum(_NAME + len(choice.typed) + 2 * choice.typed.count(" ") for choice in turns)
        return links * (len(self.head) + _TAGS) + words


@lru_cache(_MAX_CACHED)
def _escaped(words: str) -> str:
    """Return a turn, or other words of commands, for a URL."""
    return quote(words, safe="")


def _cut(groups: Sequence[Choices], most: int) -> tuple[Choices, ...]:
    return tuple(
        group if len(group.turns) <= most else replace(group, turns=group.turns[:most]) for group in groups
    )


def mailto_links(address: str, subject: str, number: int, keep_one: str, moves: str = "moves") -> MailtoLinks:
    """Return links that write to an address with a Subject. A `+` is escaped, as it may be lost (RFC 6068 §5)."""
    head = f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body="
    return MailtoLinks(head, f"{_escaped(f' #{number}')}{_LINE_END}", keep_one, moves)
