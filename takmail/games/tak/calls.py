"""Tak and tinue: what the player who has just moved could do next."""

from functools import lru_cache

from takmail.games.tak.apply import apply_move
from takmail.games.tak.moves import Move, legal_moves
from takmail.games.tak.outcome import EndedBy
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import OPENING_PLIES, Position

_MAX_CACHED = 2_000
"""The maximum number of cached positions: those after the calls of tak of some games."""


@lru_cache(_MAX_CACHED)
def is_tak(position: Position) -> bool:
    """Return whether the player who has just moved could make a road if it were their turn again.

    It is never tak in the opening, nor when the game is over. The results are cached, as each letter of a game for
    coins asks about all calls of the game, and one answer can take 70 ms on 8x8.
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
    return any(_won_by_road(apply_move(position, move), mover) for move in legal_moves(position))


def _won_by_road(position: Position, color: Color) -> bool:
    outcome = position.outcome
    return outcome is not None and outcome.ended_by is EndedBy.ROAD and outcome.winner is color
