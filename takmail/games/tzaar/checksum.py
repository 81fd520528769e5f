"""Checksums of positions, short enough to be read aloud and compared by eye."""

from hashlib import sha256

from takmail.games.tzaar.pieces import Color
from takmail.games.tzaar.position import Position, write_stacks

_LETTERS = "23456789abcdefghijkmnpqrstuvwxyz"  # without 0, 1, l and o, which look alike
_BITS, _GROUP = 30, 3


def checksum(position: Position) -> str:
    """Return two groups of three characters, such as `k7m-3fx`, equal for the same board and side to move.

    Any program can compute the checksum: take the columns of the position on one line, a space, and `w` or `b` for
    the side to move, then the first 30 bits of the SHA-256 of these ASCII characters. Each group of five bits is an
    index, from 0, into `23456789abcdefghijkmnpqrstuvwxyz`. Put a hyphen in the middle.
    """
    side = "w" if position.to_move is Color.WHITE else "b"
    digest = sha256(f"{write_stacks(position.stacks)} {side}".encode("ascii")).digest()
    bits = int.from_bytes(digest[:4], "big") >> 32 - _BITS
    letters = "".join(_LETTERS[bits >> at & 31] for at in range(_BITS - 5, -1, -5))
    return f"{letters[:_GROUP]}-{letters[_GROUP:]}"
