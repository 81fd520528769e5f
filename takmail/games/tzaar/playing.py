"""Play the turns of the log on a position."""

from takmail.games.kit.turns import is_board
from takmail.games.tzaar.agreed_board import adopt
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.rules import play
from takmail.games.tzaar.turns import parse_turn


def play_turn(position: Position, text: str) -> Position:
    """Play a turn in canonical form: a move or an agreed board.

    Raises `Refused` with the first rule that it breaks.
    """
    return adopt(position, text) if is_board(text) else play(position, parse_turn(text).move)
