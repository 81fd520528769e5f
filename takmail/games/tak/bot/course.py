"""What is proven about the positions and the plies of a game that was played."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from takmail.games.tak.bot.bits import (
    DRAWN,
    WON,
    Bits,
    Ply,
    bits_of,
    has_road,
    layout_of,
    make,
    plies,
    ply_of,
    result,
)
from takmail.games.tak.bot.evaluate import evaluate
from takmail.games.tak.bot.roads import road_in_one
from takmail.games.tak.bot.tinue import Effort, Proof, Tinue, TinueSearch, looks
from takmail.games.tak.moves import Move
from takmail.games.tak.position import OPENING_PLIES, Position
from takmail.games.thinking import IsOver

ORDER = (
    "road_missed",
    "road_allowed",
    "tinue_missed",
    "tinue_allowed",
    "lost",
    "only_win",
    "only_defence",
)
"""The names of what can be proven about a ply, the worst first."""

_MOST_BETTER = 3
"""The maximum number of better plies that are looked for."""
_FEW = 2
"""The maximum number of plies that force a road with which it is worth praise to find one, if the road is not near."""
_FAR = 5
"""The number of plies from which on a road is not near."""
_LINE_NODES = 100_000
"""The maximum number of nodes for each defence of a line that is proven."""
_JUDGED = 20
"""The effort to judge the position after a ply."""
_SPARE = 3
"""Once all effort is used up, the part of it, 1 in so many, that may still be spent on roads in one."""
_DECIDED = 10**6
"""The value of a position in which the player to move has won."""
_OVER = Tinue(Proof.NONE, 0)


class Limits(NamedTuple):
    """How far a search goes: up to a road in so many plies, and within so many nodes for a position.

    `others` are the nodes for all plies together that might have been played in place of one, and `effort` how many
    plies are looked at in all.
    """

    plies: int
    nodes: int
    others: int
    effort: int


@dataclass(frozen=True, slots=True)
class Proven:
    """What is proven about a ply.

    * `road_missed`: `better` make a road, and the ply does not
    * `road_allowed`: the other side can make a road after the ply, and not after `better`
    * `tinue_missed`: `better` force a road, and the ply does not within the limit
    * `tinue_allowed`: the other side can force a road after the ply, and not by threats within the limit after `better`
    * `lost`: whatever was played, the other side could force a road, and no ply ended the game by count
    * `only_win`: the ply is one of few that force a road
    * `only_defence`: the ply is the only one after which the other side can't make a road

    `plies` are those from a first ply of whoever gets the road up to the road. `line` begins with the first of `better`
    if a road was missed, otherwise with the ply that was played, and ends with the road. It is empty if it was not
    found to its end.
    """

    name: str
    plies: int
    better: tuple[Ply, ...] = ()
    line: tuple[Ply, ...] = ()


class Course:
    """The positions of a game, one more than the moves; a move is None where the players agreed on a board.

    Ask about the last positions first: they are searched quickly, and what is remembered of them helps before them.
    """

    def __init__(
        self, positions: Sequence[Position], moves: Sequence[Move | None], limits: Limits, is_over: IsOver
    ) -> None:
        last = positions[-1]
        self.layout = layout_of(last.size, last.half_komi)
        self.bits = tuple(map(bits_of, positions))
        self.plies = tuple(None if move is None else ply_of(self.layout, move) for move in moves)
        self.is_complete = True
        self.within = limits.plies
        self._limits = limits
        self._effort = Effort(limits.effort)
        self._most_spared = -limits.effort // _SPARE
        self._searches = [
            TinueSearch(self.layout, is_white, is_over, self._effort) for is_white in (True, False)
        ]
        self._is_over = [position.outcome is not None for position in positions]
        self.tinue = cache(self._tinue)
        self._safe = cache(self._find_safe)

    def mark(self, index: int) -> str:
        """Return the mark of a ply in PTN: `"` if it is proven to force a road, `'` if it threatens one, or ''."""
        ply, after = self.plies[index], self.bits[index + 1]
        if ply is None or self._is_over[index + 1]:
            return ""
        tinue = self.tinue(index)
        if tinue.plies > 1 and ply in tinue.moves:
            return '"'
        return "" if road_in_one(self.layout, after, self._is_white(index)) is None else "'"

    def proven(self, index: int) -> Proven | None:
        """Return what is proven about a ply and worth telling, or None."""
        ply, after = self.plies[index], self.bits[index + 1]
        if ply is None:
            return None
        mine, theirs = self.tinue(index), self.tinue(index + 1)
        if ply in mine.moves:
            is_worth_praise = mine.plies >= _FAR and len(mine.moves) <= _FEW
            return Proven("only_win", mine.plies, line=self._line(index, ply)) if is_worth_praise else None
        if self._result(index, ply) == WON:
            return None
        if mine.moves and mine.plies == 1:
            return Proven("road_missed", 1, mine.moves, mine.moves[:1])
        if theirs.moves and theirs.plies == 1:
            return self._let_road(index, (ply, theirs.moves[0]))
        if self._is_over[index + 1]:
            return self._let_road(index, (ply,)) if self._has_their_road(index, after) else None
        if mine.moves:
            held = self._noted(
                self._search(self._is_white(index)).holds(after, mine.plies + 1, self._limits.nodes)
            )
            line = self._line(index, mine.moves[0])
            return Proven("tinue_missed", mine.plies, mine.moves, line) if held.proof is Proof.NONE else None
        if theirs.moves:
            return self._let_tinue(index, (ply, *self._line(index + 1, theirs.moves[0])))
        is_only = self.is_threatened(index) and self._can_judge() and self._safe(index) == [ply]
        return Proven("only_defence", 1) if is_only else None

    def defences(self, index: int) -> tuple[Ply, ...]:
        """Return plies after which the other side can't make a road, the best first.

        After the first it can't even force one, if there is such a ply. There is none if each is proven to lose.
        """
        tried = list(self._tried(index, self._safe(index)))
        return tuple(ply for ply, is_safe in tried if is_safe) or tuple(
            ply for ply, is_safe in tried if is_safe is None
        )

    def is_threatened(self, index: int) -> bool:
        """Return whether the other side could make a road if it were to move."""
        return road_in_one(self.layout, self.bits[index], not self._is_white(index)) is not None

    def _let_road(self, index: int, line: tuple[Ply, ...]) -> Proven | None:
        """Judge a ply after which the other side can make a road, or has one. `line` leads to it."""
        if not self._can_judge():
            return None
        if better := self.defences(index):
            return Proven("road_allowed", 1, better, line)
        return None if self._has_end(index, self._safe(index)) else Proven("lost", 1, line=line)

    def _let_tinue(self, index: int, line: tuple[Ply, ...]) -> Proven | None:
        """Judge a ply after which the other side can force a road. `line` leads to it, or has the ply alone."""
        if not self._can_judge():
            return None
        touched = 0
        for ply in line[1:]:
            touched |= ply[3]
        replies = self._search(not self._is_white(index)).replies(self.bits[index])
        self._effort.left -= _JUDGED * len(replies)
        values = {ply: self._value(index, ply) for ply, _ in replies}
        likely = sorted(
            values, key=lambda ply: (values[ply] > -_DECIDED and not ply[3] & touched, values[ply])
        )
        tried = list(self._tried(index, likely))
        better = tuple(ply for ply, is_safe in tried if is_safe)
        line = line if len(line) > 1 else ()
        plies_left = self.tinue(index + 1).plies
        if better:
            return Proven("tinue_allowed", plies_left, better, line)
        is_lost = len(tried) == len(likely) and all(is_safe is False for _, is_safe in tried)
        return Proven("lost", plies_left, line=line) if is_lost and not self._has_end(index, likely) else None

    def _can_judge(self) -> bool:
        """Return whether there is effort left to judge all plies of a position. If not, there may be more to tell."""
        can_judge = self._effort.left >= self._most_spared
        self.is_complete = self.is_complete and can_judge
        return can_judge

    def _find_safe(self, index: int) -> list[Ply]:
        """Return the plies after which the other side has no road and can't make one, the likely best first.

        Those that end the game by count are among them.
        """
        layout, bits = self.layout, self.bits[index]
        other = not self._is_white(index)
        values = {}
        choices = plies(layout, bits)
        self._effort.left -= _JUDGED * len(choices) + looks(len(choices))
        for ply in choices:
            after, end = make(bits, ply), self._result(index, ply)
            if not (road_in_one(layout, after, other) if end is None else self._has_their_road(index, after)):
                values[ply] = self._value(index, ply)
        return sorted(values, key=values.__getitem__)

    def _result(self, index: int, ply: Ply) -> int | None:
        return result(self.layout, make(self.bits[index], ply), ply[3])

    def _has_end(self, index: int, choices: Iterable[Ply]) -> bool:
        """Return whether a ply ends the game."""
        return any(self._result(index, ply) is not None for ply in choices)

    def _value(self, index: int, ply: Ply) -> int:
        """Return how good the position after a ply is for the other side."""
        end = self._result(index, ply)
        return evaluate(self.layout, make(self.bits[index], ply)) if end is None else -end * _DECIDED

    def _has_their_road(self, index: int, after: Bits) -> bool:
        """Return whether a ply has given the other side a road."""
        theirs = (after[1] if self._is_white(index) else after[0]) & ~after[2]
        return has_road(self.layout, theirs, self.layout.full)

    def _tried(self, index: int, choices: Iterable[Ply]) -> Iterator[tuple[Ply, bool | None]]:
        """Yield plies, each with whether it keeps the other side from forcing a road, None if that is not clear.

        This ends once enough plies do, or once the nodes are used up.
        """
        search, good, left = self._search(not self._is_white(index)), 0, self._limits.others
        for ply in choices:
            if (end := self._result(index, ply)) is None:
                proof = search.find(make(self.bits[index], ply), self._limits.plies, left).proof
                left = search.left
            else:
                proof = Proof.NONE if end >= DRAWN else Proof.PROVEN
            yield ply, {Proof.NONE: True, Proof.PROVEN: False}.get(proof)
            good += proof is Proof.NONE
            if self._effort.left < 0:
                self.is_complete = False
                return
            if good == _MOST_BETTER or left < 0:
                return

    def _tinue(self, index: int) -> Tinue:
        """Return whether the player to move can force a road."""
        if self._is_over[index] or self.bits[index][9] < OPENING_PLIES:
            return _OVER
        return self._noted(self._search(self._is_white(index)).find(self.bits[index], *self._limits[:2]))

    def _noted(self, tinue: Tinue) -> Tinue:
        self.is_complete = self.is_complete and tinue.proof is not Proof.UNFINISHED
        return tinue

    def _line(self, index: int, first: Ply) -> tuple[Ply, ...]:
        """Return the plies from one that forces a road to the road."""
        tinue = replace(self.tinue(index), moves=(first,))
        return self._search(self._is_white(index)).line(self.bits[index], tinue, _LINE_NODES)

    def _is_white(self, index: int) -> bool:
        return not self.bits[index][9] & 1

    def _search(self, is_white: bool) -> TinueSearch:
        return self._searches[0 if is_white else 1]
