"""Make a turn of a written board that both players agree on."""

from takmail.games.interface import Reason, Refused
from takmail.games.kit.turns import AGREED_BOARD
from takmail.games.tzaar.agreed_board import refuse_after_the_end, refuse_unplayable
from takmail.games.tzaar.compare.rows import Cells, faults_of, read_rows, stack_of_text
from takmail.games.tzaar.pieces import Color
from takmail.games.tzaar.position import FULL, Position, position_with, write_position


def adoption(position: Position, board: str, to_move: Color) -> str:
    """Return the turn that sets up a written board on one line.

    Raises `Refused`: `over`, `impossible-board`, or as `refuse_unplayable` does.
    """
    refuse_after_the_end(position)
    read = read_rows(board)
    faults = faults_of(read)
    if faults:
        raise Refused(Reason("impossible-board", {"faults": faults}))
    return f"{AGREED_BOARD}{write_position(refuse_unplayable(_position(position, read.cells, to_move)))}"


def _position(position: Position, cells: Cells, to_move: Color) -> Position:
    """Return the position of a board. While pieces are being placed, a board of single pieces is still being filled."""
    stacks = [stack_of_text(cell) for cell in cells]
    found = position_with(stacks, to_move)
    is_placing = (
        position.is_placing
        and found.white | found.black != FULL
        and all(stack is None or stack.height == 1 for stack in stacks)
    )
    found = found._replace(is_placing=is_placing)
    if is_placing and not any(found.reserve(to_move).values()):
        return found._replace(to_move=to_move.other)  # whoever has nothing left to place is passed over
    return found
