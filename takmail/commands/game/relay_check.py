"""Judge a relay game by its rules, when somebody asks: takmail only passes the moves on otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.commands.records import Turn
from takmail.games.interface import Branch, Reason, Refused, Seat, State


@dataclass(frozen=True, slots=True)
class Course:
    """The moves of a game that keeps no board, and how far they keep the rules.

    `turns` are those that count: of several in a row by one player the last is meant in place of the others, which
    are `replaced`. `states[n]` is how the game stands after n of them, as far as they keep the rules. `broken` is the
    first that doesn't, None: they all do; `reason` is the rule that it breaks, None: it was the other one's turn.
    """

    turns: tuple[Turn, ...]
    replaced: tuple[Turn, ...]
    states: tuple[State, ...]
    broken: Turn | None = None
    reason: Reason | None = None

    @property
    def state(self) -> State:
        """How the game stands after the last move that keeps the rules."""
        return self.states[-1]

    @property
    def last(self) -> Turn | None:
        """The last move up to which the rules are kept, None: there is none."""
        kept = len(self.states) - 1
        return self.turns[kept - 1] if kept else None

    @property
    def in_turn(self) -> tuple[Turn, ...]:
        """The moves that count as long as the players take turns, legal or not; none if the wrong one began."""
        begins_wrongly = bool(self.turns) and self.turns[0].seat != self.states[0].to_move
        return () if begins_wrongly else self.turns

    @property
    def branches(self) -> tuple[Branch, ...]:
        """What was replaced, beside the moves of `in_turn`."""
        if not self.in_turn:
            return ()
        before = {one.number: sum(turn.number < one.number for turn in self.turns) for one in self.replaced}
        return tuple(
            Branch(before[one.number], (one.text,), "as another one was sent in its place")
            for one in self.replaced
        )


def course_of(start: State, turns: Sequence[Turn]) -> Course:
    """Read the moves of a game that keeps no board over by the rules, from the state before the first; never raises."""
    counted, replaced = _counted(turns)
    states = [start]
    for turn in counted:
        if states[-1].to_move != Seat(turn.seat):
            return Course(counted, replaced, tuple(states), turn)
        try:
            states.append(states[-1].play(turn.text))
        except Refused as refused:
            return Course(counted, replaced, tuple(states), turn, refused.reason)
    return Course(counted, replaced, tuple(states))


def _counted(turns: Sequence[Turn]) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
    """The moves that count, and those in whose place the same player has sent another one."""
    counted: list[Turn] = []
    replaced: list[Turn] = []
    for at, turn in enumerate(turns):
        is_last_of_row = at + 1 == len(turns) or turns[at + 1].seat != turn.seat
        (counted if is_last_of_row else replaced).append(turn)
    return tuple(counted), tuple(replaced)
