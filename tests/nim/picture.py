"""The picture of a position of Nim, and its cells, with a row for each heap. The heap of the last turn is marked."""

from collections.abc import Sequence
from functools import cache

from takmail.games.grid import Cell, Grid, GridRow
from takmail.games.picture import Circle, Kit, Placed, Scene, Sprite, Text

_CELL = 80
_COLORS = {"paper": "#ffffff", "marked": "#f0e2b8", "stone": "#33302c", "ink": "#1f1d1a"}
_MEETING = (("paper", "stone"), ("marked", "stone"), ("paper", "ink"))


@cache
def _kit(most_heaps: int, highest: int) -> Kit:
    stone = (Circle(_CELL / 2, _CELL / 2, _CELL * 0.35, "stone"),)
    signs = {
        f"heap {at}": Sprite(_CELL, _CELL, "paper", (Text(_CELL / 2, _CELL * 0.7, str(at), 40, "ink"),))
        for at in range(1, most_heaps + 1)
    }
    sprites = {
        "stone": Sprite(_CELL, _CELL, "paper", stone),
        "marked stone": Sprite(_CELL, _CELL, "marked", stone),
        "marked": Sprite(_CELL, _CELL, "marked", ()),
        **signs,
    }
    return Kit(_CELL * (highest + 2), _CELL * most_heaps, _COLORS, _MEETING, "paper", sprites, ())


def scene_of(heaps: tuple[int, ...], marked: int | None, most_heaps: int, highest: int) -> Scene:
    """Return the picture; `marked` is the index of the heap of the last turn."""
    placed: list[Placed] = []
    for at, count in enumerate(heaps):
        is_marked = at == marked
        placed.append(Placed(f"heap {at + 1}", 0, at * _CELL))
        placed += [
            Placed("marked stone" if is_marked else "stone", (1 + number) * _CELL, at * _CELL)
            for number in range(count)
        ]
        if is_marked:
            placed.append(Placed("marked", (1 + count) * _CELL, at * _CELL))
    return Scene(_kit(most_heaps, highest), tuple(placed))


def grid_of(places: Sequence[str], heaps: Sequence[int], contents: Sequence[str], marked: int | None) -> Grid:
    """Return the heaps as a grid of one column. `contents` are their stones as text."""
    rows = tuple(
        GridRow(
            str(at + 1),
            (Cell(place, content, f"{'marked' if at == marked else 'plain'}-{count}", "#ffffff"),),
        )
        for at, (place, count, content) in enumerate(zip(places, heaps, contents, strict=False))
    )
    return Grid(("Heap",), rows, ("plain-1", "plain-2"), 200, 20)


def cell_scene(name: str) -> Scene:
    """Draw a heap by its name, such as `plain-3`. Raises ValueError."""
    color, dash, count = name.partition("-")
    if color not in ("plain", "marked") or not dash or not count.isdecimal():
        raise ValueError(f"no heap is called {name!r}")
    sprite = "marked stone" if color == "marked" else "stone"
    stones = tuple(Placed(sprite, _CELL * at, 0) for at in range(int(count)))
    beside = Placed("marked" if color == "marked" else "heap 1", _CELL * int(count), 0)
    return Scene(_kit(1, int(count)), (*stones, beside))
