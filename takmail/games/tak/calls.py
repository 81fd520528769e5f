"""Tak and tinue: what the player who has just moved could do next."""

from collections.abc import Iterator
from functools import lru_cache

from takmail.games.tak.apply import apply_move
from takmail.games.tak.judge import has_road
from takmail.games.tak.moves import Move, Place, kinds_at_hand, legal_moves, spreads_by_direction
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.pieces import Color, Kind
from takmail.games.tak.position import OPENING_PLIES, Position

_MAX_CACHED = 100
"""The maximum number of cached positions, because a mail and its letters ask about the same call several times."""


@lru_cache(_MAX_CACHED)
def is_tak(position: Position) -> bool:
    """Return whether the player who has just moved could make a road if it were their turn again.

    It is never tak in the opening, nor when the game is over.
    """
    if position.outcome is not None or position.ply <= OPENING_PLIES:
        return False
    return _can_make_road(position._replace(ply=position.ply + 1))


def is_tinue(position: Position) -> bool:
    """Return whether the player who has just moved can make a road next turn, whatever the opponent replies.

    This takes as many boards as there are replies times turns, about 10,000 on 5x5. No letter uses it: in a running
    game it would be advice.
    """
    return is_tak(position) and not any(is_parry(position, reply) for reply in legal_moves(position))


def is_parry(position: Position, reply: Move) -> bool:
    """Return whether the caller can make no road in the turn after `reply`.

    A reply that ends the game is a parry, except one that makes only the caller's road.
    """
    caller = position.to_move.other
    after = apply_move(position, reply)
    return not _can_make_road(after) if after.outcome is None else not _won_by_road(after, caller)


def _can_make_road(position: Position) -> bool:
    mover = position.to_move
    return any(_won_by_road(apply_move(position, move), mover) for move in _towards_road(position))


def _towards_road(position: Position) -> Iterator[Move]:
    """Yield the legal moves that might make a road of the player to move, which has none.

    A move gains at most the squares that it changes. If there is no road even with all of them, neither the move nor
    any other from this square in this direction makes one.
    """
    board, mine = position.board, position.controlled(position.to_move)
    road = mine & ~position.walls
    kinds = [kind for kind in kinds_at_hand(position) if kind is not Kind.WALL]
    for square in board.squares:
        bit = 1 << square
        if not (position.white | position.black) & bit:
            if kinds and has_road(board, road | bit, bit):
                yield Place(kinds[0], square)
        elif mine & bit:
            for spreads in spreads_by_direction(position, square):
                gained = bit | board.ray(square, spreads[0].direction).mask
                if has_road(board, road | gained, gained):
                    yield from spreads


def _won_by_road(position: Position, color: Color) -> bool:
    outcome = position.outcome
    return outcome is not None and outcome.ended_by is EndedBy.ROAD and outcome.winner is color
