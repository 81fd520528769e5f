"""Find the road that has won a game."""

from takmail.games.tak.board import Square
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.position import Position


def winning_road(position: Position) -> tuple[Square, ...]:
    """Return the winner's shortest road from edge to edge, in order; empty if no road has won.

    If several are equally short, it is the first from the north or the west.
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
    """Return the shortest way over `squares` from one set of squares to another; empty if there is none."""
    board = position.board
    before: dict[Square, Square | None] = {one: None for one in board.squares if (squares & start) >> one & 1}
    waiting = list(before)
    for square in waiting:  # a queue that grows during the iteration: the nearest squares first
        if end >> square & 1:
            return _way_back(before, square)
        for step in board.step.values():
            beside = Square(square + step)
            if beside >= 0 and squares >> beside & 1 and beside not in before:
                before[beside] = square
                waiting.append(beside)
    return ()


def _way_back(before: dict[Square, Square | None], last: Square) -> tuple[Square, ...]:
    way = [last]
    while (square := before[way[-1]]) is not None:
        way.append(square)
    return tuple(reversed(way))
