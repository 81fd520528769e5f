"""Judge a position that is not over, by terms that are quick to count."""

from functools import cache

from takmail.games.tak.bot.bits import Bits, Layout

FLAT_VALUE = 100
"""The value of a flat on top. All others are in this unit."""

_TEMPO = 35
_PAIR = 2
_THREE = 13
_CENTER = 19
_WALL = 20
_CAPSTONE = 175
_SUPPORT = {0: 100, 1: 25, 2: 122}
_CAPTIVE = {0: -50, 1: -8, 2: -30}


def evaluate(layout: Layout, bits: Bits) -> int:
    """Return how good a position is for the player to move."""
    white, black, walls, caps, stacks, *_, ply = bits
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
    for ring in _rings(layout):
        score += _CENTER * ((white_road & ring).bit_count() - (black_road & ring).bit_count())
    for square, stack in enumerate(stacks):
        if stack > 3:
            bit = 1 << square
            kind = 1 if walls & bit else 2 if caps & bit else 0
            black_pieces = stack.bit_count() - 1
            white_pieces = stack.bit_length() - 1 - black_pieces
            if stack & 1:
                score -= _SUPPORT[kind] * (black_pieces - 1) + _CAPTIVE[kind] * white_pieces
            else:
                score += _SUPPORT[kind] * (white_pieces - 1) + _CAPTIVE[kind] * black_pieces
    filled = (white | black).bit_count()
    score -= layout.half_komi * FLAT_VALUE * filled // (2 * layout.size * layout.size)
    return (-score if ply & 1 else score) + _TEMPO


@cache
def _rings(layout: Layout) -> tuple[int, ...]:
    """Return the board without its outermost ring of squares, without the two outermost, and so on."""
    rings = []
    for margin in range(1, (layout.size + 1) // 2):
        inside = range(margin, layout.size - margin)
        rings.append(sum(1 << row * layout.stride + column for row in inside for column in inside))
    return tuple(rings)
