"""Read the picture of a Tak board as a person would, from its colours and the shapes of its figures.

This module knows the positions of squares and bars and the meaning of colours, but not how takmail draws them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageStat

from takmail.games.tak.picture import bars
from takmail.games.tak.picture.cells import _layout
from takmail.games.tak.picture.colors import VALUES
from takmail.games.tak.picture.layout import (
    BAR_HEIGHT,
    BAR_LEFT,
    BAR_TOPS,
    BAR_WIDTH,
    LEFT,
    TOP,
    Layout,
    layout_of,
)

Box = tuple[int, int, int, int]
Place = tuple[int, int]

_RING = 6
_WAYS = ("north", "east", "south", "west")
_FLOORS = ("square", "last", "road")
_GRID = (16, 24)
_LETTERS, _DIGITS = "ABCDEFGH", "0123456789"
_CODES = {name: code for code, name in enumerate(VALUES, 1)}
_NAMES = {code: name for name, code in _CODES.items()} | {0: "mixture"}
_BY_VALUE = {bytes.fromhex(value[1:]): _CODES[name] for name, value in VALUES.items()}


@dataclass(frozen=True)
class SquareSeen:
    """The content of a square. `tower` are its pieces from the bottom. `over_line` is how many are above the line."""

    floor: str
    is_ringed: bool
    top: tuple[str, str] | None = None
    number: str = ""
    tower: tuple[str, ...] = ()
    over_line: int | None = None


@dataclass(frozen=True)
class BarSeen:
    """The content of a player's bar. A missing number is ""."""

    face: str
    has_label: bool
    flats: str
    komi: str
    stones: str
    capstones: str


@dataclass(frozen=True)
class BoardSeen:
    """A whole picture: squares by (column, row) from the north-west, ways by pair of squares, and signs by side.

    A way has its colour, and the direction of its arrow if it has one.
    """

    squares: dict[Place, SquareSeen]
    ways: dict[tuple[Place, Place], tuple[str, str]]
    bars: tuple[BarSeen, BarSeen]
    signs: dict[str, str]


def read_board(picture: bytes, size: int) -> BoardSeen:
    """Read everything in the picture of a board."""
    return _Reader(picture, size).read()


@dataclass(frozen=True)
class CellSeen(SquareSeen):
    """The content of a cell: also the direction of its arrow, or "", and those of the neighbours on a road."""

    lead: str = ""
    joins: frozenset[str] = frozenset()


def read_cell(picture: bytes, size: int) -> CellSeen:
    """Read everything in the picture of a single cell."""
    return _Reader(picture, size, _layout(size)).cell()


class _Reader:
    def __init__(self, picture: bytes, size: int, layout: Layout | None = None) -> None:
        image = Image.open(BytesIO(picture))
        palette = image.getpalette() or []
        colors = [bytes(palette[at : at + 3]) for at in range(0, len(palette), 3)]
        table = [_BY_VALUE.get(color, 0) for color in colors]
        codes = Image.frombytes("L", image.size, image.tobytes())
        self.codes = codes.point(table + [0] * (256 - len(table)))
        self.layout, self.size = layout or layout_of(size), size

    def read(self) -> BoardSeen:
        places = [(column, row) for row in range(self.size) for column in range(self.size)]
        squares = {place: self.square(place) for place in places}
        return BoardSeen(squares, dict(self.ways(places)), (self.bar(0), self.bar(1)), self.signs())

    def at(self, x: float, y: float) -> str:
        return _NAMES[self.codes.getpixel((int(x), int(y)))]

    def mask(self, box: Box, names: set[str], inverted: bool = False) -> Image.Image:
        """Return a mask of the pixels of a box that have one of these colours, or none of them if `inverted`."""
        return self.codes.crop(box).point(_table(frozenset(names), inverted))

    def share(self, box: Box, name: str) -> float:
        """Return the proportion of a box that has a colour."""
        return self.mask(box, {name}).histogram()[255] / ((box[2] - box[0]) * (box[3] - box[1]))

    def extent(self, box: Box, names: set[str], inverted: bool = False) -> Box | None:
        """Return the smallest box around all pixels of these colours, or of all others, within a box."""
        found = self.mask(box, names, inverted).getbbox()
        return found and (box[0] + found[0], box[1] + found[1], box[0] + found[2], box[1] + found[3])

    def corner(self, place: Place) -> Place:
        step = self.layout.tile + self.layout.gap
        return LEFT + place[0] * step, TOP + place[1] * step

    def square(self, place: Place) -> SquareSeen:
        west, north = self.corner(place)
        tile = self.layout.tile
        is_ringed = self.at(west + tile // 2, north + 2) == "mark"
        floor = self.at(west + tile // 2, north + _RING)
        inset = max(_RING, self.layout.margin - 2)
        inside = (west + inset, north + inset + 2, west + tile - inset, north + tile - inset - 2)
        return replace(self.inside(inside, floor), is_ringed=is_ringed)

    def inside(self, inside: Box, floor: str) -> SquareSeen:
        """Return what stands in the inner part of a square, within the marks at its edges."""
        shelf = self.shelf(inside)
        if shelf is None:
            whole = self.extent(inside, {floor}, inverted=True)
            return SquareSeen(floor, False, whole and self.piece(whole, floor))
        left = (inside[0], inside[1], shelf[0] - 4, inside[3])
        piece, number = (
            (left[0], left[1] + start, left[2], left[1] + end)
            for start, end in runs(self.mask(left, {floor}, inverted=True).getprojection()[1])
        )
        top = self.extent(piece, {floor}, inverted=True)
        assert top is not None
        return SquareSeen(
            floor, False, self.piece(top, floor), self.figures(number, floor), *self.tower(shelf)
        )

    def shelf(self, box: Box) -> Box | None:
        """Return the box of the tower, which is in the east, without mixtures that are as brown as the shelf."""
        box = (box[0] + self.layout.tile // 2, *box[1:])
        mask = self.mask(box, {"shelf"})
        counts = [mask.crop((x, 0, x + 1, mask.height)).histogram()[255] for x in range(mask.width)]
        if max(counts) < 5:
            return None
        west = next(x for x, count in enumerate(counts) if count > 4)
        east = max(x for x, count in enumerate(counts) if count > 1) + 1
        rows = [y for y in range(mask.height) if mask.crop((west, y, east, y + 1)).histogram()[255] > 1]
        return box[0] + west, box[1] + rows[0], box[0] + east, box[1] + rows[-1] + 1

    def cell(self) -> CellSeen:
        """Read a cell: first the marks at its edges, then what stands on it, as if the marks weren't there."""
        tile = self.layout.tile
        floor = max(_FLOORS, key=lambda name: self.share((0, 0, tile, tile), name))
        is_ringed = self.share((tile // 5, 2, tile // 4, 6), "mark") > 0.9
        lead = "".join(way for way in _WAYS if self._is_arrow(way))
        joins = frozenset(way for way in _WAYS if self._at_edge(way, tile // 3, 3) == "black")
        inset = max(8, self.layout.margin)
        found = self.inside((inset, inset, tile - inset, tile - inset), floor)
        return CellSeen(
            floor, is_ringed, found.top, found.number, found.tower, found.over_line, lead=lead, joins=joins
        )

    def _at_edge(self, way: str, along: int, deep: int) -> str:
        """Return the colour of a pixel at an edge."""
        across = deep if way in ("north", "west") else self.layout.tile - 1 - deep
        return self.at(along, across) if way in ("north", "south") else self.at(across, along)

    def _is_arrow(self, way: str) -> bool:
        """Return whether there is the tip of an arrow in the middle of an edge, and its ground beside it."""
        middle, beside = self.layout.tile // 2, self.layout.tile * 3 // 8
        return (self._at_edge(way, middle, 4), self._at_edge(way, beside, 4)) == ("last", "mark")

    def piece(self, box: Box, floor: str) -> tuple[str, str]:
        """Return the colour and kind of the piece that fills a box."""
        west, north, east, south = box
        wide, tall = (east - west) // 4, (south - north) // 4
        middle = self.at((west + east) / 2, (north + south) / 2)
        ring = self.at(west + (east - west) * 0.16, (north + south) / 2)
        if {middle, ring} == {"white", "black"}:
            return ring, "capstone"
        bare = [
            self.share((x, y, x + wide, y + tall), floor) > 0.55
            for y in (north, south - tall)
            for x in (west, east - wide)
        ]
        match bare:
            case [False, False, False, False]:
                return middle, "flat"
            case [True, False, False, True]:
                return middle, "wall to the east"
            case [False, True, True, False]:
                return middle, "wall to the west"
        raise AssertionError((box, bare))

    def tower(self, shelf: Box) -> tuple[tuple[str, ...], int | None]:
        """Return the pieces of a tower by column, each from its bottom, and how many are above the line."""
        west, north, east, south = shelf
        seen: list[str] = []
        line = None
        pieces = self.mask((west, south - 12, east, south), {"white", "black"})
        for start, end in runs(pieces.getprojection()[0]):
            before = ""
            for y in range(south - 1, max(north - 5, _RING + 1), -1):
                name = self.at(west + (start + end) / 2, y)
                if name != before and name in ("white", "black"):
                    seen.append(name)
                if name != before and name == "mark":
                    line = len(seen)
                before = name
        return tuple(seen), None if line is None else len(seen) - line

    def ways(self, places: list[Place]) -> Iterator[tuple[tuple[Place, Place], tuple[str, str]]]:
        tile, gap = self.layout.tile, self.layout.gap
        for column, row in places:
            x, y = self.corner((column, row))
            for beside, box in (
                ((column + 1, row), (x + tile, y, x + tile + gap, y + tile)),
                ((column, row + 1), (x, y + tile, x + tile, y + tile + gap)),
            ):
                if max(beside) < self.size and (seen := self.way(box)):
                    yield ((column, row), beside), seen

    def way(self, box: Box) -> tuple[str, str] | None:
        ground = "road" if self.extent(box, {"road"}) else "paper"
        arrow = self.mask(box, {"mark"})
        is_upright = box[2] - box[0] > box[3] - box[1]
        if (found := arrow.getbbox()) is None:
            return (ground, "") if ground == "road" else None
        west, north, east, south = found
        if is_upright:
            near, far = (
                arrow.crop((0, y, arrow.width, y + 1)).histogram()[255] for y in (north + 1, south - 2)
            )
            return ground, "south" if near > far else "north"
        near, far = (arrow.crop((x, 0, x + 1, arrow.height)).histogram()[255] for x in (west + 1, east - 2))
        return ground, "east" if near > far else "west"

    def bar(self, index: int) -> BarSeen:
        top = BAR_TOPS[index]
        face = self.at(BAR_LEFT + BAR_WIDTH - 10, top + BAR_HEIGHT // 2)
        label = self.extent((BAR_LEFT, top, BAR_LEFT + BAR_WIDTH, top + BAR_HEIGHT), {"last"})

        def number(x: int, width: int) -> str:
            west = BAR_LEFT + x
            return self.figures((west - 4, top + 8, west + width, top + BAR_HEIGHT - 8), face)

        return BarSeen(
            face,
            label is not None,
            number(bars.FLATS, 50),
            number(bars.KOMI, 96),
            number(bars.STONES, 50),
            number(bars.CAPSTONES, 28),
        )

    def signs(self) -> dict[str, str]:
        tile, last = self.layout.tile, self.corner((self.size - 1, self.size - 1))
        rows = [self.corner((0, row))[1] for row in range(self.size)]
        columns = [self.corner((column, 0))[0] for column in range(self.size)]
        end = last[1] + tile
        sides = {
            "north": [(x, TOP - 44, x + tile, TOP - 2) for x in columns],
            "south": [(x, end + 2, x + tile, end + 44) for x in columns],
            "west": [(0, y, LEFT - 2, y + tile) for y in rows],
            "east": [(last[0] + tile + 2, y, self.codes.width, y + tile) for y in rows],
        }
        return {
            side: "".join(
                self.figures(box, "paper", _LETTERS if side in ("north", "south") else _DIGITS)
                for box in boxes
            )
            for side, boxes in sides.items()
        }

    def figures(self, box: Box, ground: str, among: str = _DIGITS) -> str:
        """Return the text on a background, one figure at a time."""
        ink = self.mask(box, {ground}, inverted=True)
        read = ""
        for start, end in runs(ink.getprojection()[0]):
            part = ink.crop((start, 0, end, ink.height))
            part = part.crop(part.getbbox())
            read += _figure(part.tobytes(), part.size, among)
        return read


@cache
def _table(names: frozenset[str], inverted: bool) -> list[int]:
    wanted = {_CODES[name] for name in names}
    return [255 * ((code in wanted) != inverted) for code in range(256)]


def runs(drawn: list[int]) -> list[tuple[int, int]]:
    """Return the runs of drawn positions: the start of each, and the position after its end."""
    starts = [at for at, one in enumerate(drawn) if one and not (at and drawn[at - 1])]
    ends = [at + 1 for at, one in enumerate(drawn) if one and drawn[at + 1 : at + 2] != [1]]
    return list(zip(starts, ends, strict=True))


@cache
def _figure(pixels: bytes, size: tuple[int, int], among: str) -> str:
    """Return the figure that overlaps best with the pixels."""
    width, height = size
    if height < 10:
        return "."
    seen = Image.frombytes("L", size, pixels).resize(_GRID)
    slender = width / height

    def unlike(figure: str) -> float:
        model, proportion = _model(figure)
        return ImageStat.Stat(ImageChops.difference(seen, model)).mean[0] + 255 * abs(proportion - slender)

    return min(among, key=unlike)


@cache
def _model(figure: str) -> tuple[Image.Image, float]:
    image = Image.new("L", (120, 120))
    ImageDraw.Draw(image).text((20, 90), figure, 255, ImageFont.load_default(80), "ls", stroke_width=2)
    part = image.crop(image.getbbox())
    return part.resize(_GRID), part.width / part.height
