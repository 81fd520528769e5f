"""Plies: their types, the generation of legal plies, and their number."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import comb

from takmail.games.tak.board import Board, Direction, Ray, Square
from takmail.games.tak.pieces import Kind
from takmail.games.tak.position import OPENING_PLIES, Position


@dataclass(frozen=True, slots=True)
class Place:
    """The placement of a piece from the reserve on an empty space (Tak rules, Place)."""

    kind: Kind
    square: Square


@dataclass(frozen=True, slots=True)
class Spread:
    """A move of a stack, or of its upper part, in a straight line (Tak rules, Move).

    `drops` are the numbers of pieces left in each space, nearest space first. The pieces leave from the bottom of the
    hand. The sum of `drops` is the number of pieces taken.
    """

    square: Square
    direction: Direction
    drops: tuple[int, ...]


Move = Place | Spread
"""One ply, legal or not."""


def squares_of(board: Board, move: Move) -> tuple[Square, ...]:
    """Return the squares that a ply changes, in order. The first square of a stack move is its origin."""
    match move:
        case Place(square=at):
            return (at,)
        case Spread(square=at, direction=direction, drops=drops):
            return (at, *board.ray(at, direction).spaces[: len(drops)])


def legal_moves(position: Position) -> list[Move]:
    """Return all legal plies, in no particular order; none once the game is over."""
    if position.outcome is not None:
        return []
    moves: list[Move] = []
    for kind in kinds_at_hand(position):
        places = _places(position.board, kind)
        moves.extend(places[square] for square in _squares(_empty(position)))
    if position.ply >= OPENING_PLIES:
        for square in _squares(position.controlled(position.to_move)):
            moves.extend(spreads_from(position, square))
    return moves


def count_moves(position: Position) -> int:
    """Return the number of plies that `legal_moves` would return, computed from tables."""
    board, _, white, black, walls, capstones, tall, white_left, black_left, ply, _, outcome = position
    if outcome is not None:
        return 0
    empty = (board.full ^ white ^ black).bit_count()
    if ply < OPENING_PLIES:
        return empty
    mine, left = (black, black_left) if ply & 1 else (white, white_left)
    total = empty * ((2 if left[0] else 0) + (1 if left[1] else 0))
    blocked = walls | capstones
    free, stride = board.full ^ blocked, board.stride
    single = mine & ~tall
    # A single piece moves one space in four directions. Each shift counts the free neighbours of all single pieces in
    # one direction.
    total += (single << 1 & free).bit_count() + (single >> 1 & free).bit_count()
    total += (single << stride & free).bit_count() + (single >> stride & free).bit_count()
    crushers = single & capstones
    if crushers and walls:
        total += (crushers << 1 & walls).bit_count() + (crushers >> 1 & walls).bit_count()
        total += (crushers << stride & walls).bit_count() + (crushers >> stride & walls).bit_count()
    towers = mine & tall
    if towers:
        total += _count_tower_spreads(position, towers, blocked)
    return total


def _count_tower_spreads(position: Position, towers: int, blocked: int) -> int:
    board, stacks, walls, capstones = position.board, position.stacks, position.walls, position.capstones
    limit, rays, total = board.size, board.rays, 0
    counts, crushes = _spread_counts(limit), _crush_counts(limit)
    while towers:
        low = towers & -towers
        towers ^= low
        square = low.bit_length() - 1
        hand = len(stacks[square])
        if hand > limit:
            hand = limit
        row = counts[hand]
        for ray in rays[square]:
            distance, blocker = ray.reach[blocked & ray.mask]
            total += row[distance]
            if blocker & walls and low & capstones:
                total += crushes[hand][distance]
    return total


def spreads_from(position: Position, square: Square) -> Iterator[Spread]:
    """Yield all legal moves of the stack on `square`, by direction, as if the owner of the stack were to move."""
    for spreads in spreads_by_direction(position, square):
        yield from spreads


def spreads_by_direction(position: Position, square: Square) -> Iterator[tuple[Spread, ...]]:
    """Yield the moves of `spreads_from` for each direction in which there are any."""
    blocked = position.walls | position.capstones
    hand = min(len(position.stacks[square]), position.board.size)
    is_capstone = position.capstones >> square & 1
    for ray in position.board.rays[square]:
        distance, blocker = ray.reach[blocked & ray.mask]
        found = _spreads(ray, hand, distance) if distance else ()
        if is_capstone and blocker & position.walls:
            found += _crushes(ray, hand, distance)
        if found:
            yield found


def kinds_at_hand(position: Position) -> tuple[Kind, ...]:
    """Return the kinds of pieces that the next ply can place."""
    if position.in_opening:
        return (Kind.FLAT,)
    stones, capstones = position.reserve(position.to_move)
    return ((Kind.FLAT, Kind.WALL) if stones else ()) + ((Kind.CAPSTONE,) if capstones else ())


def _empty(position: Position) -> int:
    return position.board.full ^ position.white ^ position.black


def _squares(mask: int) -> Iterator[Square]:
    while mask:
        low = mask & -mask
        yield Square(low.bit_length() - 1)
        mask ^= low


@cache
def _places(board: Board, kind: Kind) -> tuple[Place, ...]:
    return tuple(Place(kind, Square(index)) for index in range(board.size * board.stride))


@cache
def _spreads(ray: Ray, hand: int, distance: int) -> tuple[Spread, ...]:
    return tuple(
        Spread(ray.square, ray.direction, drops)
        for spaces in range(1, distance + 1)
        for drops in spread_drops(hand, spaces)
    )


@cache
def _crushes(ray: Ray, hand: int, distance: int) -> tuple[Spread, ...]:
    """Return the spreads that fill `distance` spaces and end with the capstone alone on the wall behind them."""
    return tuple(Spread(ray.square, ray.direction, (*drops, 1)) for drops in spread_drops(hand - 1, distance))


def spread_drops(most: int, spaces: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to drop at most `most` pieces over `spaces` spaces, with at least one piece in each space."""
    if spaces == 0:
        yield ()
        return
    for first in range(1, most - spaces + 2):
        for rest in spread_drops(most - first, spaces - 1):
            yield (first, *rest)


@cache
def _spread_counts(limit: int) -> tuple[tuple[int, ...], ...]:
    """Return the number of spreads as a table, indexed by pieces in hand and by free spaces.

    `comb(hand, s)` spreads fill exactly `s` spaces.
    """
    return tuple(
        tuple(sum(comb(hand, spaces) for spaces in range(1, free + 1)) for free in range(limit))
        for hand in range(limit + 1)
    )


@cache
def _crush_counts(limit: int) -> tuple[tuple[int, ...], ...]:
    """Return the number of crushes as a table, indexed by pieces in hand and by free spaces before the wall.

    One piece, the capstone, is reserved for the wall.
    """
    return tuple(
        tuple(comb(hand - 1, free) if hand else 0 for free in range(limit)) for hand in range(limit + 1)
    )
