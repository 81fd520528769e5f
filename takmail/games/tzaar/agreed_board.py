"""Agreed boards: turns that replace the board by one that both players have agreed on.

The text of such a turn is `board ` and a position on one line: `board t2x4/.../Z3x4 b`.
"""

from takmail.games.interface import Reason, Refused
from takmail.games.tzaar.apply import outcome_of
from takmail.games.tzaar.pieces import PIECES_A_SIDE, Color, Kind
from takmail.games.tzaar.position import Position, pieces_of, read_position
from takmail.games.tzaar.rules import outcome_facts, over

HEAD = "board "


def is_board(text: str) -> bool:
    """Return whether a turn in canonical form is an agreed board."""
    return text.startswith(HEAD)


def adopt(position: Position, text: str) -> Position:
    """Return the position after an agreed board.

    Raises `Refused`: `over`, `not-canonical`, `too-many-pieces` or `board-ends-the-game`.
    """
    refuse_after_the_end(position)
    found = read_position(text.removeprefix(HEAD))
    if found is None:
        raise Refused(Reason("not-canonical", {"text": text[:80]}))
    return refuse_impossible(found)


def refuse_impossible(position: Position) -> Position:
    """Return the position if the game can go on from it.

    Raises `Refused`: `too-many-pieces` or `board-ends-the-game`.
    """
    for color in Color:
        kinds = position.kinds(color)
        pieces = pieces_of(position.stacks, color)
        surplus = next((kind for kind in Kind if kinds[kind] > kind.count), None)
        if surplus is not None or pieces > PIECES_A_SIDE:
            facts = {
                "color": color.word,
                "kind": None if surplus is None else surplus.word,
                "count": pieces if surplus is None else kinds[surplus],
                "most": PIECES_A_SIDE if surplus is None else surplus.count,
            }
            raise Refused(Reason("too-many-pieces", facts))
    if (outcome := outcome_of(position)) is not None:
        raise Refused(Reason("board-ends-the-game", outcome_facts(outcome)))
    return position


def refuse_after_the_end(position: Position) -> None:
    """Raise `Refused` (`over`) if the game has ended."""
    if (reason := over(position)) is not None:
        raise Refused(reason)
