"""Agreed boards: turns that replace the board by one that both players have agreed on.

The text of such a turn is `board ` and a position on one line: `board t2x4/.../Z3x4 b`.
"""

from takmail.games.interface import Reason, Refused
from takmail.games.kit.turns import AGREED_BOARD
from takmail.games.tzaar.apply import outcome_of
from takmail.games.tzaar.position import Position, read_position
from takmail.games.tzaar.possible import refuse_impossible
from takmail.games.tzaar.rules import outcome_facts, over


def adopt(position: Position, text: str) -> Position:
    """Return the position after an agreed board.

    Raises `Refused`: `over`, `not-canonical`, or as `refuse_unplayable` does.
    """
    refuse_after_the_end(position)
    found = read_position(text.removeprefix(AGREED_BOARD))
    if found is None:
        raise Refused(Reason("not-canonical", {"text": text[:80]}))
    return refuse_unplayable(found)


def refuse_unplayable(position: Position) -> Position:
    """Return the position if it is possible and the game can go on from it.

    Raises `Refused` as `possible.refuse_impossible` does, or `board-ends-the-game`.
    """
    refuse_impossible(position)
    if (outcome := outcome_of(position)) is not None:
        raise Refused(Reason("board-ends-the-game", outcome_facts(outcome)))
    return position


def refuse_after_the_end(position: Position) -> None:
    """Raise `Refused` (`over`) if the game has ended."""
    if (reason := over(position)) is not None:
        raise Refused(reason)
