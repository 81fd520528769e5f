"""Compute the table of a division: a fold over the results, computed anew each time.

A win is 2 points, a draw 1. Players with equal points are ordered by their points against each other, then by their
Sonneborn-Berger score, then by their wins as the second player. Who is equal in all shares the place. Who has dropped
out stands below all others, so that they win nothing and nobody moves down in their place.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType

from takmail.games.interface import Seat
from takmail.world.clubs.values import Outcome, Pairing
from takmail.world.kinds import PlayerId

WIN, DRAW, LOSS = 2, 1, 0
_POINTS = {Outcome.FIRST: (WIN, LOSS), Outcome.SECOND: (LOSS, WIN), Outcome.DRAW: (DRAW, DRAW)}
"""The points of both seats. A void game gives none, and counts as no game."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A player in the table.

    * `place` counts from 1. `is_shared`: another player has the same.
    * `mutual` are the points against those with equal points, `berger` the Sonneborn-Berger score: for each game the
      points in it times the opponent's points
    * `left` is the number of games that are not decided
    * `is_out`: the player has dropped out
    """

    player: PlayerId
    points: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    won_as_second: int = 0
    left: int = 0
    mutual: int = 0
    berger: int = 0
    place: int = 0
    is_shared: bool = False
    is_out: bool = False

    @property
    def played(self) -> int:
        """The number of games that count."""
        return self.won + self.drawn + self.lost


def table(
    players: Sequence[PlayerId],
    pairings: Iterable[Pairing],
    out: Collection[PlayerId] = (),
    byes: Mapping[PlayerId, int] = MappingProxyType({}),
) -> tuple[TableLine, ...]:
    """Return the table of these players, the best first. Games with anybody else don't count.

    Those of them in `out` have dropped out. `byes` are points that players have without a game.
    """
    known = frozenset(players)
    among = [pairing for pairing in pairings if known.issuperset(pairing.players)]
    lines = [
        _line(player, [one for one in among if player in one.players], byes.get(player, 0))
        for player in players
    ]
    points = {line.player: line.points for line in lines}
    scored = [replace(_with_scores(line, among, points), is_out=line.player in out) for line in lines]
    ordered = sorted(scored, key=_order, reverse=True)
    places: list[TableLine] = []
    for _, equal in groupby(ordered, key=_order):
        group = sorted(equal, key=lambda line: line.player)
        place = len(places) + 1
        places += (replace(line, place=place, is_shared=len(group) > 1) for line in group)
    return tuple(places)


def points_in(pairing: Pairing, player: PlayerId) -> int | None:
    """Return the points of a player in a pairing, None if it does not count."""
    both = None if pairing.outcome is None else _POINTS.get(pairing.outcome)
    return None if both is None else both[pairing.seat_of(player)]


def _order(line: TableLine) -> tuple[int, ...]:
    return not line.is_out, line.points, line.mutual, line.berger, line.won_as_second


def _line(player: PlayerId, pairings: Sequence[Pairing], bye: int) -> TableLine:
    """Return what a player has from these games, and from a bye."""
    counted = [
        (pairing, points) for pairing in pairings if (points := points_in(pairing, player)) is not None
    ]
    wins = [pairing for pairing, points in counted if points == WIN]
    return TableLine(
        player,
        points=bye + sum(points for _, points in counted),
        won=len(wins),
        drawn=sum(points == DRAW for _, points in counted),
        lost=sum(points == LOSS for _, points in counted),
        won_as_second=sum(pairing.seat_of(player) is Seat.SECOND for pairing in wins),
        left=sum(pairing.outcome is None for pairing in pairings),
    )


def _with_scores(line: TableLine, pairings: Sequence[Pairing], points: dict[PlayerId, int]) -> TableLine:
    """Return a line with the scores that depend on the points of the others."""
    mutual = berger = 0
    for pairing in pairings:
        if line.player not in pairing.players:
            continue
        own, others = points_in(pairing, line.player), points[pairing.opponent_of(line.player)]
        berger += (own or 0) * others
        mutual += (own or 0) if others == line.points else 0
    return replace(line, mutual=mutual, berger=berger)
