"""Two programs that know only the rules and the notation of TZAAR play whole games through takmail.

They read the nine lines of the board at the beginning, and then only the first line of each letter. Each keeps its own
board, by rules of its own.
"""

import re
from dataclasses import dataclass, field
from random import Random

import pytest

from takmail.world.kinds import Standing
from tests.pipeline.test_process import AS_ADA, AS_BEN, table
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, said

COLUMNS = "abcdefghi"
STEPS = ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1))
PIECES = {"z": 6, "r": 9, "t": 15}
WHO = {ADA: AS_ADA, BEN: AS_BEN}
Point = tuple[int, int]


def points() -> list[Point]:
    grid = [(x, y) for x in range(9) for y in range(9)]
    return [(x, y) for x, y in grid if abs(x - y) <= 4 and (x, y) != (4, 4)]


def names() -> dict[str, Point]:
    """Return the point of each name: a column's spots are numbered from the south, and the centre has no number."""
    found = {}
    for x, letter in enumerate(COLUMNS):
        column = [point for point in points() if point[0] == x]
        found |= {f"{letter}{number}": point for number, point in enumerate(column, 1)}
    return found


NAMES = names()
NAME_OF = {point: name for name, point in NAMES.items()}


@dataclass
class Book:
    """A board in the terms of the rules: what stands on each point, as colour, kind and height."""

    stacks: dict[Point, tuple[str, str, int]] = field(default_factory=dict)
    color: str = "w"

    @classmethod
    def of_lines(cls, text: str) -> "Book":
        """Read the nine lines of a letter."""
        stacks = {}
        for letter, line in re.findall(r"^([A-I])  +([zrtZRT0+][zrtZRT0-9+ ]*)$", text, re.MULTILINE)[:9]:
            cells = [cell for cell in line.split() if cell != "+"]
            for number, cell in enumerate(cells, 1):
                if cell != "0":
                    color = "w" if cell[0].islower() else "b"
                    point = NAMES[f"{letter.lower()}{number}"]
                    stacks[point] = (color, cell[0].lower(), int(cell[1:] or 1))
        return cls(stacks)

    @property
    def other(self) -> str:
        return "b" if self.color == "w" else "w"

    def reach(self, start: Point) -> list[Point]:
        """Return the first taken point in each direction."""
        found = []
        for x, y in STEPS:
            at = (start[0] + x, start[1] + y)
            while at in NAME_OF and at not in self.stacks:
                at = (at[0] + x, at[1] + y)
            if at in self.stacks:
                found.append(at)
        return found

    def actions(self, word: str) -> list[tuple[str, Point, Point]]:
        found = []
        for start in [point for point, stack in self.stacks.items() if stack[0] == self.color]:
            for end in self.reach(start):
                theirs, height = self.stacks[end][0] != self.color, self.stacks[end][2]
                if (word == "c" and theirs and height <= self.stacks[start][2]) or (
                    word == "s" and not theirs
                ):
                    found.append((word, start, end))
        return found

    def do(self, action: tuple[str, Point, Point]) -> None:
        word, start, end = action
        color, kind, height = self.stacks.pop(start)
        self.stacks[end] = (color, kind, height + (self.stacks[end][2] if word == "s" else 0))

    def loser(self) -> str | None:
        """Return who lacks a kind."""
        kinds = {(color, kind) for color, kind, _ in self.stacks.values()}
        return next((color for color in "wb" if any((color, kind) not in kinds for kind in "zrt")), None)

    def apply(self, turn: str) -> None:
        """Make a turn in the notation of mails."""
        words = turn.split()
        if words[0][0] == "p" and len(words) == 2:
            self.stacks[NAMES[words[1]]] = (self.color, words[0][1], 1)
        else:
            while words and words[0] in ("c", "s"):
                self.do((words[0], NAMES[words[1]], NAMES[words[2]]))
                words = words[3:]
        self.color = self.other

    def choose(self, rng: Random, is_first: bool) -> str:
        """Return a random turn that is no slip."""
        first = rng.choice(self.actions("c"))
        after = Book(dict(self.stacks), self.color)
        after.do(first)
        if is_first or after.loser():
            return written(first)
        seconds: list[tuple[str, Point, Point] | None] = [*after.actions("c"), *after.actions("s")]
        rng.shuffle(seconds)
        for second in (*seconds, None):
            if second is None:
                break
            end = Book(dict(after.stacks), after.color)
            end.do(second)
            if end.loser() != self.color:
                return f"{written(first)} {written(second)}"
        return f"{written(first)} pass"

    def place(self, rng: Random) -> str:
        mine = [kind for color, kind, _ in self.stacks.values() if color == self.color]
        kinds = [kind for kind, count in PIECES.items() if mine.count(kind) < count]
        spot = rng.choice([name for name, point in NAMES.items() if point not in self.stacks])
        return f"p{rng.choice(kinds)} {spot}"

    def lines(self) -> list[str]:
        """Return the nine lines, with single spaces."""
        found = []
        for letter in COLUMNS:
            cells = [self._cell(NAMES[name]) for name in NAMES if name[0] == letter]
            if letter == "e":
                cells.insert(4, "+")
            found.append(" ".join((letter.upper(), *cells)))
        return found

    def _cell(self, point: Point) -> str:
        if point not in self.stacks:
            return "0"
        color, kind, height = self.stacks[point]
        return (kind if color == "w" else kind.upper()) + (str(height) if height > 1 else "")


def written(action: tuple[str, Point, Point]) -> str:
    word, start, end = action
    return f"{word} {NAME_OF[start]} {NAME_OF[end]}"


def to(letters: list[Received], who: str) -> Received:
    return next(one for one in letters if one.to == who)


def board_in(letter: Received) -> list[str]:
    rows = re.findall(r"^[A-I]  +[zrtZRT0+].*$", letter.text, re.MULTILINE)
    return [" ".join(row.split()) for row in rows[:9]]


@pytest.mark.parametrize(
    ("setup", "seed"),
    [
        ("random", 2),
        *(
            pytest.param(*one, marks=pytest.mark.wide)
            for one in (("fixed", 1), ("random", 3), ("tournament", 4))
        ),
    ],
)
def test_a_whole_game_by_the_book_alone(setup: str, seed: int) -> None:
    rng = Random(seed)
    people = MemoryHarness()
    people.send(AS_ADA, f"new tzaar {setup} vs {BEN} first=me")
    begun = people.send(AS_BEN, "accept", people.last(BEN))
    books = {who: Book.of_lines(to(begun, who).text) for who in (ADA, BEN)}
    assert len(books[ADA].stacks) == (0 if setup == "tournament" else 60)
    mover, other = ADA, BEN
    placings = 60 if setup == "tournament" else 0
    for turn in range(200):
        book = books[mover]
        if turn < placings:
            line = book.place(rng)
        elif not book.actions("c") or book.loser():
            break
        else:
            line = book.choose(rng, is_first=turn == placings)
        letters = people.send(WHO[mover], line, people.last(mover))
        news = to(letters, other)
        assert news.text.splitlines()[0] == line
        book.apply(line)
        books[other].apply(news.text.splitlines()[0])
        assert board_in(news) == books[other].lines() == book.lines()
        mover, other = other, mover
        if turn % 9 == 8:
            (answer,) = people.send(WHO[mover], "\n".join(book.lines()), people.last(mover))
            assert "Your board is the same as mine" in said(answer)
    over = table(people)
    assert over.record.standing == Standing.OVER
    loser = book.loser() or book.color
    assert over.state.result is not None
    assert over.state.result.score == ("0-1" if loser == "w" else "1-0")
    end = said(people.last(ADA))
    assert ("You win" if loser == "b" else "Ben wins") in end
    assert f"Result: {over.state.result.score}" in end
