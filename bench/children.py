"""Simulated children, who play against the bot's easiest levels. None of them thinks further than one ply."""

from collections.abc import Callable
from random import Random

from takmail.games.tak.bot.bits import FLAT, Bits, Layout, Ply, make, plies, result
from takmail.games.tak.bot.roads import needed_by, road_in_one

_BLOCKED = 2 / 3
"""How often the builder stops a road that the other one threatens."""


def by_chance(layout: Layout, bits: Bits, random: Random) -> Ply:
    """Return any ply."""
    return random.choice(plies(layout, bits))


def greedily(layout: Layout, bits: Bits, random: Random) -> Ply:
    """Return a road, or the ply after which the child has the most flats on top more than the other one."""
    is_white = not bits[9] & 1
    if (road := road_in_one(layout, bits, is_white)) is not None:
        return road

    def lead(ply: Ply) -> int:
        white, black, walls, caps = make(bits, ply)[:4]
        flats = ~(walls | caps)
        ahead = (white & flats).bit_count() - (black & flats).bit_count()
        return ahead if is_white else -ahead

    choices = plies(layout, bits)
    random.shuffle(choices)
    return max(choices, key=lead)


def in_a_line(layout: Layout, bits: Bits, random: Random) -> Ply:
    """Return a road, mostly a ply that stops one, or a flat in the row or column that the child has furthest built."""
    is_white = not bits[9] & 1
    if (road := road_in_one(layout, bits, is_white)) is not None:
        return road
    choices = plies(layout, bits)
    random.shuffle(choices)
    threat = road_in_one(layout, bits, not is_white)
    if threat is not None and random.random() < _BLOCKED:
        needed = needed_by(layout, bits, threat, not is_white)
        for ply in choices:
            if ply[3] & needed and road_in_one(layout, make(bits, ply), not is_white) is None:
                return ply
    return _next_of_a_line(layout, bits, choices, is_white=is_white)


def _next_of_a_line(layout: Layout, bits: Bits, choices: list[Ply], *, is_white: bool) -> Ply:
    """Return a flat in the line with the most own and the fewest other pieces; any ply if there is no space."""
    own, other = (
        (bits[0] & ~bits[2], bits[1] | bits[2]) if is_white else (bits[1] & ~bits[2], bits[0] | bits[2])
    )
    size, stride = layout.size, layout.stride
    rows = [sum(1 << row * stride + column for column in range(size)) for row in range(size)]
    columns = [sum(1 << row * stride + column for row in range(size)) for column in range(size)]

    def progress(ply: Ply) -> int:
        through = [line for line in (*rows, *columns) if line & ply[3]]
        return max((line & own).bit_count() - size * (line & other).bit_count() for line in through)

    flats = [ply for ply in choices if not ply[1] and ply[2] == (FLAT,)]
    lines = [ply for ply in flats if result(layout, make(bits, ply), ply[3]) is None]
    return max(lines or flats or choices, key=progress)


CHILDREN: dict[str, Callable[[Layout, Bits, Random], Ply]] = {
    "random": by_chance,
    "greedy": greedily,
    "builder": in_a_line,
}
"""The children by name."""
