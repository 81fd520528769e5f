"""Judge a position that is not over, by terms that are quick to count."""

from typing import Final

from takmail.games.tak.bot.bits import Bits, Layout

FLAT_VALUE: Final = 100
"""The value of a flat on top. All others are in this unit."""

_TEMPO: Final = 35
_PAIR: Final = 2
_THREE: Final = 13
_CENTER: Final = 19
_WALL: Final = 20
_CAPSTONE: Final = 175
_FLAT_SUPPORT: Final = 100
_FLAT_CAPTIVE: Final = -50
_WALL_SUPPORT: Final = 25
_WALL_CAPTIVE: Final = -8
_CAPSTONE_SUPPORT: Final = 122
_CAPSTONE_CAPTIVE: Final = -30


def evaluate(layout: Layout, bits: Bits) -> int:
    """Return how good a position is for the player to move."""
    white, black, walls, caps, stacks, ply = bits[0], bits[1], bits[2], bits[3], bits[4], bits[9]
    stride = layout.stride
    flats = ~(walls | caps)
    white_flats, black_flats = (white & flats).bit_count(), (black & flats).bit_count()
    score = FLAT_VALUE * (white_flats - black_flats)
    white_road, black_road = white & ~walls, black & ~walls
    rows, columns = white_road & white_road << 1, white_road & white_road << stride
    pairs = rows.bit_count() + columns.bit_count()
    threes = (rows & rows << 1).bit_count() + (columns & columns << stride).bit_count()
    rows, columns = black_road & black_road << 1, black_road & black_road << stride
    pairs -= rows.bit_count() + columns.bit_count()
    threes -= (rows & rows << 1).bit_count() + (columns & columns << stride).bit_count()
    score += _PAIR * pairs + _THREE * threes
    if walls:
        score += _WALL * ((white & walls).bit_count() - (black & walls).bit_count())
    if caps:
        score += _CAPSTONE * ((white & caps).bit_count() - (black & caps).bit_count())
    for ring in layout.rings:
        score += _CENTER * ((white_road & ring).bit_count() - (black_road & ring).bit_count())
    square = 1
    for stack in stacks:
        if stack > 3:
            support, captive = _FLAT_SUPPORT, _FLAT_CAPTIVE
            if walls & square:
                support, captive = _WALL_SUPPORT, _WALL_CAPTIVE
            elif caps & square:
                support, captive = _CAPSTONE_SUPPORT, _CAPSTONE_CAPTIVE
            black_pieces = stack.bit_count() - 1
            white_pieces = stack.bit_length() - 1 - black_pieces
            if stack & 1:
                score -= support * (black_pieces - 1) + captive * white_pieces
            else:
                score += support * (white_pieces - 1) + captive * black_pieces
        square <<= 1
    filled = (white | black).bit_count()
    score -= layout.half_komi * FLAT_VALUE * filled // (2 * layout.size * layout.size)
    return (-score if ply & 1 else score) + _TEMPO
