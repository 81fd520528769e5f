"""The levels of the bot, from one that overlooks roads to the strongest."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from takmail.games.tak.bot.bits import CAPSTONE, FLAT, WALL, Bits, Layout, Ply, make, plies, result
from takmail.games.tak.bot.evaluate import evaluate
from takmail.games.tak.bot.roads import road_in_one, roads_in_one
from takmail.games.tak.bot.search import WIN, Search, SearchResult
from takmail.games.tak.bot.tinue import Proof, TinueSearch

QUICK_NODES: Final = 2_100
"""A search of so many nodes takes at most 0.2 s."""
_WIDE_SIZE: Final = 6
_NEVER: Final = 1_000_000
_TINUE_SHARE: Final = 100
_MOST_TINUE_NODES: Final = 15_000
"""A search for a forced road gets so small a share of the nodes, as each takes ten times as long, and no more."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength, which is the same on every machine, as its limit is in nodes.

    * `nodes` is the limit of the search up to 6x6; on wider boards, where a node takes longer, it is lower. With 0, one
      ply is judged
    * `care` is how often it searches; else it judges one ply
    * `tinue` is within how many plies it looks for a forced road first, its own and the opponent's; 0 for not at all
    * `noise` is by how much such a judgement is off, in the unit of the evaluation
    * `mercy` is a lead, in that unit, above which it plays just any ply, so that who learns catches up
    * `sight` is how often a road is seen that the opponent threatens to complete with one piece, and `far_sight` how
      often one that only the move of several pieces completes
    """

    nodes: int
    care: float = 1.0
    tinue: int = 0
    noise: int = 0
    mercy: int = _NEVER
    sight: float = 1.0
    far_sight: float = 1.0

    def on(self, size: int) -> int:
        """Return the limit of nodes on a board of this size."""
        return self.nodes * _WIDE_SIZE // max(size, _WIDE_SIZE)


LEVELS = {
    "patient": Level(0, noise=120, mercy=-700, sight=0.8, far_sight=0.25),
    "playful": Level(0, noise=120, mercy=20, sight=0.8, far_sight=0.25),
    "easy": Level(0, noise=100, sight=0.8, far_sight=0.25),
    "dreamy": Level(0, noise=55, sight=0.9),
    "gentle": Level(0, noise=40),
    "careful": Level(0, noise=8),
    "alert": Level(180, care=0.5, noise=8),
    "steady": Level(180),
    "keen": Level(600, tinue=3),
    "fair": Level(2_100, tinue=3),
    "able": Level(3_600, tinue=3),
    "skilled": Level(12_000, tinue=5),
    "shrewd": Level(42_000, tinue=5),
    "strong": Level(150_000, tinue=5),
    "masterly": Level(520_000, tinue=5),
    "best": Level(1_800_000, tinue=7),
}
"""The levels by name, the weakest first."""


def choice(
    layout: Layout,
    bits: Bits,
    level: Level,
    random: Random,
    is_over: Callable[[], bool],
    *,
    nodes: int | None = None,
    depth: int | None = None,
    report: Callable[[SearchResult], None] | None = None,
) -> SearchResult:
    """Return the ply of a level in a position that is not over. `random` makes all that is random.

    `nodes` and `depth` are limits in place of the usual ones, and `report` is called with the result of each depth.
    """
    if level.nodes and (level.care == 1.0 or random.random() < level.care):
        limit = level.on(layout.size) if nodes is None else nodes
        threats = _Threats(layout, bits, level.tinue, min(limit // _TINUE_SHARE, _MOST_TINUE_NODES), is_over)
        if (forced := threats.own()) is not None:
            return forced
        return Search(layout, limit, is_over, depth).best(bits, random, report, threats.loses)
    return _judged(layout, bits, level, random)


def _judged(layout: Layout, bits: Bits, level: Level, random: Random) -> SearchResult:
    """Return the ply that looks best to somebody who learns, and thinks one ply ahead."""
    is_white = not bits[9] & 1
    choices = plies(layout, bits)
    if evaluate(layout, bits) > level.mercy:
        return _whim(layout, bits, choices, random)
    if (road := road_in_one(layout, bits, is_white)) is not None:
        return SearchResult(road, WIN, 1, len(choices), line=(road,))
    # What is drawn does not depend on the position, so that a seed means the same to all levels.
    sees_one, sees_several = random.random() < level.sight, random.random() < level.far_sight
    roads = roads_in_one(layout, bits, not is_white)
    is_seen = sees_one if any(map(_is_of_one_stone, roads)) else sees_several
    safe = [ply for ply in choices if road_in_one(layout, make(bits, ply), not is_white) is None]
    choices = (
        (safe if roads and is_seen else [])
        or [ply for ply in choices if _has_reason(layout, bits, ply, is_white=is_white)]
        or choices
    )
    choices = _without_early_capstone(layout, bits, choices)
    scores = {ply: _score(layout, bits, ply) + random.gauss(0, level.noise) for ply in choices}
    best = max(choices, key=scores.__getitem__)
    return SearchResult(best, round(scores[best]), 1, len(choices), line=(best,))


def _whim(layout: Layout, bits: Bits, choices: list[Ply], random: Random) -> SearchResult:
    """Return any ply, of the first ones a flat."""
    if bits[9] < layout.size:
        choices = [ply for ply in choices if not ply[1] and ply[2] == (FLAT,)]
    ply = random.choice(_without_early_capstone(layout, bits, choices))
    return SearchResult(ply, 0, 1, len(choices), line=(ply,))


def _without_early_capstone(layout: Layout, bits: Bits, choices: list[Ply]) -> list[Ply]:
    """Return the plies that do not lay the capstone while the board is almost empty, unless there are no others."""
    if bits[9] >= 2 * layout.size:
        return choices
    return [ply for ply in choices if ply[1] or ply[2] != (CAPSTONE,)] or choices


def _is_of_one_stone(road: Ply) -> bool:
    """Return whether a ply lays a piece, or moves a single one. Those who learn overlook what several can do."""
    return not road[1] or sum(road[2]) == 1


def _has_reason(layout: Layout, bits: Bits, ply: Ply, *, is_white: bool) -> bool:
    """Return whether somebody who learns plays a ply where nothing has to be stopped.

    They lay flats, and later the capstone. They move what then threatens a road, and keep walls for stopping one.
    """
    if ply[1]:
        return road_in_one(layout, make(bits, ply), is_white) is not None
    return ply[2] != (WALL,)


class _Threats:
    """The forced roads near a position, of the player to move and of the opponent."""

    def __init__(
        self, layout: Layout, bits: Bits, most: int, nodes: int, is_over: Callable[[], bool]
    ) -> None:
        is_white = not bits[9] & 1
        self._bits, self._most, self._nodes = bits, most, nodes
        self._own, self._other = (TinueSearch(layout, side, is_over) for side in (is_white, not is_white))

    def own(self) -> SearchResult | None:
        """Return the first ply of a forced road of the player to move."""
        tinue = self._own.find(self._bits, self._most, self._nodes)
        if tinue.proof is not Proof.PROVEN:
            return None
        ply = tinue.moves[0]
        return SearchResult(
            ply, WIN - self._bits[9] - tinue.plies, tinue.plies, self._nodes - self._own.left, line=(ply,)
        )

    def loses(self, ply: Ply) -> bool:
        """Return whether the opponent can force a road after a ply."""
        return self._other.find(make(self._bits, ply), self._most, self._nodes).proof is Proof.PROVEN


def _score(layout: Layout, bits: Bits, ply: Ply) -> int:
    after = make(bits, ply)
    ended = result(layout, after, ply[3])
    return -evaluate(layout, after) if ended is None else ended * WIN
