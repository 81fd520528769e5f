"""The state of a game of Nim. The player who takes the last stone wins."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from hashlib import sha256
from operator import xor

from takmail.games.choice import Choice, Choices
from takmail.games.grid import Grid, Touch, Touches
from takmail.games.interface import (
    Check,
    Effect,
    Interpretation,
    Meant,
    NearMiss,
    Reading,
    ReadTurn,
    Reason,
    Refused,
    Result,
    Score,
    Seat,
    State,
    Touched,
)
from takmail.games.picture import Scene
from tests.nim.notation import (
    HIGHEST,
    MOST,
    PLACES,
    SEATS,
    Taken,
    heaps_of,
    of_two_lines,
    read_agreed,
    read_turn,
    rows,
    stones,
    taken,
)
from tests.nim.picture import grid_of, scene_of

RULES = ("game-goes-on", "heap-is-there", "takes-a-stone", "heap-is-high-enough")
"""The rules, in the order in which a turn is checked."""
_WORDS = re.compile(r"(?:i|we|take|takes|remove|get|stones?|from|of|the|heaps?|number|please|[0-9]{1,2}|\W)+")


@dataclass(frozen=True, slots=True)
class NimFacts:
    """The data for the templates: the heaps by place, and the total number of stones."""

    heaps: tuple[tuple[str, int], ...]
    stones: int


@dataclass(frozen=True, slots=True)
class NimState(State):
    """The state of a game of Nim: `heaps` are the numbers of stones, and `beginning` those before the first turn.

    `heaps` is None if the heaps aren't drawn yet.
    """

    heaps: tuple[int, ...] | None
    beginning: tuple[int, ...] = ()
    played: int = 0
    mover: Seat = Seat.FIRST

    @property
    def turns(self) -> int:
        """Return the number of turns played."""
        return self.played

    @property
    def to_move(self) -> Seat:
        """Return the seat to move."""
        return self.mover

    @property
    def result(self) -> Result | None:
        """Return a win for the player who has taken the last stone."""
        if self.heaps is None or any(self.heaps):
            return None
        winner = self.mover.other
        return Result(winner, ("1-0", "0-1")[winner], "last-stone")

    @property
    def checksum(self) -> str:
        """Return six digits of the SHA-256 of the board and the seat to move."""
        text = f"{'/'.join(self.board())} {int(self.mover)}"
        return sha256(text.encode("ascii")).hexdigest()[:6]

    def read(self, line: str) -> Reading:
        """Read `take 3 from 2`. One half of such a line is a near miss."""
        return self._reading(taken(line))

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """Read a turn of two lines, `take 3` and `from 2`, or of one line."""
        whole = of_two_lines(taken(lines[0]), taken(lines[1])) if len(lines) > 1 else None
        return (self.read(lines[0]), 1) if whole is None else (self._reading(whole), 2)

    def _reading(self, said: Taken | None) -> Reading:
        heaps = dict(zip(PLACES, self.heaps or (), strict=False))
        if said is None:
            return None
        if said.place is None:
            found = [place for place, height in heaps.items() if 0 < (said.count or 0) <= height]
            fixes = tuple(f"take {said.count} from {place}" for place in found)
            return NearMiss(Reason("heap-missing", {"count": said.count}), fixes)
        if said.count is None:
            most = heaps.get(said.place, 0)
            fixes = tuple(f"take {count} from {said.place}" for count in range(1, most + 1))
            return NearMiss(Reason("count-missing", {"place": said.place}), fixes)
        return ReadTurn(str(said), said.number)

    def meant(self, text: str) -> Meant | None:
        """Interpret two numbers among words such as `take`, `stones`, `of` and `heap`: the count, then the heap."""
        small = text.casefold()
        numbers = [str(int(one)) for one in re.findall("[0-9]{1,2}", small)]
        is_turn = len(numbers) == 2 and _WORDS.fullmatch(small) and re.search("[a-z]", small)
        if self.result or not is_turn:
            return None
        line = f"take {numbers[0]} from {numbers[1]}"
        broken = next((check.reason for check in self.verdict(line) if check.reason), None)
        return Meant((), broken) if broken else Meant((Interpretation("count-then-heap", (line,)),))

    def turns_in(self, text: str) -> tuple[str, ...]:
        """Return the turns `take 3 from 2` in a text."""
        found = re.findall("take [0-9]{1,2} from [1-5]", text.casefold())
        return tuple(str(said) for line in found if (said := taken(line)))

    def play(self, text: str) -> "NimState":
        """Return the state after a turn `take ...` or `board ...`. Raises `Refused`."""
        if agreed := read_agreed(text):
            self.adopt(*agreed)
            board, mover = agreed
            return replace(self, heaps=heaps_of(board), played=self.played + 1, mover=mover)
        broken = next((check.reason for check in self.verdict(text) if check.reason is not None), None)
        if broken is not None:
            raise Refused(broken)
        assert self.heaps is not None
        count, place = read_turn(text)
        heaps = tuple(
            height - count * (one == place) for one, height in zip(PLACES, self.heaps, strict=False)
        )
        return replace(self, heaps=heaps, played=self.played + 1, mover=self.mover.other)

    def asks_before(self, text: str) -> Reason | None:
        """Return a question if the opponent can force a win after this turn, and another turn would prevent that."""
        try:
            after = self.play(text)
        except Refused:
            return None
        if self.heaps is None or after.heaps is None or not reduce(xor, self.heaps, 0):
            return None
        return Reason("gives-it-away", {"turn": text}) if reduce(xor, after.heaps, 0) else None

    def adopt(self, board: str, to_move: Seat) -> str:
        """Return the turn `board ...`. Raises `Refused` if the number of heaps differs or a heap is too large."""
        heaps = heaps_of(board)
        if heaps is None or len(heaps) != len(self.beginning):
            raise Refused(Reason("other-heaps", {"count": len(self.beginning)}))
        grown = [place for place, now, then in zip(PLACES, heaps, self.beginning, strict=False) if now > then]
        if grown:
            raise Refused(Reason("heap-has-grown", {"place": grown[0]}))
        if not any(heaps):
            raise Refused(Reason("board-ends-the-game"))
        word = next(one for one, seat in SEATS.items() if seat is to_move)
        return f"board {board} {word}"

    def verdict(self, text: str) -> tuple[Check, ...]:
        """Return the check of every rule up to the first broken one. Raises `Refused` if the text is no turn."""
        if read_agreed(text):
            return ()
        count, place = read_turn(text)
        height = dict(zip(PLACES, self.heaps or (), strict=False)).get(place)
        facts = {"count": count, "place": place, "height": height, "heaps": len(self.heaps or ())}
        keeps = (
            bool(self.heaps) and self.result is None,
            height is not None,
            count > 0,
            count <= (height or 0),
        )
        names = ("game-over", "no-such-heap", "takes-nothing", "heap-too-low")
        broken = next((at for at, kept in enumerate(keeps) if not kept), len(keeps))
        checks = [Check(rule, facts, None) for rule in RULES[:broken]]
        if broken < len(keeps):
            checks.append(Check(RULES[broken], facts, Reason(names[broken], facts)))
        return tuple(checks)

    def touched(self, text: str) -> tuple[Touched, ...]:
        """Return the heap from which the turn takes stones. Raises `Refused` if the text is no turn."""
        if read_agreed(text):
            return ()
        count, place = read_turn(text)
        reason = next((check.reason for check in self.verdict(text) if check.reason is not None), None)
        height = dict(zip(PLACES, self.heaps or (), strict=False)).get(place, 0)
        after = None if reason else stones(height - count)
        return (Touched("taken", place, stones(height), after, {"count": count}, reason),)

    def effect(self, text: str) -> Effect:
        """Return the number of stones taken and the heap. Raises `Refused` if the text is no turn."""
        if read_agreed(text):
            return Effect("agreed")
        count, place = read_turn(text)
        return Effect("taken", {"mover": self.mover, "count": count, "place": place})

    def choices(self) -> tuple[Choices, ...]:
        """Return all turns, heap by heap."""
        if self.heaps is None or self.result is not None:
            return ()
        return tuple(
            self._of(place, height) for place, height in zip(PLACES, self.heaps, strict=False) if height
        )

    def choices_at(self, place: str) -> tuple[Choices, ...]:
        """Return all turns of one heap. Raises `Refused` if the heap doesn't exist or is empty."""
        height = dict(zip(PLACES, self.heaps or (), strict=False)).get(place)
        if self.result is not None:
            raise Refused(Reason("game-over"))
        if not height:
            raise Refused(Reason("no-such-heap" if height is None else "heap-is-gone", {"place": place[:20]}))
        return (self._of(place, height),)

    def _of(self, place: str, height: int) -> Choices:
        turns = tuple(Choice(f"take {n} from {place}", f"{n} of {place}") for n in range(1, height + 1))
        return Choices("heap", turns, len(turns), {"place": place, "height": height})

    def touches(self) -> Touches:
        """Return the heaps with their turns, the largest first."""
        return {
            str(group.facts["place"]): Touch(_largest_first(group), is_move=True) for group in self.choices()
        }

    def score(self, result: Result) -> Score:
        """Return the winner's points, one for each initial heap."""
        points = [0, 0]
        if result.winner is not None:
            points[result.winner] = len(self.beginning)
        return Score((points[0], points[1]), {"heaps": len(self.beginning)})

    def board(self) -> tuple[str, ...]:
        """Return a row for each heap: its number and its stones."""
        return rows(self.heaps or ())

    def picture(self, last: str | None = None, result: Result | None = None) -> Scene:  # noqa: ARG002 - not shown
        """Return the picture of the heaps. Raises `Refused` if `last` is no turn."""
        return scene_of(self.heaps or (), self._marked(last), MOST, HIGHEST)

    def grid(self, last: str | None = None) -> Grid:
        """Return the heaps as a grid of one column. Raises `Refused` if `last` is no turn."""
        heaps = self.heaps or ()
        contents = [stones(height) if height else "" for height in heaps]
        return grid_of(PLACES, heaps, contents, self._marked(last))

    def _marked(self, last: str | None) -> int | None:
        """Return the index of the heap of the last turn."""
        return None if last is None or read_agreed(last) else PLACES.index(read_turn(last)[1])

    def facts(self) -> NimFacts:
        """Return the data for the templates."""
        heaps = self.heaps or ()
        return NimFacts(tuple(zip(PLACES, heaps, strict=False)), sum(heaps))


def _largest_first(group: Choices) -> tuple[str, ...]:
    return tuple(choice.typed for choice in reversed(group.turns))[:6]
