"""Measure how well ratings are recovered, and how long they take: `python -m bench.ratings [--clubs 60]`.

A club has 20 people, whose true strengths are drawn by lot, and five bots, whose strengths are known. People arrange
games until each has played so many on average, two in five of them against a bot, and most with somebody about as
strong. The first turn is worth 70 points. What is computed is compared with the truth: the error (root of the mean
square), how well the order is found (Spearman), and how many are as near as their deviation says.

The large club has 2,000 people, who play those near them, with and without komi, over four years. Its time is processor
time, and its memory that of the process at its peak, less that before the computation.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Hashable, Mapping, Sequence
from math import exp, sqrt
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import fmean
from time import process_time

from takmail.world.ratings import MEAN, RatedGame, Rating, ratings

_BOTS = {"easy": 900.0, "gentle": 1150.0, "fair": 1400.0, "strong": 1650.0, "best": 1850.0}
_ANCHORS: Mapping[Hashable, float] = dict(_BOTS.items())
_PEOPLE, _MEAN, _SPREAD = 20, 1350.0, 300.0
_TURN, _KOMI = 70.0, 30.0
_SHARE_OF_BOTS = 0.4
_LIKES = 300.0
"""Half as likely an opponent is one who is about two thirds of this away."""


def _points(random: Random, first: float, second: float) -> float:
    return float(random.random() < 1 / (1 + 10 ** ((second - first) / 400)))


def _someone(random: Random, names: Sequence[str], strengths: dict[str, float], you: str) -> str:
    likes = [exp(-abs(strengths[name] - strengths[you]) / _LIKES) * (name != you) for name in names]
    return random.choices(names, likes)[0]


def club(seed: int, games_each: int) -> tuple[dict[str, float], list[RatedGame]]:
    """Return the true strengths of a club's people, and so many games of each on average."""
    random = Random(seed)
    truth = {f"person {number}": random.gauss(_MEAN, _SPREAD) for number in range(_PEOPLE)}
    strengths, people, bots = {**truth, **_BOTS}, list(truth), list(_BOTS)
    played, games = dict.fromkeys(strengths, 0), []
    while sum(played[name] for name in people) < games_each * _PEOPLE:
        you = random.choice(people)
        other = _someone(random, bots if random.random() < _SHARE_OF_BOTS else people, strengths, you)
        first, second = random.sample((you, other), 2)
        games.append(RatedGame(first, second, _points(random, strengths[first] + _TURN, strengths[second])))
        played[you] += 1
        played[other] += 1
    return truth, games


def _ranks(values: Sequence[float]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    return [order.index(place) for place in range(len(values))]


def recovered(seed: int, games_each: int) -> tuple[float, float, float]:
    """Return the error, the rank correlation, and the share within their deviation, in one club."""
    truth, games = club(seed, games_each)
    computed = ratings(games, _ANCHORS)
    found = [computed.of.get(name, Rating(MEAN, _SPREAD, 0)) for name in truth]
    off = [rating.points - strength for rating, strength in zip(found, truth.values(), strict=True)]
    pairs = zip(_ranks([rating.points for rating in found]), _ranks([*truth.values()]), strict=True)
    count = len(off)
    rank = 1 - 6 * sum((one - other) ** 2 for one, other in pairs) / (count * (count**2 - 1))
    near = fmean(abs(error) <= rating.deviation for error, rating in zip(off, found, strict=True))
    return sqrt(fmean(error**2 for error in off)), rank, near


def large(games: int, people: int) -> None:
    """Compute the ratings of a large club, and print the time and the memory that this takes."""
    random = Random(1)
    strengths = sorted(random.gauss(_MEAN, _SPREAD) for _ in range(people))
    played = []
    for _ in range(games):
        you = random.randrange(people)
        other = min(max(you + random.choice((-1, 1)) * (1 + int(random.expovariate(1 / 100))), 0), people - 1)
        komi = random.choice((0.0, 2.0))
        points = _points(random, strengths[you] + _TURN - _KOMI * komi, strengths[other])
        played.append(RatedGame(you, other, points, komi, float(random.randrange(1_500))))
    before, begin = getrusage(RUSAGE_SELF).ru_maxrss, process_time()
    found = ratings(played, {0: strengths[0], people - 1: strengths[-1]})
    seconds, memory = process_time() - begin, (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024
    truth: dict[Hashable, float] = dict(enumerate(strengths))
    error = sqrt(fmean((rating.points - truth[person]) ** 2 for person, rating in found.of.items()))
    print(
        f"{games} games of {people} people: {seconds:.1f} s, {memory:.0f} MiB, error {error:.0f}, "
        f"first turn {found.turn:.0f} (true {_TURN:.0f}), komi {found.komi:.1f} (true {_KOMI:.0f})"
    )


def main(words: list[str]) -> int:
    """Print the figures of both. Return the exit code."""
    parser = ArgumentParser(prog="bench.ratings")
    parser.add_argument("--clubs", type=int, default=60)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=2_000)
    arguments = parser.parse_args(words)
    for games_each in (5, 10, 30):
        errors, ranks, near = zip(
            *(recovered(seed, games_each) for seed in range(arguments.clubs)), strict=True
        )
        print(
            f"{games_each} games each: error {fmean(errors):.0f}, rank correlation {fmean(ranks):.3f}, "
            f"{fmean(near):.0%} within their deviation"
        )
    large(arguments.games, arguments.people)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
