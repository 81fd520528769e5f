"""Determine whether a position ends the game, and who has won."""

from takmail.games.tak.board import Board
from takmail.games.tak.outcome import EndedBy, Outcome
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import Position


def with_outcome(position: Position, changed: int | None = None) -> Position:
    """Return the position with its outcome.

    `changed` are the squares that the last ply changed. It may be given only if the position before that ply had
    no road. A new road passes through a changed square, so the search starts at these squares. Without `changed`
    the whole board is searched.
    """
    board, _, white, black, walls, _, _, white_left, black_left, _, _, _ = position
    seeds = board.full if changed is None else changed
    white_road = has_road(board, white & ~walls, seeds)
    black_road = has_road(board, black & ~walls, seeds)
    if white_road or black_road:
        # If both sides have a road, the player who made the move wins (Tak rules, Double Road).
        mover = position.to_move.other
        owner = Color.WHITE if white_road else Color.BLACK
        both = white_road and black_road
        return _ended(position, EndedBy.ROAD, mover if both else owner, both)
    if white | black == board.full:
        return _ended(position, EndedBy.FULL, _leader_in_flats(position))
    if not (white_left[0] or white_left[1]) or not (black_left[0] or black_left[1]):
        return _ended(position, EndedBy.RESERVES, _leader_in_flats(position))
    return position


def has_road(board: Board, squares: int, seeds: int) -> bool:
    """Return whether `squares` contain a road through one of `seeds` (Tak rules, The Goal).

    Spaces connect only by their edges, and a road may turn. If `seeds` are all squares, any road counts.
    """
    reached = squares & seeds
    if not reached:
        return False
    reached = _flood(reached, squares, board.stride)
    across = reached & board.west and reached & board.east
    down = reached & board.north and reached & board.south
    if not across and not down:
        return False
    # Different groups may touch the two edges. Only a single group that touches both edges is a road.
    if down and _flood(reached & board.north, reached, board.stride) & board.south:
        return True
    return bool(across and _flood(reached & board.west, reached, board.stride) & board.east)


def _flood(reached: int, squares: int, stride: int) -> int:
    while True:
        grown = (reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride) & squares
        if grown == reached:
            return reached
        reached = grown


def _leader_in_flats(position: Position) -> Color | None:
    """Return the side with more flats on top, komi included; None for a tie (Tak rules, Flat Win)."""
    lead = 2 * (position.flats(Color.WHITE) - position.flats(Color.BLACK)) - position.half_komi
    if lead == 0:
        return None
    return Color.WHITE if lead > 0 else Color.BLACK


def _ended(position: Position, how: EndedBy, winner: Color | None, double_road: bool = False) -> Position:
    return position._replace(
        outcome=Outcome(
            winner,
            how,
            double_road,
            position.flats(Color.WHITE),
            position.flats(Color.BLACK),
            position.half_komi,
        )
    )
