"""Apply a legal ply to a position."""

from typing import assert_never

from takmail.games.tak.board import Square
from takmail.games.tak.judge import with_outcome
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.pieces import Color, Kind, Piece, Reserve, Stack
from takmail.games.tak.position import OPENING_PLIES, Position


def apply_move(position: Position, move: Move) -> Position:
    """Return the position after `move`, which must be legal, with its outcome."""
    match move:
        case Place():
            return _placed(position, move.kind, move.square)
        case Spread():
            return _spread(position, move)
        case _:
            assert_never(move)


def _placed(position: Position, kind: Kind, square: Square) -> Position:
    board, stacks, white, black, walls, capstones, tall, white_left, black_left, ply, komi, _ = position
    bit = 1 << square
    # The first two plies place one of the opponent's flats (Tak rules, Setting Up).
    is_white = bool(ply & 1) is (ply < OPENING_PLIES)
    if kind is Kind.FLAT:
        piece = Piece.WHITE_FLAT if is_white else Piece.BLACK_FLAT
    elif kind is Kind.WALL:
        piece = Piece.WHITE_WALL if is_white else Piece.BLACK_WALL
        walls |= bit
    else:
        piece = Piece.WHITE_CAPSTONE if is_white else Piece.BLACK_CAPSTONE
        capstones |= bit
    if is_white:
        white |= bit
        white_left = _without(white_left, kind)
    else:
        black |= bit
        black_left = _without(black_left, kind)
    grown = (*stacks[:square], (piece,), *stacks[square + 1 :])
    return with_outcome(
        Position(
            board, grown, white, black, walls, capstones, tall, white_left, black_left, ply + 1, komi, None
        ),
        bit,
    )


def _without(reserve: Reserve, kind: Kind) -> Reserve:
    if kind is Kind.CAPSTONE:
        return Reserve(reserve.stones, reserve.capstones - 1)
    return Reserve(reserve.stones - 1, reserve.capstones)


def _spread(position: Position, move: Spread) -> Position:
    board, stacks, white, black, walls, capstones, tall, white_left, black_left, ply, komi, _ = position
    piles = list(stacks)
    last = _move_pieces(piles, move, board.step[move.direction], walls)
    changed = occupied = whites = talls = 0
    for square in range(move.square, last, board.step[move.direction]):
        bit = 1 << square
        changed |= bit
        if pile := piles[square]:
            occupied |= bit
            if pile[-1].color is Color.WHITE:
                whites |= bit
            if len(pile) > 1:
                talls |= bit
    others = ~changed
    walls, capstones = walls & others, capstones & others
    # Only the top piece of the moved stack can be a wall or a capstone. That piece is now on the last space.
    top = stacks[move.square][-1].kind
    if top is Kind.WALL:
        walls |= bit
    elif top is Kind.CAPSTONE:
        capstones |= bit
    white, black = white & others | whites, black & others | occupied ^ whites
    tall = tall & others | talls
    grown = tuple(piles)
    return with_outcome(
        Position(
            board, grown, white, black, walls, capstones, tall, white_left, black_left, ply + 1, komi, None
        ),
        changed,
    )


def _move_pieces(piles: list[Stack], move: Spread, step: int, walls: int) -> int:
    """Move the pieces of `piles` in place, and return the index one step beyond the last space."""
    square: int = move.square
    stack = piles[square]
    at = len(stack) - sum(move.drops)
    piles[square] = stack[:at]
    for drop in move.drops:
        square += step
        under = piles[square]
        if walls >> square & 1:
            under = (*under[:-1], under[-1].flattened)  # Tak rules, Flattening Walls
        piles[square] = under + stack[at : at + drop]
        at += drop
    return square + step
