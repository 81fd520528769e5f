"""Measure how strong the bot's levels are: `python -m bench.levels [PAIR...] [--size 5] [--games 200] [--share 0.1]`.

A pair is `strong:fair` or `easy:random`; without one, each level plays the one below, and the weakest plays random
plies. Each opening, of four random flats, is played twice with colours swapped. The levels have a tenth of their nodes,
or another `--share`. A sequential test ends a match when it is clear, with errors of 5 %, whether the stronger level
makes at most 60 % of the points or at least 70 %.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import log
from random import Random
from time import perf_counter

from takmail.games.tak.bot.bits import Bits, Layout, Ply, bits_of, layout_of, make, plies, result
from takmail.games.tak.bot.levels import LEVELS, choice
from takmail.games.tak.position import empty_position

Chooser = Callable[[Layout, Bits, Random], Ply]

_OPENING = 4
_MOST_PLIES = 300
_AT_MOST, _AT_LEAST = 0.6, 0.7
_BOUND = log(0.95 / 0.05)


def chooser(name: str, share: float) -> Chooser:
    """Return how a level chooses its plies with a share of its nodes, or how `random` does."""
    if name == "random":
        return lambda layout, bits, random: random.choice(plies(layout, bits))
    level = LEVELS[name]
    level = replace(level, nodes=int(level.nodes * share))
    return lambda layout, bits, random: choice(layout, bits, level, random, lambda: False).ply


def points(layout: Layout, opening: int, white: Chooser, black: Chooser, seed: int) -> float:
    """Return White's points in a game from an opening; half a point if it takes too long."""
    bits, starts, random = bits_of(empty_position(layout.size)), Random(opening), Random(seed)
    ended = None
    while ended is None and bits[9] < _MOST_PLIES:
        if bits[9] < _OPENING:
            ply = starts.choice([ply for ply in plies(layout, bits) if ply[1:3] == (0, (0,))])
        else:
            ply = (black if bits[9] & 1 else white)(layout, bits, random)
        bits = make(bits, ply)
        ended = result(layout, bits, ply[3])
    if ended is None:
        return 0.5
    return (1 + (ended if bits[9] & 1 else -ended)) / 2


def likelihood_ratio(won: float, games: int) -> float:
    """Return the logarithm of how much likelier the points are at the higher rate than at the lower one."""
    return won * log(_AT_LEAST / _AT_MOST) + (games - won) * log((1 - _AT_LEAST) / (1 - _AT_MOST))


def match(size: int, names: tuple[str, str], games: int, share: float) -> None:
    """Play a match, and print its result."""
    stronger, weaker = (chooser(name, share) for name in names)
    layout, won, played, ratio, begin = layout_of(size), 0.0, 0, 0.0, perf_counter()
    while played < games and abs(ratio) < _BOUND:
        won += points(layout, played, stronger, weaker, played)
        won += 1 - points(layout, played, weaker, stronger, played + 1)
        played += 2
        ratio = likelihood_ratio(won, played)
    verdict = f"over {_AT_MOST:.0%}" if ratio >= _BOUND else "not over it" if ratio <= -_BOUND else "open"
    print(
        f"{size}x{size} {names[0]} against {names[1]}: {won:g} of {played}, {verdict}, {perf_counter() - begin:.0f} s"
    )


def _arguments(words: list[str]) -> Namespace:
    parser = ArgumentParser(prog="bench.levels")
    parser.add_argument("pairs", nargs="*")
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--share", type=float, default=0.1)
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Play the matches that are asked for. Return the exit code."""
    arguments = _arguments(words)
    ladder = [(stronger, weaker) for weaker, stronger in pairwise(("random", *LEVELS))]
    for stronger, weaker in [tuple(pair.split(":")) for pair in arguments.pairs] or ladder:
        match(arguments.size, (stronger, weaker), arguments.games, arguments.share)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
