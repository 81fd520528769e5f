"""Find the road that has won a game."""

from takmail.games.tak.board import Square
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.position import Position


def winning_road(position: Position) -> tuple[Square, ...]:
    """Return the squares of the winner's shortest road from edge to edge, in order; empty if no road has won.

    If several roads are equally short, the first from the north or the west is returned.
    """
    outcome = position.outcome
    if outcome is None or outcome.ended_by is not EndedBy.ROAD or outcome.winner is None:
        return ()
    board = position.board
    squares = position.controlled(outcome.winner) & ~position.walls
    ways = (
        _shortest(position, squares, board.north, board.south),
        _shortest(position, squares, board.west, board.east),
    )
    return min((way for way in ways if way), key=len)


def _shortest(position: Position, squares: int, start: int, end: int) -> tuple[Square, ...]:
    """Return the shortest way over `squares` from the set `start` to the set `end`; empty if there is none."""
    board = position.board
    before: dict[Square, Square | None] = {one: None for one in board.squares if (squares & start) >> one & 1}
    waiting = list(before)
    for square in waiting:  # The queue grows during the iteration, and the nearest squares come first.
        if end >> square & 1:
            return _way_back(before, square)
        for step in board.step.values():
            neighbour = Square(square + step)
            if neighbour >= 0 and squares >> neighbour & 1 and neighbour not in before:
                before[neighbour] = square
                waiting.append(neighbour)
    return ()


def _way_back(before: dict[Square, Square | None], last: Square) -> tuple[Square, ...]:
    way = [last]
    while (square := before[way[-1]]) is not None:
        way.append(square)
    return tuple(reversed(way))
