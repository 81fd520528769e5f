"""The board of TZAAR: 60 spots in nine columns, their names, and the lines along which pieces move.

A spot is a number from 0, by columns and from the south: `a1` is 0, `a2` is 1, `i5` is 59. On a grid with column A
at x = 0 its coordinates (x, y) satisfy 0 <= x, y <= 8 and |x - y| <= 4. The centre (4, 4) is no spot, and nothing
moves across it.
"""

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import NamedTuple, NewType

Spot = NewType("Spot", int)
"""The index of a spot, from 0 to 59."""

COLUMNS = "abcdefghi"
_WIDTH, _REACH = len(COLUMNS), 4
CENTRE = (4, 4)
CENTRE_COLUMN = 4
"""The column of the centre, which is between its fourth and fifth spot."""
SPOTS_BELOW_CENTRE = 4

_POINTS = tuple(
    (x, y) for x, y in product(range(_WIDTH), repeat=2) if abs(x - y) <= _REACH and (x, y) != CENTRE
)
_AT: Mapping[tuple[int, int], Spot] = {point: Spot(index) for index, point in enumerate(_POINTS)}
SPOTS = tuple(Spot(index) for index in range(len(_POINTS)))
LENGTHS = tuple(sum(1 for x, _ in _POINTS if x == column) for column in range(_WIDTH))
"""The number of spots in each column: 5 6 7 8 8 8 7 6 5."""
COLUMN_SPOTS = tuple(tuple(spot for spot in SPOTS if _POINTS[spot][0] == column) for column in range(_WIDTH))
"""The spots of each column, from the south."""
NAMES = tuple(
    f"{COLUMNS[column]}{number}"
    for column, spots in enumerate(COLUMN_SPOTS)
    for number in range(1, len(spots) + 1)
)
"""The lower-case name of each spot."""
SPOT_NAMED: Mapping[str, Spot] = {name: Spot(index) for index, name in enumerate(NAMES)}

_AXES = ((1, 0), (0, 1), (1, 1))
_DIRECTIONS = tuple((x * sign, y * sign) for x, y in _AXES for sign in (1, -1))


def point_of(spot: Spot) -> tuple[int, int]:
    """Return the coordinates of a spot: its column, and its place in the grid from the south."""
    return _POINTS[spot]


def _ray(spot: Spot, step: tuple[int, int]) -> tuple[Spot, ...]:
    spots: list[Spot] = []
    x, y = _POINTS[spot]
    while (found := _AT.get((x := x + step[0], y := y + step[1]))) is not None:
        spots.append(found)
    return tuple(spots)


RAYS = tuple(tuple(_ray(spot, step) for step in _DIRECTIONS) for spot in SPOTS)
"""The spots in each of the six directions of a spot, nearest first, to the edge or to the centre."""


class Line(NamedTuple):
    """A line through a spot: `mask` has the bits of its other spots.

    `reached` maps the taken ones among them to those that the spot's stack can move to, one in each direction.
    """

    mask: int
    reached: Mapping[int, tuple[Spot, ...]]


def _nearest(ray: tuple[Spot, ...]) -> dict[int, tuple[Spot, ...]]:
    """Return the nearest taken spot of a ray for every set of taken spots."""
    found: dict[int, tuple[Spot, ...]] = {0: ()}
    for spot in reversed(ray):
        found |= {1 << spot | behind: (spot,) for behind in found}
    return found


def _line(rays: tuple[tuple[Spot, ...], tuple[Spot, ...]]) -> Line:
    ahead, behind = map(_nearest, rays)
    mask = sum(1 << spot for ray in rays for spot in ray)
    return Line(mask, {a | b: ahead[a] + behind[b] for a in ahead for b in behind})


@cache
def lines_through(spot: Spot) -> tuple[Line, ...]:
    """Return the three lines through a spot. Those of all spots take 1.3 MiB, so they are made when they are needed."""
    rays = RAYS[spot]
    return tuple(_line((rays[place], rays[place + 1])) for place in range(0, len(_DIRECTIONS), 2))


def between(start: Spot, end: Spot) -> tuple[Spot, ...] | None:
    """Return the spots on the straight way from one spot to another; None if the two are not in a line.

    The centre is not among them: `crosses_centre` tells whether the way leads over it.
    """
    (x, y), (to_x, to_y) = _POINTS[start], _POINTS[end]
    across, up = to_x - x, to_y - y
    steps = max(abs(across), abs(up))
    if start == end or not (across == 0 or up == 0 or across == up):
        return None
    step = (across // steps, up // steps)
    way = ((x + step[0] * n, y + step[1] * n) for n in range(1, steps))
    return tuple(_AT[point] for point in way if point != CENTRE)


def crosses_centre(start: Spot, end: Spot) -> bool:
    """Return whether the straight way between two spots in a line leads over the centre."""
    way = between(start, end)
    return way is not None and not any(end in ray for ray in RAYS[start])
