"""The picture of a position of Nim, with a row for each heap. The heap of the last turn has another background."""

from functools import cache

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
