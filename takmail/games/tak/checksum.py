"""A few letters for a position, to be read aloud and compared by eye."""

from hashlib import sha256

from takmail.games.tak.notation import rs
from takmail.games.tak.pieces import Color
from takmail.games.tak.position import Position

_LETTERS = "23456789abcdefghijkmnpqrstuvwxyz"  # neither 0 and 1 nor the letters that look like them
_GROUPS, _IN_A_GROUP = 2, 3


def board_text(position: Position) -> str:
    """The board by the book on one line: its rows from the north joined by `/`, single spaces in them."""
    return "/".join(rs.write(position, aligned=False))


def checksum(position: Position) -> str:
    """Two groups of three letters and digits such as `k7m-3fx`, the same for the same board and side to move.

    Any program can find it: take the rows of the board by the book (Tak by Mail Rules, rs), single spaces between
    the spots, joined by `/`; add a space and `w` or `b` for whose ply it is, as in `s 0 0/0 Ss 0/0 0 0 w`. Of the
    SHA-256 of these ASCII characters take the first 30 bits, five at a time: each group counts along
    `23456789abcdefghijkmnpqrstuvwxyz`, 0 being `2`. A hyphen stands in the middle.
    """
    side = "w" if position.to_move is Color.WHITE else "b"
    digest = sha256(f"{board_text(position)} {side}".encode("ascii")).digest()
    bits = int.from_bytes(digest[:4], "big") >> 2
    count = _GROUPS * _IN_A_GROUP
    letters = "".join(_LETTERS[bits >> 5 * (count - 1 - at) & 31] for at in range(count))
    return f"{letters[:_IN_A_GROUP]}-{letters[_IN_A_GROUP:]}"
