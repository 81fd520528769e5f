"""Tak satisfies the game contract."""

from takmail.games.tak.game import TakGame
from tests.games.contract import GameContract


class TestTak(GameContract):
    game = TakGame()
    set_ups = (("5",), ("6x6", "komi=2.5", "score=tarway"), ("8",))
    few = ("3",)
    no_set_up = ("enormous",)
