"""Convert a written board to the turn that sets it up (`State.adopt`)."""

from takmail.games.interface import Reason, Refused, Seat
from takmail.games.tak.agreed_board import adopt, refuse_after_the_end
from takmail.games.tak.compare.cells import cells_of
from takmail.games.tak.compare.faults import board_faults
from takmail.games.tak.compare.written_board import OtherSize, read_pasted
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import Position


def adoption(position: Position, board_text: str, to_move: Seat) -> str:
    """Return the turn that replaces `position`'s board by a written board.

    Raises `Refused`: `other-board-size`, `impossible-board` with its `faults`, `board-ends-the-game` or
    `game-over`.
    """
    refuse_after_the_end(position)
    ours = cells_of(position)
    pasted = read_pasted(position.board, board_text, ours)
    if isinstance(pasted, OtherSize):
        facts = {"rows": pasted.rows, "spots": pasted.spots, "size": position.size}
        raise Refused(Reason("other-board-size", facts))
    faults = (
        *pasted.ragged,
        *board_faults(position.board, pasted.cells, ours, position.whole(Color.WHITE).capstones),
    )
    if faults:
        raise Refused(Reason("impossible-board", {"faults": faults}))
    board, size = position.board, position.size
    rows = [
        " ".join(pasted.cells[board.square(column, row)] or "0" for column in range(size))
        for row in range(size)
    ]
    turn = f"board {'/'.join(rows)} {'wb'[to_move]}"
    adopt(position, turn)
    return turn
