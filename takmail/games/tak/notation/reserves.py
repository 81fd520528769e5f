"""Compute the reserves from the pieces on a board, because no notation contains the reserves."""

from collections.abc import Mapping

from takmail.games.tak.board import Square
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.pieces import Color, Reserve, Stack
from takmail.games.tak.position import reserve_left


def reserves_beside(size: int, stacks: Mapping[Square, Stack]) -> tuple[Reserve, Reserve]:
    """Return White's reserve and Black's if `stacks` are on the board.

    Raises `NotationError` (`too-many-pieces`) if a count would be negative.
    """
    return _left(size, stacks, Color.WHITE), _left(size, stacks, Color.BLACK)


def _left(size: int, stacks: Mapping[Square, Stack], color: Color) -> Reserve:
    left = reserve_left(size, tuple(stacks.values()), color)
    if min(left) < 0:
        raise NotationError(
            "too-many-pieces", color=color.value, stones=left.stones, capstones=left.capstones
        )
    return left
