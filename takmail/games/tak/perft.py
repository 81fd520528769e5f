"""Perft: count the games of a given length, to compare the move generator with those of other engines."""

from takmail.games.tak.apply import apply_move
from takmail.games.tak.moves import count_moves, legal_moves
from takmail.games.tak.position import Position


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` plies; games that end earlier don't count.

    The last ply of each sequence is counted without being played.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return count_moves(position)
    if depth == 2:
        return sum([count_moves(apply_move(position, move)) for move in legal_moves(position)])
    return sum([perft(apply_move(position, move), depth - 1) for move in legal_moves(position)])
