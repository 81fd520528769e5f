"""Define the runs of a game: turns in a row that were taken back together.

Replay the stored ones, and find out which turns were taken back by right, for games in which that costs something.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from takmail.games.interface import Game, RecordedRun, Seat, State
from takmail.world.corruption import CorruptGame
from takmail.world.kinds import TakenBackBy
from takmail.world.records import GameRecord, TakenBackTurn, Turn
from takmail.world.replay import after, fault_of


@dataclass(frozen=True, slots=True)
class Run:
    """Turns that were taken back together, with the state after each turn.

    * `number` counts the runs of a game in the order in which they were taken back
    * `how` is how the turns were taken back, a `TakenBackBy`, and `at` is when
    * `ended_version` is the game's version after that
    """

    number: int
    how: str
    at: datetime
    ended_version: int
    turns: tuple[Turn, ...]
    states: tuple[State, ...]

    @property
    def first(self) -> int:
        """The number of the first turn."""
        return self.turns[0].number

    @property
    def last(self) -> int:
        """The number of the last turn."""
        return self.turns[-1].number

    def recorded(self) -> RecordedRun:
        """Return the run as the game record shows it."""
        match self.how:
            case TakenBackBy.BACK:
                why = f"as both agreed to go back to turn {self.first - 1}"
            case TakenBackBy.RESTART:
                why = "as both agreed to begin anew"
            case _:
                why = "as it was taken back"
        turns = f"turn {self.first}" if self.first == self.last else f"turns {self.first} to {self.last}"
        return RecordedRun(
            f"Run {self.number}, {turns}, given up {why}", tuple(turn.text for turn in self.turns)
        )


def replayed_runs(
    record: GameRecord, rules: Game, states: Sequence[State], taken_back: Sequence[TakenBackTurn]
) -> tuple[Run, ...]:
    """Return the runs of a game in the order in which they were taken back.

    `states` are the states of the game, and `taken_back` the taken-back turns, ordered by run and number. Raises
    CorruptGame if one of these turns cannot have been played.
    """
    runs: list[Run] = []
    # A run was the end of the game when it was taken back. What came before it is still there, or was taken back
    # later. So the newest run is put back first, and each older one continues what the newer ones have restored.
    line = [*states]
    for rows in reversed([tuple(of_run) for _, of_run in groupby(taken_back, lambda row: row.branch)]):
        oldest, branch, how, at, ended_version = rows[0]
        first = oldest.number
        if first not in range(1, len(line) + 1):
            raise CorruptGame(fault_of(record, "number", oldest, branch))
        del line[first:]
        for due, row in enumerate(rows, first):
            if row.how not in tuple(TakenBackBy):
                fault = fault_of(record, "how", row.turn, branch)
                raise CorruptGame(replace(fault, value=str(row.how)))
            line.append(after(record, rules, line[-1], row.turn, due, branch))
        runs.append(Run(branch, how, at, ended_version, tuple(row.turn for row in rows), tuple(line[first:])))
    return tuple(reversed(runs))


_Kept = list[tuple[int, Seat]]
"""The number of turns that a take-back has left, and who took back."""


def take_backs(runs: Sequence[Run], agreed: tuple[TakenBackBy, int] | None = None) -> tuple[Seat, ...]:
    """Return who took back a turn by right, the oldest first, without what was undone since.

    Going back to a turn by consent also undoes the take-backs after it. Those before the next turn remain, because that
    is the board to which both go back. A new beginning undoes all. If both also `agreed` to go back, `agreed` is how,
    and the number of turns that are left. Raises ValueError for a damaged row.
    """
    kept: _Kept = []
    for run in runs:
        how, left = TakenBackBy(run.how), run.first - 1
        if how is TakenBackBy.RIGHT:
            kept = [(min(turns, left), seat) for turns, seat in kept] + [(left, Seat(run.turns[0].seat))]
        else:
            kept = _without_undone(kept, how, left)
    if agreed is not None:
        kept = _without_undone(kept, *agreed)
    return tuple(seat for _, seat in kept)


def _without_undone(kept: _Kept, how: TakenBackBy, left: int) -> _Kept:
    """Return the take-backs that remain when both have agreed to go back."""
    return [] if how is TakenBackBy.RESTART else [(turns, seat) for turns, seat in kept if turns <= left]
