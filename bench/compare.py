"""Measure the time to compare a written board with a game: `bench/compare.py [BOARDS]`.

Uses the games of tests/data/games.json that are long enough, 6x6 after 80 plies and 8x8 at their end. Makes BOARDS
boards (20 by default) of each game in each of five ways. They are an earlier board, the board turned, three squares
changed, half of the squares random, and all stacks shuffled. Prints the median and the maximum for each way, in
milliseconds.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from takmail.games.tak.game import TakGame
from takmail.games.tak.notation import rs
from takmail.games.tak.state import TakState

GAMES = Path(__file__).parent.parent / "tests" / "data" / "games.json"
SHORTEST = {6: 80, 8: 120}
CUT = {6: 80, 8: None}
SEED = 20261121

Rows = list[list[str]]


def changed(frames: list[TakState], chance: Random) -> Iterator[tuple[str, Rows]]:
    """Yield one board to compare for each way to change a board, with the name of the way."""
    yield "earlier", rows_of(chance.choice(frames))
    rows = rows_of(frames[-1])
    size = len(rows)
    yield "turned", [list(column) for column in zip(*rows, strict=True)]
    few = [row[:] for row in rows]
    for _ in range(3):
        few[chance.randrange(size)][chance.randrange(size)] = chance.choice(("0", "s", "S", "w", "Ss"))
    yield "other squares", few
    half = [
        [spot if chance.random() < 0.5 else chance.choice(("0", "s", "S", "Ss")) for spot in row]
        for row in rows
    ]
    yield "half at random", half
    spots = [spot for row in rows for spot in row]
    chance.shuffle(spots)
    yield "all elsewhere", [spots[at : at + size] for at in range(0, size * size, size)]


def rows_of(state: TakState) -> Rows:
    """Return the spots of a board, row by row."""
    return [row.split() for row in rs.write(state.position, aligned=False)]


def measured(size: int, boards: int, chance: Random) -> dict[str, list[float]]:
    """Return the seconds that each comparison took, by the name of the way to change the board."""
    rules, times = TakGame(), dict[str, list[float]]()
    for game in json.loads(GAMES.read_text()):
        if game["size"] != size or len(game["mail"]) < SHORTEST[size]:
            continue
        turns = game["mail"][: CUT[size]]
        frames = [rules.start(str(size))]
        for turn in turns:
            frames.append(frames[-1].play(turn))
        for _ in range(boards):
            for way, rows in changed(frames, chance):
                text = "/".join(map(" ".join, rows))
                begin = perf_counter()
                rules.compare(str(size), turns, text)
                times.setdefault(way, []).append(perf_counter() - begin)
    return times


def main(boards: int) -> None:
    """Measure, and print the results."""
    for size, cut in CUT.items():
        times = measured(size, boards, Random(SEED))
        print(
            f"{size}x{size}, {f'{cut} plies' if cut else f'whole games of {SHORTEST[size]} plies and more'}"
        )
        for way, seconds in times.items():
            middle, worst = 1000 * median(seconds), 1000 * max(seconds)
            print(f"  {way:14} {len(seconds):5} boards: median {middle:6.1f} ms, worst {worst:6.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
