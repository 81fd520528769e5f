"""Find the squares of a completed road (Tak rules, The Goal)."""

from dataclasses import dataclass

from takmail.games.tak.board import Board, Direction, Square
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import Position


@dataclass(frozen=True, slots=True)
class Road:
    """Adjacent squares in order that join two opposite edges, from the edge `start` (north or west) to `end`."""

    squares: tuple[Square, ...]
    start: Direction
    end: Direction


def road_of(position: Position, color: Color) -> Road | None:
    """Return a shortest road of `color`, or None; of several, the first from the north-west."""
    board, squares = position.board, position.controlled(color) & ~position.walls
    down = shortest(board, squares, board.north, board.south)
    across = shortest(board, squares, board.west, board.east)
    if down and (not across or len(down) <= len(across)):
        return Road(down, Direction.NORTH, Direction.SOUTH)
    return Road(across, Direction.WEST, Direction.EAST) if across else None


def shortest(board: Board, squares: int, near: int, far: int) -> tuple[Square, ...]:
    """Return the fewest `squares` that lead from the edge `near` to the edge `far`; none if there is no way."""
    rings = [squares & near]
    reached = rings[0]
    while rings[-1] and not rings[-1] & far:
        rings.append(_neighbours(board, rings[-1]) & squares & ~reached)
        reached |= rings[-1]
    if not rings[-1]:
        return ()
    way = [_first(rings.pop() & far)]
    while rings:
        way.append(_first(_neighbours(board, 1 << way[-1]) & rings.pop()))
    return tuple(reversed(way))


def _neighbours(board: Board, squares: int) -> int:
    """Return the squares that share an edge with any of `squares`."""
    return (squares << 1 | squares >> 1 | squares << board.stride | squares >> board.stride) & board.full


def _first(squares: int) -> Square:
    return Square((squares & -squares).bit_length() - 1)
