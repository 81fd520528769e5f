"""Compare a written board with a game, and return the most helpful explanation of the difference.

The explanations are tried in this order: it is the current board; it is the board of an earlier ply; it is one of
these boards in a wrong orientation; it is the current board with one more move; one ply was played differently; it is
nearest to a certain position of the game.
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


def compare_board(film: ReplayedGame, text: str) -> Comparison:
    """Return how a written board differs from a game.

    `how` of the result is `same`, `earlier`, `turned`, `ahead`, `otherwise`, `differs` or `size`. All results but
    `size` have these facts: `now` and `ply` are the numbers of the last turn, in the game and on the written board.
    `not_played` are the turns between these two. `faults` are the faults of the written board. `stopped` is the first
    turn that can't be played, or None.
    """
    pasted = read_pasted(film.board, text, film.cells[-1])
    if isinstance(pasted, OtherSize):
        facts = {"rows": pasted.rows, "spots": pasted.spots, "size": film.board.size}
        return Comparison("size", facts)
    return compare_cells(film, pasted)


def compare_cells(film: ReplayedGame, pasted: WrittenCells) -> Comparison:
    """Return how a parsed board differs from a game."""
    cells = pasted.cells
    if pasted.ragged:
        return _differs(film, cells, pasted.ragged)
    return (
        _same(film, cells) or _turned(film, cells) or _with_a_move(film, cells) or _differs(film, cells, ())
    )


def _same(film: ReplayedGame, cells: Cells) -> Comparison | None:
    ply = _last_ply_with(film, cells)
    if ply is None:
        return None
    return _found("same" if ply == film.last else "earlier", film, ply)


def _turned(film: ReplayedGame, cells: Cells) -> Comparison | None:
    best: Comparison | None = None
    for orientation in wrong_orientations():
        ply = _last_ply_with(film, orientation.righted(film.board, cells))
        if ply is not None and (best is None or ply == film.last):
            best = _found("turned", film, ply, orientation=orientation)
            if ply == film.last:
                break
    return best


def _with_a_move(film: ReplayedGame, cells: Cells) -> Comparison | None:
    """Explain the board by one move that is not in the log: an additional move, or a move in place of another."""
    if board_faults(film.board, cells, film.cells[-1]):
        return None
    ahead = one_move(film.frames[-1], film.cells[-1], cells)
    if ahead is not None:
        return _found("ahead", film, film.last, move=mail.write(film.board, ahead))
    ply, found = alternatives(film, cells)
    if not found:
        return None
    first, *others = (Instead(film.called(one.number), film.turns[one.number - 1], one.text) for one in found)
    return _found("otherwise", film, ply, first=first, others=tuple(others))


def _differs(film: ReplayedGame, cells: Cells, ragged: tuple[BoardFault, ...]) -> Comparison:
    near = nearest(film, cells)
    squares = squares_between(film, near.ply, near.cells)
    return _found(
        "differs",
        film,
        near.ply,
        faults=(*ragged, *board_faults(film.board, near.cells, film.cells[near.ply])),
        orientation=near.orientation if near.orientation.changes else None,
        squares=squares,
        capitals=bool(squares) and all(map(is_a_phones_capital, squares)),
    )


def _last_ply_with(film: ReplayedGame, cells: Cells) -> int | None:
    return next((ply for ply in range(film.last, -1, -1) if film.cells[ply] == cells), None)


def _found(how: str, film: ReplayedGame, ply: int, **facts: object) -> Comparison:
    common = {
        "now": film.called(film.last),
        "ply": film.called(ply),
        "not_played": film.plies(ply),
        "faults": (),
        "stopped": film.stopped,
    }
    return Comparison(how, {**common, **facts})
