"""Find plies that complete a road."""

from takmail.games.tak.bot.bits import (
    CAPSTONE,
    FLAT,
    Bits,
    Layout,
    Ply,
    flood,
    has_road,
    make,
    passed,
    spreads,
)
from takmail.games.tak.position import OPENING_PLIES
from takmail.games.tak.road import shortest


def road_in_one(layout: Layout, bits: Bits, is_white: bool) -> Ply | None:
    """Return a ply that would complete a road of this side if it were its turn, or None."""
    roads = _roads(layout, bits, is_white, only_first=True)
    return roads[0] if roads else None


def roads_in_one(layout: Layout, bits: Bits, is_white: bool) -> list[Ply]:
    """Return the plies that would complete a road of this side if it were its turn.

    Of a flat and a capstone on the same square, only the flat is among them.
    """
    return _roads(layout, bits, is_white, only_first=False)


def _roads(layout: Layout, bits: Bits, is_white: bool, only_first: bool) -> list[Ply]:
    white, black, walls, caps, stacks, white_stones, white_caps, black_stones, black_caps, ply = bits
    own, stones, capstones = (
        (white, white_stones, white_caps) if is_white else (black, black_stones, black_caps)
    )
    road, stride, full = own & ~walls, layout.stride, layout.full
    if ply < OPENING_PLIES:
        return []
    found: list[Ply] = []
    # Next to each edge: the squares that an addition to the road would connect with it.
    north = _beside(road, layout.north, stride)
    south = _beside(road, layout.south, stride)
    west = _beside(road, layout.west, stride)
    east = _beside(road, layout.east, stride)
    gaps = full & ~road
    joints = (north & south | west & east) & gaps
    if (stones or capstones) and (spots := joints & ~(white | black)):
        places = layout.places[FLAT if stones else CAPSTONE]
        while spots:
            low = spots & -spots
            spots ^= low
            found.append(places[low.bit_length() - 1])
            if only_first:
                return found
    size, blocked = layout.size, walls | caps
    near = joints << 1 | joints >> 1 | joints << stride | joints >> stride
    while own:
        low = own & -own
        own ^= low
        square = low.bit_length() - 1
        stack = stacks[square]
        # A single piece gains one square; what a wall leaves behind is below it.
        if stack < 4 and not low & near & road:
            continue
        hand = min(stack.bit_length() - 1, size)
        around = layout.cross[square]
        crushable = walls & around if low & caps else 0
        for _, mask, reach, prefixes in layout.lines[square]:
            distance = reach[blocked & mask][0] + (1 if crushable else 0)
            # All that could be gained in this direction: the ply that gains enough must be among it.
            line = (prefixes[min(hand, distance, len(prefixes) - 1)] | low) & gaps
            if (line & north and line & south) or (line & west and line & east):
                break
        else:
            continue
        wall = low & walls
        for spread in spreads(layout, square, hand, blocked & around, crushable):
            gained = spread[3] & gaps
            if (gained & north and gained & south) or (gained & west and gained & east):
                tops = _tops(spread, stack, is_white, wall)
                # What is really gained must join the edges, too; this is quicker than to make the ply.
                gained = tops & gaps
                if ((gained & north and gained & south) or (gained & west and gained & east)) and has_road(
                    layout, road & ~spread[3] | tops, spread[3]
                ):
                    found.append(spread)
                    if only_first:
                        return found
    return found


def needed_by(layout: Layout, bits: Bits, road: Ply, is_white: bool) -> int:
    """Return the squares of which a reply has to change some to stop this ply from completing a road."""
    after = make(bits if is_white is not bool(bits[9] & 1) else passed(bits), road)
    squares = (after[0] if is_white else after[1]) & ~after[2]
    board = layout.board
    ways = (
        shortest(board, squares, board.north, board.south),
        shortest(board, squares, board.west, board.east),
    )
    way = min(filter(None, ways), key=len)
    return road[3] | sum(1 << square for square in way)


def _tops(spread: Ply, stack: int, is_white: bool, wall: int) -> int:
    """Return the changed squares that count for a road of this side after the move of its stack.

    `wall` is 0 unless a wall is on top of the stack.
    """
    target, step, drops, _ = spread
    target += step * len(drops)
    tops = 0
    for drop in drops:
        if (stack & 1 == 0) is is_white and not wall:
            tops |= 1 << target
        wall = 0
        stack >>= drop
        target -= step
    if stack > 1 and (stack & 1 == 0) is is_white:
        tops |= 1 << target
    return tops


def _beside(road: int, edge: int, stride: int) -> int:
    """Return the edge, and the squares that `road` connects with it, with their neighbours."""
    reached = flood(road & edge, road, stride)
    return edge | reached | reached << 1 | reached >> 1 | reached << stride | reached >> stride
