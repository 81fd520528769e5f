"""Measure how strong the bot's levels are: `python -m bench.levels [PAIR...] [--size 5] [--games 100] [--sprt]`.

A pair is `strong:fair`, or `easy:builder` with a simulated child; without one, each level plays the one below it. A
level may be changed: `easy,noise=60:gentle`. Each opening, of four random flats, is played twice with colours swapped.
The same `--seed` plays the same games. `--sprt` ends a match once it is clear, with errors of 5 %, whether the first
one makes at most 60 % of the points or at least 70 %. `--share 0.1` gives the levels a tenth of their nodes.
After each two games the points so far stand on stderr.

`make compiled` makes this three times as fast: `PYTHONPATH=.venv/compiled:. .venv/bin/python -P -m bench.levels`.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import log, log10, sqrt
from random import Random
from time import process_time
from typing import Any

from bench.children import CHILDREN
from takmail.games.tak.bot.bits import Bits, Layout, Ply, bits_of, layout_of, make, plies, result
from takmail.games.tak.bot.levels import LEVELS, Level, choice
from takmail.games.tak.position import empty_position

Chooser = Callable[[Layout, Bits, Random], Ply]

_OPENING = 4
_MOST_PLIES = 300
_AT_MOST, _AT_LEAST = 0.6, 0.7
_BOUND = log(0.95 / 0.05)
_DEVIATIONS = 1.96
"""How many standard deviations an interval has on each side, for 95 %."""


def level_of(text: str) -> Level:
    """Return a level by its name, with the changes that follow: `easy,noise=60,sight=0.85`."""
    name, *changes = text.split(",")
    named: dict[str, Any] = {
        key: float(value) if "." in value else int(value)
        for key, value in (change.split("=") for change in changes)
    }
    return replace(LEVELS[name], **named)


def chooser(text: str, share: float) -> Chooser:
    """Return how a level chooses its plies with a share of its nodes, or how a simulated child does."""
    if text in CHILDREN:
        return CHILDREN[text]
    level = level_of(text)
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


def interval(won: float, games: int) -> tuple[float, float]:
    """Return the rates of points between which the true one is with 95 % (Wilson's score interval)."""
    rate, square = won / games, _DEVIATIONS**2
    middle = (rate + square / (2 * games)) / (1 + square / games)
    half = _DEVIATIONS * sqrt(rate * (1 - rate) / games + square / (4 * games * games)) / (1 + square / games)
    return middle - half, middle + half


def elo(rate: float) -> str:
    """Return by how many points of a rating one who makes this rate of points is stronger."""
    return f"{400 * log10(rate / (1 - rate)):+.0f}" if 0 < rate < 1 else "beyond measure"


def match(size: int, names: tuple[str, str], arguments: Namespace) -> None:
    """Play a match, and print its result."""
    stronger, weaker = (chooser(name, arguments.share) for name in names)
    layout, won, played, begin = layout_of(size), 0.0, 0, process_time()
    while played < arguments.games and not (arguments.sprt and abs(likelihood_ratio(won, played)) >= _BOUND):
        seed = arguments.seed + played
        won += points(layout, seed, stronger, weaker, seed)
        won += 1 - points(layout, seed, weaker, stronger, seed + 1)
        played += 2
        print(f"{won:g} of {played}", end="\r", file=sys.stderr, flush=True)
    low, high = interval(won, played)
    print(
        f"{size}x{size} {names[0]} against {names[1]}: {won:g} of {played} ({low:.0%} to {high:.0%}), "
        f"{elo(won / played)}, {(process_time() - begin) / played:.2f} s a game",
        flush=True,
    )


def _arguments(words: list[str]) -> Namespace:
    parser = ArgumentParser(prog="bench.levels")
    parser.add_argument("pairs", nargs="*")
    parser.add_argument("--size", type=int, action="append")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sprt", action="store_true")
    return parser.parse_args(words)


def main(words: list[str]) -> int:
    """Play the matches that are asked for. Return the exit code."""
    arguments = _arguments(words)
    ladder = [(stronger, weaker) for weaker, stronger in pairwise(LEVELS)]
    for stronger, weaker in [tuple(pair.split(":")) for pair in arguments.pairs] or ladder:
        for size in arguments.size or (5, 6):
            match(size, (stronger, weaker), arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
