"""TZAAR satisfies the game contract."""

from collections.abc import Iterator
from itertools import islice

from takmail.games.interface import State
from takmail.games.tzaar.game import TzaarGame
from tests.games.contract import GameContract, walk


class TestTzaar(GameContract):
    game = TzaarGame()
    set_ups = ((), ("random",), ("fixed",), ("tournament",))
    few = ("fixed",)
    no_set_up = ("enormous",)

    def states(self) -> Iterator[State]:
        """Yield fewer states than for other games, because each has hundreds of turns to choose from."""
        for words in self.set_ups:
            yield from (state for state, _ in islice(walk(self.game, words, seed=3, most=9), 0, None, 8))
        yield from (state for state, _ in islice(walk(self.game, self.few, seed=4), 20, None, 9))
