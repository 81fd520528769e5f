"""Games whose stored rows contradict each other, without a database."""

from dataclasses import replace

from takmail.games.interface import Seat
from takmail.world.game import Game
from takmail.world.records import Turn
from takmail.world.replay import fault_of


def corrupt(table: Game, number: int = 1) -> Game:
    """Return the game with a fault in a turn: it is marked as an agreed board, but is a move."""
    turn = Turn(number, Seat.FIRST, "ps a1", "ps a1", 2, table.record.created_at, is_agreed=True)
    return replace(table, states=fault_of(table.record, "is_agreed", turn).fault)
