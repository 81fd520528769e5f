"""The notation of Nim: turns of one or two lines, boards with a line for each heap, and set-ups."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from takmail.games.interface import Reason, Refused, Seat, WrittenBoard

PLACES = ("1", "2", "3", "4", "5")
"""The names of the heaps."""
FEWEST, MOST = 3, len(PLACES)
HIGHEST = 7
SEATS = {"first": Seat.FIRST, "second": Seat.SECOND}
_BY_LOT = "random"
_TAKE = re.compile(r"take (?P<count>[0-9]{1,4})(?: stones?)?", re.IGNORECASE)
_FROM = re.compile(r"from (?:heap )?(?P<place>[0-9]{1,2})", re.IGNORECASE)
_NUMBER = re.compile(r" ?#(?P<number>[0-9]{1,9})$")
_TEXT = re.compile(r"take (0|[1-9][0-9]{0,3}) from (0|[1-9][0-9]?)")
_ROW = re.compile(r"[\s|]*([1-5])[\s|:]+([o ]*o|-)[\s|]*")
_BOARD = re.compile(r"board (.+) (first|second)")
_STONES = re.compile(r"-|o{1,99}")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a line says: the number of stones, the heap, and the number of the turn. Missing values are None."""

    count: int | None
    place: str | None
    number: int | None = None

    def __str__(self) -> str:
        return f"take {self.count} from {self.place}"


def taken(line: str) -> Taken | None:
    """Parse a whole turn, or one of its two lines; None for other lines."""
    numbered = _NUMBER.search(line)
    bare = line[: numbered.start()] if numbered else line
    number = int(numbered["number"]) if numbered else None
    if take := _TAKE.match(bare):
        rest = bare[take.end() :].lstrip()
        place = _FROM.fullmatch(rest)
        if rest and not place:
            return None
        return Taken(int(take["count"]), str(int(place["place"])) if place else None, number)
    place = _FROM.fullmatch(bare)
    return Taken(None, str(int(place["place"])), number) if place else None


def of_two_lines(first: Taken | None, second: Taken | None) -> Taken | None:
    """Return the turn that consists of two lines, or None if they are not the two halves of a turn."""
    if first is None or second is None or first.place is not None or second.count is not None:
        return None
    return Taken(first.count, second.place, second.number) if first.number is None else None


def read_turn(text: str) -> tuple[int, str]:
    """Return the number of stones and the heap of a canonical turn. Raises `Refused` for other texts."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise Refused(Reason("no-turn", {"text": text[:40]}))
    return int(found[1]), found[2]


def stones(count: int) -> str:
    """Return a heap as letters show it."""
    return "o" * count or "-"


def rows(heaps: Sequence[int]) -> tuple[str, ...]:
    """Return the board as letters show it."""
    return tuple(f"{place} {stones(count)}" for place, count in zip(PLACES, heaps, strict=False))


def heaps_of(board: str) -> tuple[int, ...] | None:
    """Return the heaps of a board on one line; None if it can't be parsed."""
    found: list[int] = []
    for row in board.split("/"):
        place, _, heap = row.partition(" ")
        if len(found) == MOST or place != PLACES[len(found)] or not _STONES.fullmatch(heap):
            return None
        found.append(heap.count("o"))
    return tuple(found)


def boards_in(lines: Sequence[str], expected: Collection[int] = ()) -> Iterator[WrittenBoard]:
    """Yield boards of heaps numbered from 1. Where no board is expected, a board needs the minimum number of heaps."""
    start = 0
    while start < len(lines):
        found = list(_rows_from(lines, start))
        is_expected = any(
            at < start and not any(line.strip() for line in lines[at + 1 : start]) for at in expected
        )
        if len(found) >= (1 if is_expected else FEWEST):
            yield WrittenBoard(start, start + len(found), "/".join(found))
        start += max(len(found), 1)


def _rows_from(lines: Sequence[str], start: int) -> Iterator[str]:
    for place, line in zip(PLACES, lines[start : start + MOST], strict=False):
        found = _ROW.fullmatch(line) if len(line) <= HIGHEST * 20 else None
        if not found or found[1] != place:
            return
        yield f"{place} {stones(found[2].count('o'))}"


def read_agreed(text: str) -> tuple[str, Seat] | None:
    """Return the board of a turn `board ...` and the seat to move; None for another turn."""
    found = _BOARD.fullmatch(text)
    return (found[1], SEATS[found[2]]) if found else None


@dataclass(frozen=True, slots=True)
class Setup:
    """A set-up of Nim: the heaps, None if they aren't drawn yet.

    `by_lot` is true if the heaps are drawn at acceptance.
    """

    by_lot: bool
    heaps: tuple[int, ...] | None

    def __str__(self) -> str:
        written = "" if self.heaps is None else "heaps=" + ",".join(map(str, self.heaps))
        return " ".join(filter(None, (_BY_LOT if self.by_lot else "", written)))

    @classmethod
    def of(cls, words: Sequence[str]) -> "Setup":
        """Parse the words of a set-up. Raises `Refused` for invalid words."""
        by_lot, heaps = not words, None
        for word in words:
            name, equals, said = word.lower().partition("=")
            if name == _BY_LOT and not equals:
                by_lot = True
            elif name == "heaps" and equals:
                heaps = _heaps(said)
            else:
                raise Refused(Reason("unknown-word", {"word": word[:40]}))
        return cls(by_lot, heaps)

    def drawn(self, rng: Random) -> "Setup":
        """Return the set-up with heaps, drawing them if there are none."""
        if self.heaps is not None:
            return self
        return Setup(True, tuple(rng.randint(1, HIGHEST) for _ in range(rng.randint(FEWEST, MOST))))


def _heaps(said: str) -> tuple[int, ...]:
    found = said.split(",")
    if not FEWEST <= len(found) <= MOST or not all(re.fullmatch("[1-9]", one) for one in found):
        raise Refused(
            Reason("bad-heaps", {"text": said[:20], "fewest": FEWEST, "most": MOST, "highest": HIGHEST})
        )
    heaps = tuple(map(int, found))
    if max(heaps) > HIGHEST:
        raise Refused(
            Reason("bad-heaps", {"text": said[:20], "fewest": FEWEST, "most": MOST, "highest": HIGHEST})
        )
    return heaps
