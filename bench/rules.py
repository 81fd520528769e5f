"""Measure how many plies per second the rules check and play: `bench/rules.py [RUNS]`.

Plays every game of tests/data/games.json. Each ply is checked and played, and then the position is examined for the end
of the game. Parsing the notation is not included. The number of plies, the final positions and the results of every run
are verified. The first line of the output is the median of RUNS runs (11 by default).
"""

import json
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from takmail.games.tak.moves import Move
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.position import Position, empty_position
from takmail.games.tak.rules import play

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.json"


class Prepared(NamedTuple):
    """A game that is ready to be played, with the expected final position and result."""

    start: Position
    moves: tuple[Move, ...]
    final_tps: str
    result: str


def prepared() -> list[Prepared]:
    """Return all games, with their moves parsed."""
    games = []
    for game in json.loads(GAMES.read_text()):
        start = empty_position(game["size"], int(2 * game["komi"]))
        moves = tuple(mail.parse(start.board, text).move for text in game["mail"])
        games.append(Prepared(start, moves, game["final_tps"], game["result"]))
    return games


def run(games: list[Prepared]) -> tuple[float, list[Position]]:
    """Play all games once. Return the seconds and the final positions."""
    last = []
    begin = perf_counter()
    for game in games:
        position = game.start
        for move in game.moves:
            position = play(position, move)
        last.append(position)
    return perf_counter() - begin, last


def verify(games: list[Prepared], last: list[Position]) -> None:
    """Raise `SystemExit` unless the number of plies, the final position and the result of every game are correct."""
    for game, position in zip(games, last, strict=True):
        score = position.outcome.score if position.outcome else "*"
        if (position.ply, tps.write(position), score) != (len(game.moves), game.final_tps, game.result):
            raise SystemExit(
                f"played wrong: {tps.write(position)} {score}, not {game.final_tps} {game.result}"
            )


def main(runs: int) -> None:
    """Measure, and print the results."""
    games = prepared()
    plies = sum(len(game.moves) for game in games)
    times = []
    for _ in range(runs):
        seconds, last = run(games)
        verify(games, last)
        times.append(seconds)
    print(f"{plies / median(times):,.0f} plies/s played and judged")
    print(f"{len(games)} games, {plies} plies, median of {runs} runs; best {plies / min(times):,.0f} plies/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 11)
