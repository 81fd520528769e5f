"""Checksums of positions, short enough to be read aloud and compared by eye."""

from hashlib import sha256

from takmail.games.tak.notation import rs
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import Position

_LETTERS = "23456789abcdefghijkmnpqrstuvwxyz"  # without 0, 1, l and o, which look alike
_GROUPS, _IN_A_GROUP = 2, 3


def board_text(position: Position) -> str:
    """Return the board on one line in Tak by Mail notation: the rows from the north, joined by `/`.

    The spots of a row are separated by single spaces.
    """
    return "/".join(rs.write(position, aligned=False))


def checksum(position: Position) -> str:
    """Return two groups of three characters, such as `k7m-3fx`, which are equal for the same board and side to move.

    Any program can compute the checksum. Take the rows of the board in Tak by Mail notation (Tak by Mail Rules,
    rs), with single spaces between the spots, joined by `/`. Append a space and `w` or `b` for the side to move, as
    in `s 0 0/0 Ss 0/0 0 0 w`. Take the first 30 bits of the SHA-256 of these ASCII characters. Each group of five
    bits is an index, from 0, into `23456789abcdefghijkmnpqrstuvwxyz`. Put a hyphen in the middle.
    """
    side = "w" if position.to_move is Color.WHITE else "b"
    digest = sha256(f"{board_text(position)} {side}".encode("ascii")).digest()
    bits = int.from_bytes(digest[:4], "big") >> 2
    count = _GROUPS * _IN_A_GROUP
    letters = "".join(_LETTERS[bits >> 5 * (count - 1 - at) & 31] for at in range(count))
    return f"{letters[:_IN_A_GROUP]}-{letters[_IN_A_GROUP:]}"
