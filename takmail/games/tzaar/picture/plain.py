"""The board as a grid of lettered squares, a row for each column of spots."""

import re
from functools import cache
from itertools import product

from takmail.games.grid import Cell, Grid, Row
from takmail.games.interface import Result
from takmail.games.picture import Kit, Placed, Scene, Sprite, Text
from takmail.games.tzaar.board import COLUMNS, NAMES, SPOTS, Spot, point_of
from takmail.games.tzaar.pieces import PIECES_A_SIDE, Color, Kind, Stack
from takmail.games.tzaar.position import Position
from takmail.games.tzaar.turns import Placing, Played, Step

_CELL, _SIZE = 40, 9
_COLORS = {
    "paper": "#ffffff",
    "marked": "#f0e2b8",
    "light": "#f7f3ea",
    "dark": "#33302c",
    "ink": "#1f1d1a",
    "pale": "#ffffff",
}
_JUNCTIONS = (("light", "ink"), ("dark", "pale"), ("marked", "ink"))
_SIDES = {"side-white": "W", "side-black": "B"}
_STACK = re.compile(r"(white|black)-([zrt])-([1-9][0-9]?)(-last)?")
_OFF = "off"


def touched_spots(last: Played | None) -> frozenset[Spot]:
    """Return the spots that a turn touches."""
    match last:
        case None:
            return frozenset()
        case Played(Placing(_, spot)):
            return frozenset((spot,))
        case Played(move):
            assert not isinstance(move, Placing)
            return frozenset(
                spot
                for action in move.actions
                if isinstance(action, Step)
                for spot in (action.start, action.end)
            )


def _name(stack: Stack | None, *, is_last: bool) -> str:
    mark = "-last" if is_last else ""
    if stack is None:
        return f"empty{mark}"
    return f"{stack.color.word}-{stack.kind.letter}-{stack.height}{mark}"


@cache
def _sprite(name: str) -> Sprite:
    if name in ("empty", "empty-last", _OFF):
        texts = {"empty": "0", "empty-last": "0", _OFF: "+"}
        ground = "marked" if name == "empty-last" else "paper"
        return Sprite(_CELL, _CELL, ground, (Text(_CELL / 2, _CELL * 0.7, texts[name], 16, "ink"),))
    if name in _SIDES:
        return Sprite(_CELL, _CELL, "paper", (Text(_CELL / 2, _CELL * 0.7, _SIDES[name], 20, "ink"),))
    found = _STACK.fullmatch(name)
    if found is None or int(found[3]) > PIECES_A_SIDE:
        raise ValueError(f"no spot is called {name!r}")
    is_black = found[1] == "black"
    kind = next(kind for kind in Kind if kind.letter == found[2])
    text = str(Stack(Color.BLACK if is_black else Color.WHITE, kind, int(found[3])))
    ground = "marked" if found[4] else "dark" if is_black else "light"
    return Sprite(
        _CELL, _CELL, ground, (Text(_CELL / 2, _CELL * 0.7, text, 20, "pale" if ground == "dark" else "ink"),)
    )


@cache
def _kit() -> Kit:
    names = [
        _name(Stack(color, kind, height), is_last=is_last)
        for color, kind, height, is_last in product(Color, Kind, range(1, PIECES_A_SIDE + 1), (False, True))
    ]
    names += ["empty", "empty-last", _OFF, *_SIDES]
    sprites = {name: _sprite(name) for name in names}
    return Kit(_CELL * _SIZE, _CELL * _SIZE, _COLORS, _JUNCTIONS, "paper", sprites, ())


def scene_of(position: Position, last: Played | None, result: Result | None) -> Scene:  # noqa: ARG001 - not shown
    """Return the picture of a position; `last` is the turn that led to it."""
    touched = touched_spots(last)
    placed = []
    for spot in SPOTS:
        x, y = point_of(spot)
        placed.append(Placed(_name(position.at(spot), is_last=spot in touched), y * _CELL, x * _CELL))
    return Scene(_kit(), tuple(placed))


def grid_of(position: Position, last: Played | None) -> Grid:
    """Return the board as a table: a row for each column of spots, with `off` where there is no spot."""
    touched = touched_spots(last)
    cells = {point_of(spot): spot for spot in SPOTS}
    rows = []
    for x, letter in enumerate(COLUMNS):
        row = []
        for y in range(_SIZE):
            spot = cells.get((x, y))
            if spot is None:
                row.append(Cell("", "", _OFF, _COLORS["paper"]))
                continue
            stack = position.at(spot)
            name = _name(stack, is_last=spot in touched)
            row.append(Cell(NAMES[spot], str(stack) if stack else "", name, _COLORS["paper"]))
        rows.append(Row(letter.upper(), tuple(row)))
    return Grid(tuple(" " * _SIZE), tuple(rows), ("side-white", "side-black"), _CELL, _CELL)


def cell(name: str) -> Scene:
    """Draw a cell of a grid by its name. Raises ValueError."""
    sprite = _sprite(name)
    kit = Kit(_CELL, _CELL, _COLORS, _JUNCTIONS, "paper", {name: sprite}, ())
    return Scene(kit, (Placed(name, 0, 0),))
