"""Compute the reserves from the pieces on a board, because no notation contains the reserves."""

from collections.abc import Mapping

from takmail.games.tak.board import Square
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.pieces import Color, Reserve, Stack
from takmail.games.tak.position import reserve_left


def reserves_beside(
    size: int, stacks: Mapping[Square, Stack], capstones: int | None = None
) -> tuple[Reserve, Reserve]:
    """Return White's reserve and Black's if `stacks` are on the board. `capstones` are as in `empty_position`.

    Raises `NotationError` (`too-many-pieces`) if a count would be negative.
    """
    return _left(size, stacks, Color.WHITE, capstones), _left(size, stacks, Color.BLACK, capstones)


def _left(size: int, stacks: Mapping[Square, Stack], color: Color, capstones: int | None) -> Reserve:
    left = reserve_left(size, tuple(stacks.values()), color, capstones)
    if min(left) < 0:
        raise NotationError(
            "too-many-pieces", color=color.value, stones=left.stones, capstones=left.capstones
        )
    return left
