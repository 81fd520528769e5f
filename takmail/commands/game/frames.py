"""A game as pictures one after the other, which letters show as an animation once it is over."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.commands.game.table import Table
from takmail.games.interface import Result, State
from takmail.games.picture import Scene

MOST_TURNS = 80
"""How many turns a letter shows at the most, as each of them takes 3 to 5 KB."""
_FEWEST_TURNS = 2


@dataclass(frozen=True, slots=True)
class Frames:
    """The last turns of a game that is over: `turns` of them, after the first `before`."""

    before: int
    turns: int
    table: Table

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The last picture, then that before the turns shown and one after each of them.

        Some mail programs show no more than the first picture of an animation, and an empty board says nothing.
        """
        played = tuple(turn.text for turn in self.table.turns)
        shown = scenes(self.table.states, played, self.table.result, self.before, self.before + self.turns)
        return (shown[-1], *shown)


def frames_of(table: Table) -> Frames | None:
    """What there is to show of a game; None: too little, or nobody knows its positions, as in a relay game."""
    count = len(table.turns)
    if not table.keeps_board or count < _FEWEST_TURNS:
        return None
    before = max(0, count - MOST_TURNS)
    return Frames(before, count - before, table)


def scenes(
    states: Sequence[State], turns: Sequence[str], result: Result | None, first: int, last: int
) -> tuple[Scene, ...]:
    """The pictures after the turns from `first` up to and with `last`; 0 is the start.

    `turns` are those between the states, in canonical form; `result` is how people have ended the game, if they have.
    """
    return tuple(
        states[at].picture(turns[at - 1] if at else None, result if at == len(turns) else None)
        for at in range(first, last + 1)
    )
