"""The position that a legal ply leads to."""

from typing import assert_never

from takmail.games.tak.board import Square
from takmail.games.tak.judge import judged
from takmail.games.tak.moves import Move, Place, Spread
from takmail.games.tak.pieces import Color, Kind, Piece, Reserve
from takmail.games.tak.position import OPENING_PLIES, Position


def after(position: Position, move: Move) -> Position:
    """Play `move` and judge what comes of it; `move` must be legal, nothing is checked here."""
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
    # The first two plies place the opponent's flat (Tak rules, Setting Up).
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
    return judged(
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
    square: int = move.square
    drops = move.drops
    step = board.step[move.direction]
    stack = stacks[square]
    at = len(stack) - sum(drops)
    changed = bit = 1 << square
    piles = list(stacks)
    piles[square] = stack[:at]
    whites = 0
    talls = bit if at > 1 else 0
    if at and stack[at - 1].color is Color.WHITE:
        whites = bit
    for drop in drops:
        square += step
        bit = 1 << square
        changed |= bit
        under = piles[square]
        if walls & bit:
            under = (*under[:-1], under[-1].flattened)  # Tak rules, Flattening Walls
        piles[square] = pile = under + stack[at : at + drop]
        at += drop
        if pile[-1].color is Color.WHITE:
            whites |= bit
        if len(pile) > 1:
            talls |= bit
    # Only the old top can be a wall or a capstone, and it lies now on the last space.
    others = ~changed
    top = stack[-1].kind
    walls = walls & others | (bit if top is Kind.WALL else 0)
    capstones = capstones & others | (bit if top is Kind.CAPSTONE else 0)
    occupied = changed if piles[move.square] else changed ^ 1 << move.square
    return judged(
        Position(
            board,
            tuple(piles),
            white & others | whites,
            black & others | occupied ^ whites,
            walls,
            capstones,
            tall & others | talls,
            white_left,
            black_left,
            ply + 1,
            komi,
            None,
        ),
        changed,
    )
