"""Search a position with alpha-beta, deeper and deeper, within a limit of nodes."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import log
from random import Random
from typing import Final

from takmail.games.tak.bot.bits import Bits, Layout, Ply, counted, has_road, make, passed, plies
from takmail.games.tak.bot.evaluate import evaluate
from takmail.games.tak.bot.roads import needed_by, road_in_one

WIN: Final = 1_000_000
"""The score of a win, from which the number of its last ply is taken."""
_SURE: Final = WIN - 10_000
_INFINITE: Final = 2 * WIN
_MOST_STORED: Final = 250_000
_CHECK_EVERY: Final = 256
_MOST_DEPTH: Final = 40
_GUARDED: Final = 3
_MOST_LOST: Final = 8
_MARGIN: Final = 130
_THREATENED: Final = 40
"""How much worse a position is at the end of a line if the other player threatens a road."""
_LAST_NUMBER: Final = 100
_EXACT: Final = 0
_AT_LEAST: Final = 1
_AT_MOST: Final = 2
_REDUCTIONS = tuple(
    tuple(int(0.4 + log(depth or 1) * log(number or 1) / 1.8) for number in range(_LAST_NUMBER + 1))
    for depth in range(_MOST_DEPTH + 1)
)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search: the best ply, its score for the player to move, and how far the search came.

    `is_cut`: the time was over first. `line` are the plies expected, beginning with the best.
    """

    ply: Ply
    score: int
    depth: int
    nodes: int
    is_cut: bool = False
    line: tuple[Ply, ...] = ()


class _StopSearch(Exception):  # noqa: N818 - no error
    pass


class Search:
    """A search of one position. It keeps its table only as long as it lives."""

    def __init__(
        self, layout: Layout, most_nodes: int, is_over: Callable[[], bool], most_depth: int | None = None
    ) -> None:
        self._layout = layout
        self._most_nodes = most_nodes
        self._most_depth = min(most_depth or _MOST_DEPTH, _MOST_DEPTH)
        self._is_over = is_over
        self._table: dict[int, tuple[int, int, int, Ply | None]] = {}
        self._history: defaultdict[Ply, int] = defaultdict(int)
        self._killers: dict[int, Ply] = {}
        self._is_cut = False
        self.nodes = 0

    def best(
        self,
        bits: Bits,
        random: Random,
        report: Callable[[SearchResult], None] | None = None,
        loses: Callable[[Ply], bool] = lambda _: False,
    ) -> SearchResult:
        """Return the best ply of a position that is not over; `random` chooses among equals.

        `report` is called with the result of each depth. `loses` tells whether a ply loses for a reason that
        is too deep for the search.
        """
        choices = plies(self._layout, bits)
        random.shuffle(choices)
        is_white = not bits[9] & 1
        if (road := road_in_one(self._layout, bits, is_white)) is not None:
            return SearchResult(road, WIN - bits[9] - 1, 1, 1, line=(road,))
        found, depth, lost = SearchResult(choices[0], 0, 0, 0), 1, 0
        safe: set[Ply] = set()
        while depth <= self._most_depth:
            try:
                found = self._root(bits, choices, depth, found)
            except _StopSearch:
                break
            ply = found.ply
            if (
                depth >= _GUARDED
                and found.score > -_SURE
                and ply not in safe
                and lost < _MOST_LOST < len(choices)
            ):
                if loses(ply):
                    lost += 1
                    choices.remove(ply)
                    found = replace(found, ply=choices[0], line=(choices[0],))
                    continue
                safe.add(ply)
            if report is not None:
                report(found)
            if abs(found.score) > _SURE or len(choices) == 1 or self.nodes >= self._most_nodes:
                break
            depth += 1
        return replace(found, nodes=self.nodes, is_cut=self._is_cut)

    def _root(self, bits: Bits, choices: list[Ply], depth: int, last: SearchResult) -> SearchResult:
        """Search all plies of the first position, the best first, and return the best. `choices` is sorted by it."""
        best, best_ply = -_INFINITE, choices[0]
        for index, ply in enumerate(list(choices)):
            after = make(bits, ply)
            try:
                score = self._after(after, ply, best, _INFINITE, depth, index)
            except _StopSearch:
                if index and not self._is_cut:
                    # The first ply was the best of the depth before; one that is better still may be trusted.
                    return SearchResult(best_ply, best, last.depth, self.nodes, line=(best_ply,))
                raise
            if score > best:
                best, best_ply = score, ply
                choices.remove(ply)
                choices.insert(0, ply)
        self._store(hash(bits), depth, _EXACT, best, best_ply)
        return SearchResult(best_ply, best, depth, self.nodes, line=self._line(bits))

    def _after(self, after: Bits, ply: Ply, alpha: int, beta: int, depth: int, index: int) -> int:
        """Return the score of a ply for the player who makes it, who has no road in one."""
        layout = self._layout
        if ply[1]:
            other = (after[1] if after[9] & 1 else after[0]) & ~after[2]
            if other & ply[3] and has_road(layout, other, ply[3]):
                return after[9] - WIN
        ended = counted(layout, after)
        if ended is not None:
            return ended * (WIN - after[9])
        if not index:
            return -self._node(after, -beta, -alpha, depth - 1, True)
        reduction = _REDUCTIONS[depth][min(index, _LAST_NUMBER)] if depth > 1 else 0
        score = -self._node(after, -alpha - 1, -alpha, depth - 1 - reduction, True)
        if score > alpha and reduction:
            score = -self._node(after, -alpha - 1, -alpha, depth - 1, True)
        if alpha < score < beta:
            score = -self._node(after, -beta, -alpha, depth - 1, True)
        return score

    def _node(self, bits: Bits, alpha: int, beta: int, depth: int, may_pass: bool) -> int:
        """Return the score of a position for the player to move: exact between `alpha` and `beta`, else a bound."""
        self.nodes += 1
        if not self.nodes % _CHECK_EVERY and self._is_over():
            self._is_cut = True
            raise _StopSearch
        if self.nodes > self._most_nodes:
            raise _StopSearch
        layout, ply_number = self._layout, bits[9]
        key = hash(bits)
        stored = self._table.get(key)
        first = None
        if stored is not None:
            stored_depth, bound, score, first = stored
            if (stored_depth >= depth or abs(score) > _SURE) and (
                bound == _EXACT
                or (bound == _AT_LEAST and score >= beta)
                or (bound == _AT_MOST and score <= alpha)
            ):
                return score
        is_white = not ply_number & 1
        if road_in_one(layout, bits, is_white) is not None:
            return WIN - ply_number - 1
        static = evaluate(layout, bits)
        # A threat matters here only if it decides on which side of the window the score is.
        if depth <= 0 and not alpha < static < beta + _THREATENED:
            return static if static <= alpha else static - _THREATENED
        threat = road_in_one(layout, bits, not is_white)
        if depth <= 0:
            return static if threat is None else static - _THREATENED
        if threat is None:
            if depth <= 2 and static - _MARGIN * depth >= beta:
                return static
            if may_pass and depth >= 2 and static >= beta and beta < _SURE:
                score = -self._node(passed(bits), -beta, 1 - beta, depth - 3, False)
                if score >= beta:
                    return score if score < _SURE else beta
        choices = self._ordered(bits, first, threat, is_white)
        if not choices:
            return ply_number + 2 - WIN
        is_hopeless = depth == 1 and threat is None and static + _MARGIN <= alpha
        best, best_ply, bottom = -_INFINITE, None, alpha
        for index, ply in enumerate(choices):
            if is_hopeless and not ply[1] and index:
                best = max(best, static)
                continue
            score = self._after(make(bits, ply), ply, alpha, beta, depth, index)
            if score > best:
                best, best_ply = score, ply
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        self._history[ply] += depth * depth
                        self._killers[ply_number] = ply
                        break
        bound = _AT_LEAST if best >= beta else _EXACT if best > bottom else _AT_MOST
        self._store(key, depth, bound, best, best_ply)
        return best

    def _ordered(self, bits: Bits, first: Ply | None, threat: Ply | None, is_white: bool) -> list[Ply]:
        """Return the plies that may be of use, the likely best first."""
        layout = self._layout
        choices = plies(layout, bits)
        if threat is not None and not _may_end(layout, bits, is_white):
            needed = needed_by(layout, bits, threat, not is_white)
            choices = [ply for ply in choices if ply[3] & needed]
        choices.sort(key=self._history.__getitem__, reverse=True)
        for ply in (self._killers.get(bits[9]), first):
            if ply is not None and ply in choices:
                choices.remove(ply)
                choices.insert(0, ply)
        return choices

    def _store(self, key: int, depth: int, bound: int, score: int, ply: Ply | None) -> None:
        if len(self._table) >= _MOST_STORED:
            self._table.clear()
        self._table[key] = depth, bound, score, ply

    def _line(self, bits: Bits) -> tuple[Ply, ...]:
        """Return the plies that the table expects from a position on."""
        line: list[Ply] = []
        while (stored := self._table.get(hash(bits))) and (ply := stored[3]) and len(line) < _MOST_DEPTH:
            line.append(ply)
            bits = make(bits, ply)
        return tuple(line)


def _may_end(layout: Layout, bits: Bits, is_white: bool) -> bool:
    """Return whether a ply of this side may end the game by a count."""
    stones, caps = bits[5:7] if is_white else bits[7:9]
    return stones + caps == 1 or (layout.full ^ bits[0] ^ bits[1]).bit_count() <= layout.size
