"""The board as it is drawn: a row for each column of its names, as boards in letters have it, and six directions."""

from enum import Enum

from takmail.games.tzaar.board import (
    CENTRE_COLUMN,
    COLUMN_SPOTS,
    COLUMNS,
    SPOTS,
    SPOTS_BELOW_CENTRE,
    Spot,
    point_of,
)

ROWS: tuple[tuple[Spot | None, ...], ...] = tuple(
    (*spots[:SPOTS_BELOW_CENTRE], None, *spots[SPOTS_BELOW_CENTRE:]) if column == CENTRE_COLUMN else spots
    for column, spots in enumerate(COLUMN_SPOTS)
)
"""The spots of each row from west to east, with None for the centre. Row A is the northernmost."""

WIDEST = max(map(len, ROWS))
SHIFTS = tuple(WIDEST - len(row) for row in ROWS)
"""How far each row begins east of the longest one, in halves of the distance of two spots."""

HEADINGS = COLUMNS.upper()
"""The letter of each row."""


class Direction(Enum):
    """A direction on the drawn board, clockwise from the east; the value is its letter in names of pictures."""

    EAST = "a"
    SOUTH_EAST = "b"
    SOUTH_WEST = "c"
    WEST = "d"
    NORTH_WEST = "e"
    NORTH_EAST = "f"

    @property
    def opposite(self) -> "Direction":
        """The direction back."""
        return _OPPOSITE[self]

    @property
    def to_neighbour(self) -> tuple[int, int]:
        """The way to the next spot: east, in halves of the distance of two spots, and south, in rows."""
        across, up = _STEPS[self]
        return 2 * up - across, across


_STEPS = {
    Direction.EAST: (0, 1),
    Direction.SOUTH_EAST: (1, 1),
    Direction.SOUTH_WEST: (1, 0),
    Direction.WEST: (0, -1),
    Direction.NORTH_WEST: (-1, -1),
    Direction.NORTH_EAST: (-1, 0),
}
"""The steps between the coordinates of spots (`point_of`). A column of the board is drawn as a row."""
_OPPOSITE = {
    one: other
    for one in Direction
    for other in Direction
    if _STEPS[one] == (-_STEPS[other][0], -_STEPS[other][1])
}
_AT = {point_of(spot): spot for spot in SPOTS}


def neighbour(spot: Spot, direction: Direction) -> Spot | None:
    """Return the next spot in a direction, or None beyond the edge and at the centre."""
    x, y = point_of(spot)
    across, up = _STEPS[direction]
    return _AT.get((x + across, y + up))


def direction_of(start: Spot, end: Spot) -> Direction | None:
    """Return the direction in which a spot lies beside another one, or None if the two are no neighbours."""
    return next((one for one in Direction if neighbour(start, one) == end), None)


def even(length: float) -> int:
    """Return the nearest even number."""
    return 2 * round(length / 2)
