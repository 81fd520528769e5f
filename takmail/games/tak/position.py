"""Positions of Tak."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from takmail.games.tak.board import Board, Square, board_of
from takmail.games.tak.outcome import Outcome
from takmail.games.tak.pieces import Color, Kind, Piece, Reserve, Stack, full_reserve

OPENING_PLIES: Final = 2
"""The number of plies at the start that place one of the opponent's flats (Tak rules, Setting Up)."""


class Position(NamedTuple):
    """The board, the reserves and the side to move. Immutable.

    `stacks` has a stack for each index of `board`, the unused column included. The sets of squares are derived
    from `stacks` and updated with each ply. `white` and `black` are the squares that each side controls. `walls`
    and `capstones` are the squares with a wall or a capstone on top. `tall` are the squares with two or more
    pieces. `half_komi` is in half flats. `outcome` is None while the game continues. This is a NamedTuple, because
    creating one takes a third of the time of a frozen dataclass.
    """

    board: Board
    stacks: tuple[Stack, ...]
    white: int
    black: int
    walls: int
    capstones: int
    tall: int
    white_reserve: Reserve
    black_reserve: Reserve
    ply: int
    half_komi: int
    outcome: Outcome | None

    @property
    def size(self) -> int:
        """The width of the board."""
        return self.board.size

    @property
    def carry_limit(self) -> int:
        """The maximum number of pieces in a move (Tak rules, Carry Limit and Stack Height)."""
        return self.board.size

    @property
    def to_move(self) -> Color:
        """The side to move. In a finished game, the side that would move next."""
        return Color.BLACK if self.ply & 1 else Color.WHITE

    @property
    def in_opening(self) -> bool:
        """Whether the next ply places one of the opponent's flats."""
        return self.ply < OPENING_PLIES

    @property
    def color_placed(self) -> Color:
        """The side of the piece that the next ply places: the opponent's in the opening (Tak rules, Setting Up)."""
        return self.to_move.other if self.in_opening else self.to_move

    def reserve(self, color: Color) -> Reserve:
        """Return the pieces that `color` has not placed yet."""
        return self.white_reserve if color is Color.WHITE else self.black_reserve

    def controlled(self, color: Color) -> int:
        """Return the set of squares with a piece of `color` on top."""
        return self.white if color is Color.WHITE else self.black

    def whole(self, color: Color) -> Reserve:
        """Return all pieces of `color`, on the board and off it. No capstone is ever covered."""
        placed = (self.controlled(color) & self.capstones).bit_count()
        return Reserve(full_reserve(self.size).stones, self.reserve(color).capstones + placed)

    def flats(self, color: Color) -> int:
        """Return the number of `color`'s flats on top. Walls, capstones and covered stones don't count."""
        return (self.controlled(color) & ~self.walls & ~self.capstones).bit_count()


def empty_position(size: int, half_komi: int = 0, capstones: int | None = None) -> Position:
    """Return the position before the first ply. `capstones` are those of each player, None for the usual number."""
    whole = full_reserve(size, capstones)
    return position_of(size, {}, 0, half_komi, whole, whole)


def position_of(
    size: int,
    stacks: dict[Square, Stack],
    ply: int,
    half_komi: int,
    white_reserve: Reserve,
    black_reserve: Reserve,
) -> Position:
    """Return a position made from stacks. Its `outcome` is None, because this function doesn't compute it."""
    board = board_of(size)
    white = black = walls = capstones = tall = 0
    for square, stack in stacks.items():
        if not stack:
            continue
        bit = 1 << square
        white |= bit * (stack[-1].color is Color.WHITE)
        black |= bit * (stack[-1].color is Color.BLACK)
        walls |= bit * (stack[-1].kind is Kind.WALL)
        capstones |= bit * (stack[-1].kind is Kind.CAPSTONE)
        tall |= bit * (len(stack) > 1)
    return Position(
        board,
        tuple(stacks.get(Square(index), ()) for index in range(size * board.stride)),
        white,
        black,
        walls,
        capstones,
        tall,
        white_reserve,
        black_reserve,
        ply,
        half_komi,
        None,
    )


def reserve_left(size: int, stacks: Sequence[Stack], color: Color, capstones: int | None = None) -> Reserve:
    """Return the reserve of `color` if `stacks` are on the board. `capstones` are as in `empty_position`.

    Its counts are negative if there are too many pieces.
    """
    own = [piece for stack in stacks for piece in stack if piece.color is color]
    placed = sum(piece.kind is Kind.CAPSTONE for piece in own)
    whole = full_reserve(size, capstones)
    return Reserve(whole.stones - (len(own) - placed), whole.capstones - placed)


def pieces_of(color: Color) -> dict[Kind, Piece]:
    """Return the three pieces of `color` by kind."""
    return {piece.kind: piece for piece in Piece if piece.color is color}
