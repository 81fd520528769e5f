"""Measure mails a second while a bot thinks, and without: `python -m bench.thinking [--rounds 7] [--level best]`.

In each round a service with a database handles the same 40 moves twice, once while a bot thinks about a position of its
own in the child process. Prints the mails a second of each round and their ratio, and the median ratio.
"""

import json
import time
from argparse import ArgumentParser
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread

from takmail.games.registry import GAMES
from takmail.games.thinking import Player
from takmail.runtime.child_process import Closed
from takmail.runtime.thinker import Question, Thinker
from takmail.store.database import Store
from tests.support.harness import Harness

RECORDED = Path(__file__).parent.parent / "tests" / "data" / "games.json"
SIZE, EARLY, MEASURED = 6, 10, 40


class Thinking:
    """A bot that thinks about one position after the other in a thread, from `go_on` to `close`."""

    def __init__(self, level: str, moves: list[str]) -> None:
        self._level = level
        self._moves = moves

    def go_on(self) -> None:
        """Begin to think."""
        self._thinker = Thinker()
        self._thread = Thread(target=self._run)
        self._thread.start()

    def close(self) -> None:
        """Stop thinking."""
        self._thinker.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            for number in count():
                self._thinker.think(self._question(number))
        except Closed:
            return

    def _question(self, number: int) -> Question:
        rules = GAMES.rules("tak")
        assert isinstance(rules, Player)
        moves = tuple(self._moves[: EARLY + number % MEASURED])
        return partial(rules.choose, str(SIZE), moves, self._level, b"a seed")


def mails_a_second(folder: Path, moves: list[str]) -> float:
    """Play a part of a game by mail on a new database."""
    store = Store.open(f"sqlite:///{folder / 'bench.sqlite'}")
    people = Harness(store)
    people.begin(str(SIZE))
    people.play(*moves[:EARLY])
    began = time.perf_counter()
    people.play(*moves[EARLY : EARLY + MEASURED])
    took = time.perf_counter() - began
    store.close()
    return MEASURED / took


def main() -> None:
    """Measure, and print the results."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--level", default="best")
    options = parser.parse_args()
    recorded = [game["mail"] for game in json.loads(RECORDED.read_text()) if game["size"] == SIZE]
    moves = next(moves for moves in recorded if len(moves) >= EARLY + MEASURED)
    bot, ratios = Thinking(options.level, moves), []
    for _ in range(options.rounds):
        rates = []
        for is_thinking in (False, True):
            if is_thinking:
                bot.go_on()
            with TemporaryDirectory() as folder:
                rates.append(mails_a_second(Path(folder), moves))
            if is_thinking:
                bot.close()
        ratios.append(rates[1] / rates[0])
        print(
            f"{rates[0]:6.1f} mails a second, {rates[1]:6.1f} while a bot thinks; ratio {ratios[-1]:.2f}",
            flush=True,
        )
    print(f"median ratio {median(ratios):.2f}")


if __name__ == "__main__":
    main()
