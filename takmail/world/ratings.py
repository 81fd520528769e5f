"""Compute how strong players are, from all the games that they have finished.

Strength is in points as Elo's: 400 more are ten times the chance to win. The result of a game depends on the difference
between its players, on the first turn and on komi (Bradley-Terry). What these two are worth is found with the
strengths. Each strength is drawn to that of the club, the more the fewer games tell of it, and an old game counts less.

All sums are rounded once (`fsum`), so the order of games and of players changes no bit of the result.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, log, sqrt
from operator import add, mul, sub
from typing import NamedTuple, Protocol

from takmail.games.interface import Refused
from takmail.games.rated import Rated
from takmail.games.registry import Games
from takmail.world.kinds import PlayerId

MEAN = 1500
"""The strength of a club of which nothing is known."""
LEAST_GAMES = 5
"""With fewer games, a rating is shown to nobody."""
LEAST_PLAYERS = 5
"""Nothing is told about the games of fewer people together."""
LEAST_TURNS = 6
"""A game that ended earlier does not count, as one has come to nothing."""
_UNSURE = 125
_IN_19_OF_20 = 1.96
_HALF_LIFE = 730.0
"""The age in days at which a game counts half."""
_SPREAD = 350.0
"""The deviation of strengths in a club."""
_POINT = log(10) / 400
_TURN, _KOMI = 60.0, 25.0
"""What the first turn and a flat of komi are worth if no game tells."""
_NOBODY, _CLUB, _OF_TURN, _OF_KOMI = range(4)
_SPREADS = (1.0, 300.0, 60.0, 15.0)
"""The deviations of what is unknown beside the players' strengths, by place."""
_NEAR, _SOLVED, _LARGEST = 0.01, 1e-2, 400.0
_MOST_STEPS, _ROUNDS = 100, 3


class Pool(NamedTuple):
    """The games that are rated together: those of a kind on one board, '' if its boards are not told apart."""

    kind: str
    board: str


class RatedGame(NamedTuple):
    """A finished game. `points` are those of the first player: 1, 0.5 or 0. `age` is in days."""

    first: Hashable
    second: Hashable
    points: float
    komi: float = 0.0
    age: float = 0.0


class Rating(NamedTuple):
    """The strength of a player. In three cases of five, the true one is at most `deviation` away."""

    points: float
    deviation: float
    games: int

    @property
    def is_shown(self) -> bool:
        """Whether there are enough games to tell anything."""
        return self.games >= LEAST_GAMES

    @property
    def is_unsure(self) -> bool:
        """Whether the true strength may well be another one."""
        return self.deviation > _UNSURE


class ListedRating(NamedTuple):
    """A rating that somebody may see, with its player."""

    pool: Pool
    player: PlayerId
    name: str
    rating: Rating


class Results(NamedTuple):
    """How many games somebody has played, won and drawn."""

    games: int = 0
    won: int = 0
    drawn: int = 0

    def with_points(self, points: float) -> "Results":
        """Return them with one more game."""
        return Results(self.games + 1, self.won + (points == 1), self.drawn + (points == 0.5))

    @property
    def share(self) -> float:
        """The share of the points; a draw is half a point."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, in 19 cases of 20 (Wilson's interval)."""
        square = _IN_19_OF_20**2
        middle = (self.share + square / (2 * self.games)) / (1 + square / self.games)
        off = sqrt(self.share * (1 - self.share) / self.games + square / (4 * self.games**2))
        half = _IN_19_OF_20 * off / (1 + square / self.games)
        return middle - half, middle + half


class FirstTurn(NamedTuple):
    """The results of the first players in all games of a pool with a komi, such as `2.5`."""

    pool: Pool
    komi: str
    results: Results


class OwnResults(NamedTuple):
    """The results of a player in a pool, by who had the first turn."""

    pool: Pool
    as_first: Results
    as_second: Results


class OfSetup(Protocol):
    """What has a kind and a set-up: a game, a seek, a row of either."""

    @property
    def kind(self) -> str: ...

    @property
    def setup(self) -> str: ...


def pool_of(games: Games, terms: OfSetup) -> Pool | None:
    """Return the games with which one is rated, None if such a game is never rated, as one for coins."""
    rules = games.by_name.get(terms.kind)
    if rules is None:
        return None
    try:
        board = rules.board(terms.setup) if isinstance(rules, Rated) else ""
    except Refused:
        return None
    return None if board is None else Pool(terms.kind, board)


def strengths_in(games: Games, pool: Pool) -> Mapping[str, int]:
    """Return the measured strengths of takmail's bots in a pool, by level; none if they were not measured."""
    rules = games.by_name.get(pool.kind)
    return rules.strengths(pool.board) if isinstance(rules, Rated) else {}


def rounded(rating: Rating) -> int:
    """Return a rating as letters tell it, to ten points."""
    return int(round(rating.points, -1))


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of the players that are no anchors, and what the first turn and a flat of komi are worth."""

    of: Mapping[Hashable, Rating]
    turn: float
    komi: float


def ratings(
    games: Iterable[RatedGame], anchors: Mapping[Hashable, float], spread: float = _SPREAD
) -> Ratings:
    """Return the ratings after games of one class. The strengths of `anchors` are known.

    `spread` is how far the strengths of players differ, as a deviation. A game of a player with themselves, as a merger
    can leave it, does not count.
    """
    played = [game for game in games if game.first != game.second]
    seated = dict.fromkeys(player for game in played for player in game[:2] if player not in anchors)
    places = {player: place for place, player in enumerate(seated, len(_SPREADS))}
    likelihood = _Likelihood(played, anchors, places, spread)
    values = likelihood.most_likely()
    deviations, games_of = likelihood.deviations(values), likelihood.games_of
    return Ratings(
        {
            player: Rating(MEAN + values[_CLUB] + values[place], deviations[place], len(games_of[place]))
            for player, place in places.items()
        },
        _TURN + values[_OF_TURN],
        _KOMI + values[_OF_KOMI],
    )


class _Likelihood:
    """How likely the results of games are, by unknown values: of the club, the first turn, komi, then of each player.

    A value is how far something is from what is likely before any game. `_NOBODY` is the place of an anchor, whose
    value is 0.
    """

    def __init__(
        self,
        games: Sequence[RatedGame],
        anchors: Mapping[Hashable, float],
        places: Mapping[Hashable, int],
        spread: float,
    ) -> None:
        self._pairs = [tuple(places.get(player, _NOBODY) for player in game[:2]) for game in games]
        self._clubs = [float(bool(first)) - float(bool(second)) for first, second in self._pairs]
        self._komis = [-game.komi for game in games]
        self._known = [
            anchors.get(game.first, MEAN) - anchors.get(game.second, MEAN) + _TURN - _KOMI * game.komi
            for game in games
        ]
        self._points = [game.points for game in games]
        self._weights = [0.5 ** (max(game.age, 0.0) / _HALF_LIFE) for game in games]
        self._precision = [one**-2 for one in (*_SPREADS, *(spread for _ in places))]
        self.games_of: list[list[tuple[int, float]]] = [[] for _ in self._precision]
        for number, (first, second) in enumerate(self._pairs):
            self.games_of[first].append((number, 1.0))
            self.games_of[second].append((number, -1.0))
        self.games_of[_NOBODY].clear()

    def most_likely(self) -> list[float]:
        """Return the most likely values, by Newton's method."""
        values = [0.0] * len(self._precision)
        for _ in range(_MOST_STEPS):
            chances = self._chances(values)
            surprises = map(sub, self._points, chances)
            pulls = self._pulls(
                [weight * _POINT * one for weight, one in zip(self._weights, surprises, strict=True)]
            )
            slope = list(map(sub, pulls, map(mul, self._precision, values)))
            step = self._solved(self._told(chances), slope)
            longest = max(map(abs, step))
            share = min(1.0, _LARGEST / longest) if longest else 1.0
            values = [value + share * part for value, part in zip(values, step, strict=True)]
            if longest < _NEAR:
                break
        return values

    def deviations(self, values: Sequence[float]) -> list[float]:
        """Return how far each value may be off. A game tells the less of a player, the less is known of the other."""
        told = self._told(self._chances(values))
        variances = [0.0, *(1 / precision for precision in self._precision[1:])]

        def precision_by(game: int, sign: float) -> float:
            return told[game] / (1 + told[game] * variances[self._pairs[game][sign > 0]])

        for _ in range(_ROUNDS):
            found = [
                1 / fsum([precision, *(precision_by(*game) for game in games)])
                for precision, games in zip(self._precision, self.games_of, strict=True)
            ]
            variances = [0.0, *found[1:]]
        return [sqrt(variance) for variance in variances]

    def _told(self, chances: Sequence[float]) -> list[float]:
        """Return what each game tells of the difference between its players, as a precision."""
        return [w * _POINT**2 * p * (1 - p) for w, p in zip(self._weights, chances, strict=True)]

    def _chances(self, values: Sequence[float]) -> list[float]:
        """Return the first player's chance in each game."""
        differences = map(add, self._known, self._differences(values))
        return [1 / (1 + exp(-_POINT * difference)) for difference in differences]

    def _differences(self, values: Sequence[float]) -> list[float]:
        """Return by how much the values put the first player ahead in each game."""
        _, club, turn, of_komi = values[: len(_SPREADS)]
        sides = zip(self._pairs, self._clubs, self._komis, strict=True)
        return [
            values[first] - values[second] + turn + share * club + komi * of_komi
            for (first, second), share, komi in sides
        ]

    def _pulls(self, forces: Sequence[float]) -> list[float]:
        """Return how the games together pull at each value, by how each pulls at its difference."""
        pulls = [fsum([forces[game] * sign for game, sign in games]) for games in self.games_of]
        pulls[_CLUB] = fsum(map(mul, forces, self._clubs))
        pulls[_OF_TURN] = fsum(forces)
        pulls[_OF_KOMI] = fsum(map(mul, forces, self._komis))
        return pulls

    def _solved(self, told: Sequence[float], slope: Sequence[float]) -> list[float]:
        """Return the step that leads to where the slope is 0, by conjugate gradients."""
        scale = [1 / precision for precision in self._precision]
        step, rest = [0.0] * len(slope), list(slope)
        way = list(map(mul, scale, rest))
        left = first = fsum(map(mul, rest, way))
        for _ in range(_MOST_STEPS):
            if left <= first * _SOLVED**2:
                break
            pulls = self._pulls(list(map(mul, told, self._differences(way))))
            bent = list(map(add, pulls, map(mul, self._precision, way)))
            length = left / fsum(map(mul, way, bent))
            step = [a + length * b for a, b in zip(step, way, strict=True)]
            rest = [a - length * b for a, b in zip(rest, bent, strict=True)]
            shown = list(map(mul, scale, rest))
            before, left = left, fsum(map(mul, rest, shown))
            way = [a + left / before * b for a, b in zip(shown, way, strict=True)]
        return step
