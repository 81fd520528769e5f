"""Find out which turns were taken back by right, for games in which that costs something."""

from collections.abc import Sequence
from itertools import groupby

from takmail.commands.kinds import TakenBackBy
from takmail.commands.records import TakenBackTurn
from takmail.games.interface import Seat


def take_backs(taken_back: Sequence[TakenBackTurn]) -> tuple[Seat, ...]:
    """Return who took back a turn by right, the oldest first, without what was undone since.

    Going back to a turn by consent also undoes the take-backs after it. Those before the next turn remain, because that
    is the board to which both go back. A new beginning undoes all. `taken_back` are ordered by run. Raises ValueError
    for a damaged row.
    """
    return tuple(seat for _, seat in _kept(taken_back))


def take_backs_after(taken_back: Sequence[TakenBackTurn], how: TakenBackBy, left: int) -> tuple[Seat, ...]:
    """Return the same as `take_backs` if both also agree to go back to the first `left` turns."""
    return tuple(seat for _, seat in _without_undone(_kept(taken_back), how, left))


_Kept = list[tuple[int, Seat]]
"""The number of turns that a take-back has left, and who took back."""


def _kept(taken_back: Sequence[TakenBackTurn]) -> _Kept:
    kept: _Kept = []
    for _, run in groupby(taken_back, lambda one: one.branch):
        first = next(run)
        how, left = TakenBackBy(first.how), first.number - 1
        if how is TakenBackBy.RIGHT:
            kept = [(min(turns, left), seat) for turns, seat in kept] + [(left, Seat(first.seat))]
        else:
            kept = _without_undone(kept, how, left)
    return kept


def _without_undone(kept: _Kept, how: TakenBackBy, left: int) -> _Kept:
    """Return the take-backs that remain when both have agreed to go back."""
    return [] if how is TakenBackBy.RESTART else [(turns, seat) for turns, seat in kept if turns <= left]
