"""Pair the players of a round, each with several others at once: with whom they are about equal, and nobody twice.

All pairs of a round are drawn together. The first aim is that as few as possible have met before, the second that both
have about as many points, the third that both are about as high in the order.

Up to `_FEW` players get the best of all draws. More get one match after another, each the best one that is still
possible, of players who are at most `_NEAR` places apart. That is fast, and no two meet twice as long as nobody has met
seven: each sixteen neighbours can be paired then (Dirac's theorem).
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from takmail.world.kinds import PlayerId

_FEW = 16
"""The highest number of players for whom the best of all draws is looked for. It takes some tenths of a second."""
_NEAR = 32
"""How many places two of many players may be apart: two blocks of sixteen."""

Both = tuple[PlayerId, PlayerId]
"""Two players who meet. The one that is higher in the order stands first."""
Cost = Callable[[PlayerId, PlayerId], int]
"""How bad it is that two players meet."""


class Field(NamedTuple):
    """Who is to be paired: the players in order, the best first, their points, and how often each two have met."""

    players: Sequence[PlayerId]
    points: Mapping[PlayerId, int]
    met: Mapping[frozenset[PlayerId], int]


def drawn(field: Field, matches: int) -> list[Both]:
    """Return the pairs of a round in which each player meets so many others, or all others if there are fewer.

    The number of players or that of matches must be even.
    """
    matches = min(matches, len(field.players) - 1)
    if matches < 1:
        return []
    assert len(field.players) * matches % 2 == 0, "somebody has to have a bye"
    cost = cost_of(field)
    whole = _at_once if len(field.players) <= _FEW else _one_after_another
    place = _places(field.players)
    ordered = [sorted(pair, key=place.__getitem__) for pair in whole(field.players, matches, cost)]
    return sorted(((one, other) for one, other in ordered), key=lambda pair: [*map(place.__getitem__, pair)])


def _places(players: Sequence[PlayerId]) -> Mapping[PlayerId, int]:
    """Return the places of players in their order."""
    return {player: number for number, player in enumerate(players)}


def cost_of(field: Field) -> Cost:
    """Return how bad a pair is. Two that have met are worse than any pairs that have not."""
    place = _places(field.players)
    count = len(field.players)
    gap = max(field.points.values(), default=0) - min(field.points.values(), default=0)
    again = (gap * gap * count + count) * count * count

    def cost(one: PlayerId, other: PlayerId) -> int:
        points = field.points[one] - field.points[other]
        times = field.met.get(frozenset((one, other)), 0)
        return times * again + points * points * count + abs(place[one] - place[other])

    return cost


def _one_after_another(players: Sequence[PlayerId], matches: int, cost: Cost) -> list[Both]:
    """Return the pairs of so many matches, each drawn without those before.

    If the number of players is odd, each match leaves out another one, and these play with each other.
    """
    pairs: list[Both] = []
    idle: list[PlayerId] = []
    if len(players) % 2:
        place = _places(players)
        best = _best(players, cost, pairs)
        pairs = sorted(best, key=lambda pair: sum(map(place.__getitem__, pair)))[-matches // 2 :]
        idle = [player for pair in pairs for player in pair]
    for number in range(matches):
        left_out = idle[number : number + 1]
        pairs += _best([player for player in players if player not in left_out], cost, pairs)
    return pairs


def _best(players: Sequence[PlayerId], cost: Cost, without: Sequence[Both]) -> list[Both]:
    """Return the best pairs of all players, without some pairs. If their number is odd, one is left out."""
    used, place = {frozenset(pair) for pair in without}, _places(players)
    return _matched(
        [
            (one, other, cost(one, other))
            for one, other in combinations(players, 2)
            if frozenset((one, other)) not in used and place[other] - place[one] <= _NEAR
        ]
    )


def _at_once(players: Sequence[PlayerId], matches: int, cost: Cost) -> list[Both]:
    """Return the best draw in which each player has so many matches.

    That is a matching in another graph. A player is a node for each match, and a pair is two nodes: they are matched
    with each other if the pair does not meet, and with a node of each of both players if it does.
    """
    edges: list[tuple[Any, Any, int]] = []
    pairs = [*combinations(players, 2)]
    for one, other in pairs:
        edges.append(((one, other), (other, one), 0))
        for number in range(matches):
            edges.append((f"{one} {number}", (one, other), cost(one, other)))
            edges.append((f"{other} {number}", (other, one), cost(one, other)))
    apart = {frozenset(edge) for edge in _matched(edges)}
    return [(one, other) for one, other in pairs if frozenset(((one, other), (other, one))) not in apart]


def _matched(edges: Sequence[tuple[Any, Any, int]]) -> list[tuple[Any, Any]]:
    """Return the edges that match most nodes at the lowest cost."""
    import networkx  # 10 MiB, and few services draw rounds

    graph = networkx.Graph()
    most = max((cost for *_, cost in edges), default=0)
    graph.add_weighted_edges_from((one, other, most - cost) for one, other, cost in edges)
    return [*networkx.max_weight_matching(graph, maxcardinality=True)]
