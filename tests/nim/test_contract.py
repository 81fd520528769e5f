"""Nim satisfies the game contract."""

from tests.games.contract import GameContract
from tests.nim.beside_tak import templates
from tests.nim.game import NimGame


class TestNim(GameContract):
    game = NimGame()
    messages = templates().words("en")
    set_ups = ((), ("random",), ("heaps=3,4,5",), ("heaps=7,7,7,7,7",))
    few = ("heaps=2,1,2",)
    no_set_up = ("enormous",)
