"""Measure the rules of TZAAR: `bench/tzaar.py [RUNS]`.

Plays every game of tests/data/tzaar.json: each turn is parsed, checked and played, and then the position is examined
for the end of the game. Then counts the sequences of two turns from every position of the file. The positions, the
results and the counts of every run are verified. Prints the medians of RUNS runs (11 by default).
"""

import json
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from takmail.games.tzaar.apply import outcome_of
from takmail.games.tzaar.perft import perft
from takmail.games.tzaar.position import Position, read_position
from takmail.games.tzaar.rules import play
from takmail.games.tzaar.turns import parse_turn

_FILE = Path(__file__).parent.parent / "tests" / "data" / "tzaar.json"
_MOST_DEPTH = 2


def _position(text: str) -> Position:
    found = read_position(text)
    if found is None:
        raise SystemExit(f"no position: {text}")
    return found


def played(games: list[Any]) -> float:
    """Play all games once, and return the seconds. Raises `SystemExit` unless each ends as recorded."""
    starts = [_position(game["start"]) for game in games]
    ends = []
    outcome_of.cache_clear()
    begin = perf_counter()
    for position, game in zip(starts, games, strict=True):
        for turn in game["turns"]:
            position = play(position, parse_turn(turn).move)
            outcome = outcome_of(position)
        ends.append((str(position), outcome and outcome.score))
    seconds = perf_counter() - begin
    if ends != [(game["positions"][-1], game["result"]) for game in games]:
        raise SystemExit("a game ends otherwise than recorded")
    return seconds


def counted(cases: list[tuple[Position, int, int]]) -> float:
    """Count all sequences once, and return the seconds. Raises `SystemExit` for a wrong count."""
    outcome_of.cache_clear()
    begin = perf_counter()
    counts = [perft(position, depth) for position, depth, _ in cases]
    seconds = perf_counter() - begin
    if counts != [nodes for _, _, nodes in cases]:
        raise SystemExit("counted wrong")
    return seconds


def main(runs: int) -> None:
    """Measure, and print the results."""
    vectors = json.loads(_FILE.read_text(encoding="utf-8"))
    games = vectors["games"]
    cases = [
        (_position(one["position"]), int(depth), nodes)
        for one in vectors["perft"]
        for depth, nodes in one["nodes"].items()
        if int(depth) <= _MOST_DEPTH
    ]
    turns, nodes = sum(len(game["turns"]) for game in games), sum(count for _, _, count in cases)
    playing = median(played(games) for _ in range(runs))
    counting = median(counted(cases) for _ in range(runs))
    print(f"{turns / playing:,.0f} turns/s parsed, checked, played and judged")
    print(f"{nodes / counting:,.0f} nodes/s in {len(cases)} cases of perft to depth {_MOST_DEPTH}")
    print(f"{len(games)} games, {turns} turns, {nodes} nodes, median of {runs} runs")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 11)
