"""Draw the results of a division as a table of everybody against everybody else, by place, without a word.

Names stand in the table beside it, in any script. A picture's name says all that is drawn, so that equal tables are one
picture. Lengths are those of the full-size picture, which letters show at half size.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from takmail.games.picture import Circle, Kit, Line, Placed, Rectangle, Scene, Shape, Sprite, Text

MOST_PLAYERS = 10
"""The highest number of players whose results are legible on a phone."""
WON, DRAWN, LOST, VOID, OPEN = "wdlvo"
"""How a game ended for the player of the row: the letters of a picture's name."""
_NAME = re.compile(rf"standings-(?P<places>\d+(?:\.\d+)*)-(?P<results>[{WON}{DRAWN}{LOST}{VOID}{OPEN}]*)")
_HEADING, _POINTS, _ROW, _WIDEST = 36, 56, 44, 640
_MOST_CELL = 72
_GROUND, _CELL, _SELF, _INK, _GOOD, _BAD = "ground", "cell", "self", "ink", "good", "bad"
_COLORS = {
    _GROUND: "#ffffff",
    _CELL: "#f2ede3",
    _SELF: "#c9c1b3",
    _INK: "#1f1d1a",
    _GOOD: "#1d6b4f",
    _BAD: "#b0260f",
}
"""Who sees no colours tells the marks by their forms."""
_JUNCTIONS = ((_GROUND, _INK), (_CELL, _INK), (_CELL, _GOOD), (_CELL, _BAD))
_WORTH = {WON: 2, DRAWN: 1}


@dataclass(frozen=True, slots=True)
class CrossTable:
    """The results of a division, in the order of its table.

    `places` are the places of its players. `results` has a letter for each ordered pair of two players, row by row: how
    the game ended for the first of them in which that player had the first turn.
    """

    places: tuple[int, ...]
    results: str

    @property
    def name(self) -> str:
        """The name of its picture."""
        return f"standings-{'.'.join(map(str, self.places))}-{self.results}"

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height of its picture in a letter, in pixels."""
        kit = _kit(len(self.places))
        return kit.width // 2, kit.height // 2

    def result(self, row: int, column: int) -> str:
        """Return how the game ended for the player of a row in which they had the first turn."""
        return self.results[row * (len(self.places) - 1) + column - (column > row)]


def table_of(name: str) -> CrossTable | None:
    """Return the table whose picture has a name, None if it is the name of another picture."""
    read = _NAME.fullmatch(name)
    if read is None:
        return None
    places = tuple(map(int, read["places"].split(".")))
    is_whole = 1 < len(places) <= MOST_PLAYERS and len(read["results"]) == len(places) * (len(places) - 1)
    return CrossTable(places, read["results"]) if is_whole else None


def scene(table: CrossTable) -> Scene:
    """Return the picture of a table."""
    count = len(table.places)
    kit, cell = _kit(count), _cell_width(count)
    return Scene(kit, (*_headings(table, cell), *_cells(table, cell), *_points(table, cell)))


def _headings(table: CrossTable, cell: int) -> Iterator[Placed]:
    for number, place in enumerate(table.places):
        yield Placed(f"row {place}", 0, _HEADING + number * _ROW)
        yield Placed(f"column {place}", _HEADING + number * cell, 0)


def _cells(table: CrossTable, cell: int) -> Iterator[Placed]:
    """Place two marks in each cell: at the left the game in which the player of the row had the first turn."""
    turned = {WON: LOST, LOST: WON}
    for row, column in product(range(len(table.places)), repeat=2):
        x, y = _HEADING + column * cell, _HEADING + row * _ROW
        if row == column:
            yield Placed("self", x, y)
            continue
        second = table.result(column, row)
        yield Placed(table.result(row, column), x, y)
        yield Placed(f"right {turned.get(second, second)}", x + cell // 2, y)


def _points(table: CrossTable, cell: int) -> Iterator[Placed]:
    count, turned = len(table.places), {WON: 0, LOST: 2}
    for row in range(count):
        others = [column for column in range(count) if column != row]
        points = sum(_WORTH.get(table.result(row, column), 0) for column in others)
        seconds = (table.result(column, row) for column in others)
        points += sum(turned.get(result, _WORTH.get(result, 0)) for result in seconds)
        yield Placed(f"points {points}", _HEADING + count * cell, _HEADING + row * _ROW)


def _cell_width(count: int) -> int:
    """Return the width of a cell, which is a multiple of 4, as half of it has to be even."""
    return min(_MOST_CELL, (_WIDEST - _HEADING - _POINTS) // count) // 4 * 4


@cache
def _kit(count: int) -> Kit:
    """Return what pictures of this number of players have in common."""
    cell = _cell_width(count)
    return Kit(
        _HEADING + count * cell + _POINTS,
        _HEADING + count * _ROW,
        _COLORS,
        _JUNCTIONS,
        _GROUND,
        {**_written(count, cell), **_marks(cell // 2), "self": Sprite(cell, _ROW, _SELF, _frame(cell))},
        (),
    )


def _written(count: int, cell: int) -> Mapping[str, Sprite]:
    """Return the sprites of places and of points."""
    places, points = range(1, count + 1), range(4 * (count - 1) + 1)
    return {
        **{f"row {place}": _number(place, _HEADING, _ROW, _GROUND) for place in places},
        **{f"column {place}": _number(place, cell, _HEADING, _GROUND) for place in places},
        **{f"points {count}": _number(count, _POINTS, _ROW, _GROUND) for count in points},
    }


def _number(number: int, width: int, height: int, ground: str) -> Sprite:
    return Sprite(width, height, ground, (Text(width / 2, height / 2 + 9, str(number), 26, _INK),))


def _frame(width: int) -> tuple[Shape, ...]:
    """Return the lines at the right and at the bottom of a cell."""
    return Rectangle(width - 2, 0, 2, _ROW, _GROUND), Rectangle(0, _ROW - 2, width, 2, _GROUND)


def _marks(width: int) -> Mapping[str, Sprite]:
    """Return both halves of cells with their marks. Only the right one has a line at its right."""
    x, y, radius = width / 2, _ROW / 2, min(width / 2 - 3, 11)
    shapes: Mapping[str, tuple[Shape, ...]] = {
        WON: (Circle(x, y, radius, _GOOD),),
        DRAWN: (
            Circle(x, y, radius, _INK),
            Circle(x, y, radius - 3, _CELL),
            Circle(x, y, radius / 2 - 1, _INK),
        ),
        LOST: (Circle(x, y, radius, _BAD), Circle(x, y, radius - 3, _CELL)),
        VOID: (Line((x - radius, y), (x + radius, y), 3, _INK),),
        OPEN: (),
    }
    right, bottom = _frame(width)
    return {
        name: Sprite(width, _ROW, _CELL, (*drawn, *lines))
        for mark, drawn in shapes.items()
        for name, lines in ((mark, (bottom,)), (f"right {mark}", (right, bottom)))
    }
