"""Define the pictures of an animation."""

from collections.abc import Sequence

from takmail.games.interface import Result, State
from takmail.games.picture import Scene


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
