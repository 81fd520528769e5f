"""Find plies that threaten a road.

A side threatens a road if it could complete one if it were its turn again.
"""

from collections.abc import Sequence

from takmail.games.tak.bot.bits import CAPSTONE, FLAT, Bits, Layout, Ply, flood, make, plies
from takmail.games.tak.bot.roads import road_in_one


def threats(layout: Layout, bits: Bits, choices: Sequence[Ply] | None = None) -> list[tuple[Ply, Bits]]:
    """Return the plies of the side to move that threaten a road, each with the position after it.

    `choices` are all its plies, if they are known. The side can't complete a road yet. Walls are left out, because no
    new road is possible thanks to a wall.
    """
    found: list[tuple[Ply, Bits]] = []
    is_white = not bits[9] & 1
    stones, capstones = bits[5:7] if is_white else bits[7:9]
    kinds = [kind for kind, left in ((FLAT, stones), (CAPSTONE, capstones)) if left]
    sure, likely = _spots(layout, bits, is_white)
    for kind in kinds:
        for _, _, _, spot in (places := layout.places[kind]):
            if spot & likely:
                ply = places[spot.bit_length() - 1]
                after = make(bits, ply)
                if (spot & sure and stones + capstones > 1) or road_in_one(layout, after, is_white):
                    found.append((ply, after))
    for ply in plies(layout, bits) if choices is None else choices:
        if ply[1]:
            after = make(bits, ply)
            if road_in_one(layout, after, is_white):
                found.append((ply, after))
    return found


def _spots(layout: Layout, bits: Bits, is_white: bool) -> tuple[int, int]:
    """Return the empty squares on which a piece of this side surely threatens another placement there.

    The second set has these, and all others on which a piece may threaten a move of a stack.
    """
    white, black, walls, caps, stacks = bits[:5]
    own, empty, stride = white if is_white else black, layout.full ^ white ^ black, layout.stride
    road = own & ~walls
    edges = (layout.north, layout.south, layout.west, layout.east)
    beside = [edge | _grown(flood(road & edge, road, stride), stride) for edge in edges]
    nearest = [squares & empty for squares in beside]
    second = []
    for squares in nearest:
        reached = squares | flood(_grown(squares, stride) & road, road, stride)
        second.append(_grown(reached, stride) & empty & ~squares)
    sure = likely = 0
    for one, other in ((0, 1), (2, 3)):
        sure |= nearest[one] & second[other] | second[one] & nearest[other]
    likely |= sure
    blocked = walls | caps
    while own and likely != empty:
        low = own & -own
        own ^= low
        square = low.bit_length() - 1
        hand = min(stacks[square].bit_length() - 1, layout.size)
        for _, mask, reach, prefixes in layout.lines[square]:
            distance, blocker = reach[blocked & mask]
            if low & caps and blocker & walls:
                distance += 1
            # All that could be gained in this direction, and what that would connect.
            line = prefixes[min(hand, distance)] | low
            around = _grown(flood(line, road | line, stride), stride)
            north, south, west, east = (squares | (around if line & squares else 0) for squares in beside)
            likely |= (north & south | west & east) & empty
    return sure, likely


def _grown(squares: int, stride: int) -> int:
    """Return squares with their neighbours, and perhaps some beside the board."""
    return squares | squares << 1 | squares >> 1 | squares << stride | squares >> stride
