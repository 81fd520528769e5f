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
    kept: list[tuple[int, Seat]] = []
    for _, run in groupby(taken_back, lambda one: one.branch):
        first = next(run)
        how, left = TakenBackBy(first.how), first.number - 1
        if how is TakenBackBy.RESTART:
            kept = []
        elif how is TakenBackBy.RIGHT:
            kept = [(min(turns, left), seat) for turns, seat in kept] + [(left, Seat(first.seat))]
        else:
            kept = [(turns, seat) for turns, seat in kept if turns <= left]
    return tuple(seat for _, seat in kept)
