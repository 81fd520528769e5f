"""Define the sequence of pictures that letters show as an animation when a game is over."""

from collections.abc import Sequence
from dataclasses import dataclass

from takmail.commands.game.table import Table
from takmail.games.interface import Result, State
from takmail.games.picture import Scene

MOST_TURNS = 80
"""The maximum number of turns that a letter animates. Each takes 3 to 5 KB."""
_FEWEST_TURNS = 2


@dataclass(frozen=True, slots=True)
class Frames:
    """The last `turns` turns of a finished game, after the first `before`."""

    before: int
    turns: int
    table: Table

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The final picture, then the one before the turns shown and one after each of them.

        Some mail programs show only the first picture of an animation, and an empty board would be useless.
        """
        played = tuple(turn.text for turn in self.table.turns)
        shown = scenes(self.table.states, played, self.table.result, self.before, self.before + self.turns)
        return (shown[-1], *shown)


def frames_of(table: Table) -> Frames | None:
    """Return the frames of a game, None if it is too short or its positions are unknown, as in a relay game."""
    count = len(table.turns)
    if not table.keeps_board or count < _FEWEST_TURNS:
        return None
    before = max(0, count - MOST_TURNS)
    return Frames(before, count - before, table)


def scenes(
    states: Sequence[State], turns: Sequence[str], result: Result | None, first: int, last: int
) -> tuple[Scene, ...]:
    """Return the pictures after the turns `first` to `last`, both included. 0 is the start.

    `turns` are those between the states, in canonical form. `result` is how the players ended the game, if they did.
    """
    return tuple(
        states[at].picture(turns[at - 1] if at else None, result if at == len(turns) else None)
        for at in range(first, last + 1)
    )
