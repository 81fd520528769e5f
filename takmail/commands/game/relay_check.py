"""Check the moves of a relay game against the rules on request. Otherwise takmail only forwards them."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.commands.records import Turn
from takmail.games.interface import Branch, Reason, Refused, Seat, State


@dataclass(frozen=True, slots=True)
class Course:
    """The moves of a game that keeps no board, and how far they are legal.

    * `turns` are those that count. If a player sent several in a row, the last one counts and the others are
      `replaced`.
    * `states[n]` is the state after n of the turns, up to the first illegal move
    * `broken_turn` is that move, None if all are legal
    * `reason` is the rule that it breaks, None if it was the opponent's turn
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
        """The last legal move before any illegal one, None if there is none."""
        legal_count = len(self.states) - 1
        return self.turns[legal_count - 1] if legal_count else None

    @property
    def in_turn(self) -> tuple[Turn, ...]:
        """The moves that count while the players alternate, legal or not. Empty if the wrong player began."""
        begins_wrongly = bool(self.turns) and self.turns[0].seat != self.states[0].to_move
        return () if begins_wrongly else self.turns

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The replaced moves, as branches of the moves in `in_turn`."""
        if not self.in_turn:
            return ()
        before = {one.number: sum(turn.number < one.number for turn in self.turns) for one in self.replaced}
        return tuple(
            Branch(before[one.number], (one.text,), "as another one was sent in its place")
            for one in self.replaced
        )


def course_of(start: State, turns: Sequence[Turn]) -> Course:
    """Check the moves of a game that keeps no board, from the state before the first. Never raises."""
    counted, replaced = _split_replaced(turns)
    states = [start]
    for turn in counted:
        if states[-1].to_move != Seat(turn.seat):
            return Course(counted, replaced, tuple(states), turn)
        try:
            states.append(states[-1].play(turn.text))
        except Refused as refused:
            return Course(counted, replaced, tuple(states), turn, refused.reason)
    return Course(counted, replaced, tuple(states))


def _split_replaced(turns: Sequence[Turn]) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    """Return the moves that count, and those that the same player replaced."""
    counted: list[Turn] = []
    replaced: list[Turn] = []
    for at, turn in enumerate(turns):
        is_last_of_row = at + 1 == len(turns) or turns[at + 1].seat != turn.seat
        (counted if is_last_of_row else replaced).append(turn)
    return tuple(counted), tuple(replaced)
