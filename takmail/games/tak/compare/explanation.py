"""Compare a written board with a game, and return the most helpful explanation of the difference.

The explanations are tried in this order:

1. The board is the current one.
2. It is the board of an earlier ply.
3. It is one of these boards in a wrong orientation.
4. It is the current board with one more move.
5. One ply was played differently.
6. None of these, but the board is nearest to a certain position of the game.
"""

from dataclasses import dataclass

from takmail.games.interface import Comparison
from takmail.games.tak.compare.alternatives import alternatives, one_move
from takmail.games.tak.compare.cells import Cells
from takmail.games.tak.compare.faults import BoardFault, board_faults
from takmail.games.tak.compare.nearest import is_a_phones_capital, nearest, squares_between
from takmail.games.tak.compare.orientation import wrong_orientations
from takmail.games.tak.compare.replayed import ReplayedGame
from takmail.games.tak.compare.written_board import OtherSize, WrittenCells, read_pasted
from takmail.games.tak.notation import mail


@dataclass(frozen=True, slots=True)
class Instead:
    """Ply `number`, counted from 1: the move in the log, and the move that would lead to the written board."""

    number: int
    played: str
    instead: str


def compare_board(replayed: ReplayedGame, text: str) -> Comparison:
    """Return how a written board differs from a game.

    `how` of the result is `same`, `earlier`, `turned`, `ahead`, `otherwise`, `differs` or `size`. All results but
    `size` have these facts: `now` and `ply` are the numbers of the last turn, in the game and on the written board.
    `not_played` are the turns between these two. `faults` are the faults of the written board. `stopped` is the first
    turn that can't be played, or None.
    """
    pasted = read_pasted(replayed.board, text, replayed.cells[-1])
    if isinstance(pasted, OtherSize):
        return Comparison("size", {"rows": pasted.rows, "spots": pasted.spots, "size": replayed.board.size})
    return compare_cells(replayed, pasted)


def compare_cells(replayed: ReplayedGame, pasted: WrittenCells) -> Comparison:
    """Return how a parsed board differs from a game."""
    cells = pasted.cells
    if pasted.ragged:
        return _differs(replayed, cells, pasted.ragged)
    return (
        _same(replayed, cells)
        or _turned(replayed, cells)
        or _with_a_move(replayed, cells)
        or _differs(replayed, cells, ())
    )


def _same(replayed: ReplayedGame, cells: Cells) -> Comparison | None:
    ply = _last_ply_with(replayed, cells)
    if ply is None:
        return None
    return _found("same" if ply == replayed.last else "earlier", replayed, ply)


def _turned(replayed: ReplayedGame, cells: Cells) -> Comparison | None:
    best: Comparison | None = None
    for orientation in wrong_orientations():
        ply = _last_ply_with(replayed, orientation.corrected(replayed.board, cells))
        if ply is not None and (best is None or ply == replayed.last):
            best = _found("turned", replayed, ply, orientation=orientation)
            if ply == replayed.last:
                break
    return best


def _with_a_move(replayed: ReplayedGame, cells: Cells) -> Comparison | None:
    """Explain the board by one move that is not in the log: an additional move, or a move in place of another."""
    if board_faults(replayed.board, cells, replayed.cells[-1], replayed.capstones):
        return None
    ahead = one_move(replayed.frames[-1], replayed.cells[-1], cells)
    if ahead is not None:
        return _found("ahead", replayed, replayed.last, move=mail.write(replayed.board, ahead))
    ply, found = alternatives(replayed, cells)
    if not found:
        return None
    first, *others = (
        Instead(replayed.turn_number(one.number), replayed.turns[one.number - 1], one.text) for one in found
    )
    return _found("otherwise", replayed, ply, first=first, others=tuple(others))


def _differs(replayed: ReplayedGame, cells: Cells, ragged: tuple[BoardFault, ...]) -> Comparison:
    near = nearest(replayed, cells)
    squares = squares_between(replayed, near.ply, near.cells)
    return _found(
        "differs",
        replayed,
        near.ply,
        faults=(
            *ragged,
            *board_faults(replayed.board, near.cells, replayed.cells[near.ply], replayed.capstones),
        ),
        orientation=near.orientation if near.orientation.changes else None,
        squares=squares,
        capitals=bool(squares) and all(map(is_a_phones_capital, squares)),
    )


def _last_ply_with(replayed: ReplayedGame, cells: Cells) -> int | None:
    return next((ply for ply in range(replayed.last, -1, -1) if replayed.cells[ply] == cells), None)


def _found(how: str, replayed: ReplayedGame, ply: int, **facts: object) -> Comparison:
    common = {
        "now": replayed.turn_number(replayed.last),
        "ply": replayed.turn_number(ply),
        "not_played": replayed.plies(ply),
        "faults": (),
        "stopped": replayed.stopped,
    }
    return Comparison(how, {**common, **facts})
