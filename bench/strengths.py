"""Measure how strong the bots' levels are, in points: `python -m bench.strengths CLASS RESULTS [--seconds 450]`.

CLASS is `5` for Tak on 5x5, or `tzaar`. Between the levels stand rungs that are a little stronger than the one before,
as levels beat each other too often to tell by how much. Neighbours, and every second of them, play each other; in Tak,
each opening of four random flats is played twice with colours swapped. The results are added to the file RESULTS, and
the ratings of all rungs are those of `takmail.world.ratings`, with `easy` at 800.

The rungs end at `fair`, in TZAAR at `strong`, as games of stronger levels take minutes. Those are rated as people are.
"""

import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from time import monotonic, process_time

from bench.levels import points
from takmail.games.tak.bot import levels as tak
from takmail.games.tak.bot.bits import layout_of
from takmail.games.tzaar import bot as tzaar
from takmail.games.tzaar.apply import apply_move, outcome_of
from takmail.games.tzaar.pieces import Color
from takmail.games.tzaar.setup import TzaarSetup
from takmail.world.ratings import RatedGame, ratings

PlayPair = Callable[[str, str, int], float]
"""Plays two games of two rungs with colours swapped, and returns the points of the first rung."""

_EASY, _GENTLE, _FAIR = (tak.LEVELS[name] for name in ("easy", "gentle", "fair"))
_TAK = {
    "easy": _EASY,
    "easy+": replace(_EASY, noise=90, sight=0.9, far_sight=0.45),
    "easy++": replace(_EASY, noise=60, sight=0.95, far_sight=0.75),
    "gentle": _GENTLE,
    "fair/50": replace(_FAIR, nodes=40, tinue=0),
    "fair/16": replace(_FAIR, nodes=125, tinue=3),
    "fair/4": replace(_FAIR, nodes=500, tinue=3),
    "fair": _FAIR,
}
_TZAAR = {
    "easy": tzaar.Level(250),
    "easy+": tzaar.Level(160),
    "easy++": tzaar.Level(110),
    "easy+++": tzaar.Level(75, 5, 2),
    "fair": tzaar.Level(60, 20, 6),
    "fair+": tzaar.Level(30, 40, 8),
    "strong": tzaar.Level(0, 80, 10),
}
_EASY_HAS = 800
_MOST_GAMES = 600
_MOST_TURNS = 100
_WIDE = 1_000.0
"""Rungs differ more than people, so little draws their strengths together."""


def _tak_pair(size: int) -> PlayPair:
    layout = layout_of(size)

    def play(one: str, other: str, opening: int) -> float:
        first, second = (
            lambda layout, bits, random, level=_TAK[name]: (
                tak.choice(layout, bits, level, random, lambda: False).ply
            )
            for name in (one, other)
        )
        won = points(layout, opening, first, second, opening)
        return won + 1 - points(layout, opening, second, first, opening + 1)

    return play


def _tzaar_points(first: str, second: str, seed: int) -> float:
    """Return the points of the first player in a game from a board that is drawn by lot."""
    random, turn = Random(seed), 0
    position = TzaarSetup.of(()).complete(random).start
    while (outcome := outcome_of(position)) is None and turn < _MOST_TURNS:
        level = _TZAAR[(first, second)[turn % 2]]
        position = apply_move(position, tzaar._best(position, level, random, lambda: False)[0])
        turn += 1
    if outcome is None:
        return 0.5
    return float(outcome.winner is Color.WHITE)


def _tzaar_pair(one: str, other: str, opening: int) -> float:
    return _tzaar_points(one, other, opening) + 1 - _tzaar_points(other, one, opening)


def measure(rungs: list[str], play: PlayPair, results: Path, seconds: float) -> None:
    """Play for some time, most with those that have had the least of it, and add the results to a file."""
    pairs = [*pairwise(rungs), *zip(rungs, rungs[2:], strict=False)]
    spent, played = dict.fromkeys(pairs, 0.0), defaultdict(int)
    for line in results.read_text().splitlines() if results.exists() else ():
        one, other, _, took = line.split()
        played[one, other] += 1
        spent[one, other] += float(took)
    end = monotonic() + seconds
    with results.open("a") as lines:
        while monotonic() < end and (
            open_pairs := [pair for pair in pairs if played[pair] < _MOST_GAMES // 2]
        ):
            pair = min(open_pairs, key=spent.__getitem__)
            begin = process_time()
            won = play(*pair, 2 * played[pair])
            took = process_time() - begin
            played[pair] += 1
            spent[pair] += took
            print(*pair, won, f"{took:.3f}", file=lines, flush=True)


def report(rungs: list[str], results: Path) -> None:
    """Print the rating of each rung, its deviation, and the number of its games."""
    games = []
    for line in results.read_text().splitlines():
        one, other, won, _ = line.split()
        games += [RatedGame(one, other, float(won) / 2), RatedGame(other, one, 1 - float(won) / 2)]
    found = ratings(games, {"easy": _EASY_HAS}, _WIDE)
    for rung in rungs:
        if rung in found.of:
            rating = found.of[rung]
            print(f"{rung:10} {rating.points:6.0f} ±{rating.deviation:.0f}, {rating.games} games")


def main(words: list[str]) -> int:
    """Play, and print all ratings. Return the exit code."""
    parser = ArgumentParser(prog="bench.strengths")
    parser.add_argument("kind")
    parser.add_argument("results", type=Path)
    parser.add_argument("--seconds", type=float, default=450)
    arguments = parser.parse_args(words)
    is_tzaar = arguments.kind == "tzaar"
    rungs = [*(_TZAAR if is_tzaar else _TAK)]
    measure(
        rungs,
        _tzaar_pair if is_tzaar else _tak_pair(int(arguments.kind)),
        arguments.results,
        arguments.seconds,
    )
    report(rungs, arguments.results)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
