"""Play the turns of the log on a position."""

from takmail.games.interface import Refused
from takmail.games.kit.turns import is_board
from takmail.games.tak.agreed_board import adopt
from takmail.games.tak.board import Square
from takmail.games.tak.explain import to_reason
from takmail.games.tak.notation import mail
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.position import Position
from takmail.games.tak.rules import IllegalMove, play


def read_turn(position: Position, text: str) -> mail.MailMove:
    """Parse a move in canonical form. Raises `Refused` if the text isn't one."""
    try:
        return mail.parse(position.board, text)
    except NotationError as error:
        raise Refused(error.reason) from None


def play_turn(position: Position, text: str) -> Position:
    """Play a turn in canonical form: a move or an agreed board.

    Raises `Refused` with the first rule that it breaks.
    """
    if is_board(text):
        return adopt(position, text)
    move = read_turn(position, text).move

    def name(square: Square) -> str:
        return mail.square_name(position.board, square)

    try:
        return play(position, move)
    except IllegalMove as illegal:
        raise Refused(to_reason(illegal.reason, name)) from None
