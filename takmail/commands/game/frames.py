"""Define the pictures of an animation."""

from collections.abc import Sequence

from takmail.games.interface import Result, State
from takmail.games.picture import Scene


def scenes(self) -> tuple[Scene, ...]:
        """The pictures of the animation.

        They are the final board, the board before the first turn shown, and the board after each turn. The final board
        comes first, because some mail programs show only the first picture.
        """
        played = tuple(turn.text for turn in self.table.turns)
        shown = scenes(self.table.states, played, self.table.result, self.before, self.before + self.turns)
        return (shown[-1], *shown)


def frames_of(table: Table) -> Frames | None:
    """Return the animation of a game.

    Return None if the game is too short, or a relay game, whose boards are unknown.
    """
    count = len(table.turns)
    if not table.keeps_board or count < _FEWEST_TURNS:
        return None
    before = max(0, count - MAX_ANIMATED_TURNS)
    return Frames(before, count - before, table)


def scenes(
    states: Sequence[State], turns: Sequence[str], result: Result | None, first: int, last: int
) -> tuple[Scene, ...]:
    """Return the pictures after turn `first` to turn `last`, both included. 0 is the board before the first turn.

    `turns` are all turns of the game in canonical form. `result` is how the players ended the game, None if they did
    not.
    """
    return tuple(
        states[at].picture(turns[at - 1] if at else None, result if at == len(turns) else None)
        for at in range(first, last + 1)
    )
