"""Agreed boards: turns that replace the board by one that both players have agreed on.

The text of such a turn is `board ` and a position on one line: `board t2x4/.../Z3x4 b`.
"""

from takmail.games.interface import Reason, Refused
from takmail.games.tzaar.apply import outcome_of
from takmail.games.tzaar.compare.rows import Cells, faults_of, read_rows, stack_of_text
from takmail.games.tzaar.pieces import PIECES_A_SIDE, Color, Kind
from takmail.games.tzaar.position import (
    FULL,
    HEIGHT_SHIFT,
    Position,
    position_with,
    read_position,
    write_position,
)
from takmail.games.tzaar.rules import outcome_facts

_HEAD = "board "


def is_board(text: str) -> bool:
    """Return whether a turn in canonical form is an agreed board."""
    return text.startswith(_HEAD)


def adoption(position: Position, board: str, to_move: Color) -> str:
    """Return the turn that sets up a written board on one line.

    Raises `Refused`: `over`, `impossible-board`, `too-many-pieces` or `board-ends-the-game`.
    """
    _refuse_after_the_end(position)
    read = read_rows(board)
    faults = faults_of(read)
    if faults:
        raise Refused(Reason("impossible-board", {"faults": faults}))
    return f"{_HEAD}{write_position(_checked(_position(position, read.cells, to_move)))}"


def adopt(position: Position, text: str) -> Position:
    """Return the position after an agreed board. Raises `Refused` as `adoption` does, and `not-canonical`."""
    _refuse_after_the_end(position)
    found = read_position(text.removeprefix(_HEAD))
    if found is None:
        raise Refused(Reason("not-canonical", {"text": text[:80]}))
    return _checked(found)


def _position(position: Position, cells: Cells, to_move: Color) -> Position:
    """Return the position of a board. While pieces are being placed, a board of single pieces is still being filled."""
    stacks = [stack_of_text(cell) for cell in cells]
    found = position_with(stacks, to_move)
    is_placing = (
        position.is_placing
        and found.white | found.black != FULL
        and all(stack is None or stack.height == 1 for stack in stacks)
    )
    return found._replace(is_placing=is_placing)


def _checked(position: Position) -> Position:
    for color in Color:
        kinds = position.kinds(color)
        pieces = sum(code >> HEIGHT_SHIFT for code in position.stacks if code and code & 1 == color)
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


def _refuse_after_the_end(position: Position) -> None:
    if (outcome := outcome_of(position)) is not None:
        raise Refused(Reason("over", outcome_facts(outcome)))
