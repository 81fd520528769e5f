"""Check the moves of a relay game against the rules. This is done only when a player asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from takmail.games.interface import Reason, RecordedRun, Refused, Seat, State
from takmail.world.records import Turn


@dataclass(frozen=True, slots=True)
class Course:
    """The moves of a game that keeps no board, and how many of them are legal.

    * `turns` are the moves that count. If a player sent several moves in a row, only the last one counts.
    * `replaced` are the other moves
    * `states[n]` is the state after the first n of `turns`. The last state is that before the first illegal move.
    * `broken_turn` is the first illegal move, None if all are legal
    * `reason` is the rule that `broken_turn` breaks, None if it was the opponent's turn
    """

    turns: tuple[Turn, ...]
    replaced: tuple[Turn, ...]
    states: tuple[State, ...]
    broken_turn: Turn | None = None
    reason: Reason | None = None

    @property
    def state(self) -> State:
        """The state after the last legal move."""
        return self.states[-1]

    @property
    def last(self) -> Turn | None:
        """The last move before the first illegal one, None if there is none."""
        legal_count = len(self.states) - 1
        return self.turns[legal_count - 1] if legal_count else None

    @property
    def in_turn(self) -> tuple[Turn, ...]:
        """The moves that count, legal or not. Empty if the wrong player began."""
        begins_wrongly = bool(self.turns) and self.turns[0].seat != self.states[0].to_move
        return () if begins_wrongly else self.turns

    @property
    def replaced_runs(self) -> tuple[RecordedRun, ...]:
        """The replaced moves, as the record of the moves in `in_turn` shows them."""
        if not self.in_turn:
            return ()
        return tuple(
            RecordedRun(f"Turn {turn.number}, given up as another one was sent in its place", (turn.text,))
            for turn in self.replaced
        )


def course_of(start: State, turns: Sequence[Turn]) -> Course:
    """Check the moves of a game that keeps no board. `start` is the state before the first move. Never raises."""
    replaced = tuple(turn for turn, following in pairwise(turns) if turn.seat == following.seat)
    counted = tuple(turn for turn, following in pairwise(turns) if turn.seat != following.seat)
    counted += tuple(turns[-1:])
    states = [start]
    for turn in counted:
        if states[-1].to_move != Seat(turn.seat):
            return Course(counted, replaced, tuple(states), turn)
        try:
            states.append(states[-1].play(turn.text))
        except Refused as refused:
            return Course(counted, replaced, tuple(states), turn, refused.reason)
    return Course(counted, replaced, tuple(states))
