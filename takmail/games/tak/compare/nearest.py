"""Find the ply whose board is nearest to a written board, and the squares that differ."""

from dataclasses import dataclass

from takmail.games.kit.turns import Ply
from takmail.games.tak.board import Board
from takmail.games.tak.compare.cells import Cells, differing, pieces_between, shown
from takmail.games.tak.compare.orientation import Orientation, wrong_orientations
from takmail.games.tak.compare.replayed import ReplayedGame
from takmail.games.tak.notation import mail

_MUCH_NEARER = 3
"""The minimum improvement by which a wrong orientation is reported.

Correcting the orientation must remove at least this number of differences, and divide their number by at least this
factor.
"""


@dataclass(frozen=True, slots=True)
class Differing:
    """A square where two boards differ, with its contents on both and the last turn that changed the square.

    `yours` and `ours` are the contents, top to bottom. `yours` is empty if the row of the written board lacks a spot.
    `touched` is None if no turn has changed the square.
    """

    square: str
    yours: str
    ours: str
    touched: Ply | None


@dataclass(frozen=True, slots=True)
class Nearest:
    """The game's board after `ply` turns as the nearest to a written board; `count` squares differ.

    `cells` are the written board, corrected for its `orientation`.
    """

    ply: int
    cells: Cells
    orientation: Orientation
    count: int


def nearest(replayed: ReplayedGame, cells: Cells) -> Nearest:
    """Return the ply with the fewest differing squares.

    On a tie the fewest differing pieces decide, then the latest ply.
    """
    best = _nearest_ply(replayed, cells, Orientation())
    plain = best.count
    for orientation in wrong_orientations():
        # A board with so few differences needs no other explanation.
        if best.count < _MUCH_NEARER:
            break
        turned = _nearest_ply(replayed, orientation.corrected(replayed.board, cells), orientation)
        is_much = plain - turned.count >= _MUCH_NEARER and turned.count * _MUCH_NEARER <= plain
        if is_much and turned.count < best.count:
            best = turned
    return best


def _nearest_ply(replayed: ReplayedGame, cells: Cells, orientation: Orientation) -> Nearest:
    counts = [sum(map(str.__ne__, frame, cells)) for frame in replayed.cells]
    fewest = min(counts)
    plies = [ply for ply, count in enumerate(counts) if count == fewest]
    ply = min(reversed(plies), key=lambda ply: pieces_between(replayed.cells[ply], cells))
    return Nearest(ply, cells, orientation, fewest)


def squares_between(replayed: ReplayedGame, ply: int, cells: Cells) -> tuple[Differing, ...]:
    """Return the squares where `cells` differ from the board after `ply` turns."""
    ours = replayed.cells[ply]
    return tuple(
        Differing(
            mail.square_name(replayed.board, square),
            shown(cells[square]),
            shown(ours[square]),
            replayed.touched_last(square, ply),
        )
        for square in differing(ours, cells)
    )


def is_a_phones_capital(one: Differing) -> bool:
    """Return whether a square may differ only because a phone has capitalised the first letter of a line."""
    return (
        one.square[0] == "a" and one.yours[:1].isupper() and one.yours[0].lower() + one.yours[1:] == one.ours
    )


def way_between(board: Board, one: Cells, other: Cells) -> Orientation:
    """Return the orientation of `other` relative to `one`.

    A wrong orientation is returned only if correcting it makes the boards equal or much nearer.
    """
    plain = len(differing(one, other))
    best, fewest = Orientation(), plain
    for orientation in wrong_orientations():
        count = len(differing(one, orientation.corrected(board, other)))
        is_much = plain - count >= _MUCH_NEARER and count * _MUCH_NEARER <= plain
        if count < fewest and (is_much or count == 0):
            best, fewest = orientation, count
    return best
