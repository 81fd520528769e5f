"""Compute how strong levels are, in points, from matches: `python -m bench.levels | python -m bench.strengths`.

Reads lines such as `5x5 easy against playful: 137 of 200` and prints for each board the ratings of all levels by
`takmail.world.ratings`, with `easy` at 800, and how far each may be off.

`--tzaar 300` plays TZAAR for so many seconds first, on boards that are drawn by lot, each twice with colours swapped.
Between its levels stand rungs that are a little stronger than the one before, as levels beat each other too often.
"""

import re
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from time import monotonic, process_time

from takmail.games.tzaar import bot as tzaar
from takmail.games.tzaar.apply import apply_move, outcome_of
from takmail.games.tzaar.pieces import Color
from takmail.games.tzaar.setup import TzaarSetup
from takmail.world.ratings import RatedGame, ratings

_LINE = re.compile(r"(\S+) (\S+) against (\S+): ([0-9.]+) of ([0-9]+)")
_TZAAR = {
    "easy": tzaar.Level(250),
    "easy+": tzaar.Level(160),
    "easy++": tzaar.Level(110),
    "easy+++": tzaar.Level(75, 5, 2),
    "fair": tzaar.Level(60, 20, 6),
    "fair+": tzaar.Level(30, 40, 8),
    "strong": tzaar.Level(0, 80, 10),
}
_EASY_HAS = 800.0
_MOST_TURNS = 100
_WIDE = 1_000.0
"""Levels differ more than people, so little draws their strengths together."""


def _points(first: str, second: str, seed: int) -> float:
    """Return the points of the first player in a game of TZAAR."""
    random, turn = Random(seed), 0
    position = TzaarSetup.of(()).complete(random).start
    while (outcome := outcome_of(position)) is None and turn < _MOST_TURNS:
        level = _TZAAR[(first, second)[turn % 2]]
        position = apply_move(position, tzaar._best(position, level, random, lambda: False)[0])
        turn += 1
    return 0.5 if outcome is None else float(outcome.winner is Color.WHITE)


def played(seconds: float) -> Iterator[str]:
    """Play neighbours, and every second of them, for some time, and yield a line for each two games."""
    rungs = list(_TZAAR)
    pairs = [*pairwise(rungs), *zip(rungs, rungs[2:], strict=False)]
    spent, seeds, end = dict.fromkeys(pairs, 0.0), dict.fromkeys(pairs, 0), monotonic() + seconds
    while monotonic() < end:
        pair = min(pairs, key=spent.__getitem__)
        begin, seed = process_time(), seeds[pair]
        weaker, stronger = pair
        won = _points(weaker, stronger, seed) + 1 - _points(stronger, weaker, seed)
        spent[pair] += process_time() - begin
        seeds[pair] += 1
        yield f"tzaar {pair[1]} against {pair[0]}: {2 - won} of 2"


def report(lines: Iterator[str]) -> None:
    """Print the strengths on each board."""
    boards: dict[str, list[RatedGame]] = defaultdict(list)
    for line in lines:
        if found := _LINE.match(line):
            board, one, other, won, games = found.groups()
            share, half = float(won) / int(games), int(games) // 2
            boards[board] += [RatedGame(one, other, share), RatedGame(other, one, 1 - share)] * half
    for board, matches in boards.items():
        of = ratings(matches, {"easy": _EASY_HAS}, _WIDE).of
        for level, rating in sorted(of.items(), key=lambda item: item[1].points):
            print(f"{board} {level:10} {rating.points:5.0f} ±{rating.deviation:.0f}, {rating.games} games")


def main(words: list[str]) -> int:
    """Print the strengths. Return the exit code."""
    parser = ArgumentParser(prog="bench.strengths")
    parser.add_argument("--tzaar", type=float, metavar="SECONDS")
    seconds = parser.parse_args(words).tzaar
    report(iter(sys.stdin) if seconds is None else played(seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
