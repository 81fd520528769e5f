"""The sprites of a board: none covers another, and all are distinguishable."""

from hashlib import sha256
from itertools import combinations

import pytest

from takmail.games.interface import Refused
from takmail.games.picture import Circle, Polygon, Rectangle, Scene, Sprite, Text
from takmail.games.tak.board import board_of
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.picture.cells import cell_scene
from takmail.games.tak.picture.colors import (
    BLACK,
    FACE,
    LAST,
    MARK,
    PAPER,
    ROAD,
    SHELF,
    SQUARE,
    VALUES,
    WHITE,
)
from takmail.games.tak.picture.layout import BAR_HEIGHT, BAR_TOPS, HEIGHT, LEFT, TOP, WIDTH, layout_of
from takmail.games.tak.picture.road_shapes import winning_road
from takmail.games.tak.picture.scene import kit_of
from takmail.games.tak.pieces import SIZES, Piece, full_reserve
from takmail.games.tak.position import position_of
from takmail.games.tak.state import TakState
from tests.support.tables import each_row
from tests.support.tak import start, state


def lightness(name: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = [byte / 255 for byte in bytes.fromhex(VALUES[name][1:])]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((lightness(one), lightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lies_in(x: float, y: float, shape) -> bool:
    match shape:
        case Rectangle():
            return shape.x <= x <= shape.x + shape.width and shape.y <= y <= shape.y + shape.height
        case Circle():
            return (x - shape.x) ** 2 + (y - shape.y) ** 2 <= shape.radius**2
        case Polygon(points=points):
            xs, ys = [one for one, _ in points], [one for _, one in points]
            return min(xs) <= x <= max(xs) and min(ys) <= y <= max(ys)
    return False


def below(sprite: Sprite, at: int) -> str:
    """Return the colour behind a text."""
    text = sprite.shapes[at]
    covering = [shape.fill for shape in sprite.shapes[:at] if lies_in(text.x, text.y - 8, shape)]
    return covering[-1] if covering else sprite.ground


@pytest.mark.parametrize("size", SIZES)
def test_every_text_is_ascii_and_stands_out_from_its_ground(size):
    texts = 0
    for name, sprite in kit_of(size).sprites.items():
        for at, shape in enumerate(sprite.shapes):
            if isinstance(shape, Text):
                texts += 1
                assert shape.text.isascii(), name
                assert contrast(shape.fill, below(sprite, at)) >= 4.5, name
    assert texts > 60


def test_pieces_and_marks_stand_out_without_any_colour():
    for floor in (SQUARE, LAST, ROAD):
        assert contrast(BLACK, floor) >= 4.5  # a black piece, and the line around a white one
    assert contrast(WHITE, BLACK) >= 10
    for face in FACE.values():
        assert contrast(face, SHELF) >= 3
    for ground in (PAPER, SQUARE, LAST):
        assert contrast(MARK, ground) >= 3  # the line around a square, and the arrows between two
    assert contrast(ROAD, PAPER) >= 1.8  # a road fills the gaps, so its shape also shows it


def boxes(scene: Scene, prefixes: tuple[str, ...]):
    for one in scene.placed:
        if one.sprite.startswith(prefixes):
            sprite = scene.kit.sprites[one.sprite]
            yield one.x, one.y, one.x + sprite.width, one.y + sprite.height


def towering(size: int, first: int) -> TakState:
    """Return a board with a tower on each square, each higher than the one before, some with capstones."""
    stacks, heights = {}, range(first, 2 * full_reserve(size).stones + 1)
    for square, height in zip(board_of(size).squares, heights, strict=False):
        top = Piece.WHITE_CAPSTONE if height % 3 and full_reserve(size).capstones else Piece.WHITE_WALL
        stacks[square] = (*((Piece.WHITE_FLAT, Piece.BLACK_FLAT) * height)[: height - 1], top)
    whole = full_reserve(size)
    return TakState(position_of(size, stacks, 60, 5, whole, whole))


@pytest.mark.parametrize("size", SIZES)
def test_nothing_is_drawn_over_another_and_nothing_leaves_its_square(size):
    most, layout = 2 * full_reserve(size).stones, layout_of(size)
    for first in range(1, most, size * size):
        found = list(boxes(towering(size, first).picture(), ("slab", "limit", "height")))
        assert found
        by_square: dict[tuple[int, int], list[tuple[int, int, int, int]]] = {}
        for west, north, east, south in found:
            column, x = divmod(west - LEFT, layout.tile + layout.gap)
            row, y = divmod(north - TOP, layout.tile + layout.gap)
            assert min(x, y) >= 6
            assert max(x + east - west, y + south - north) <= layout.tile - 6
            by_square.setdefault((column, row), []).append((west, north, east, south))
        for together in by_square.values():
            for one, other in combinations(together, 2):
                assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("size", SIZES)
def test_numbers_in_the_bars_stand_beside_each_other(size):
    position = towering(size, 1).position._replace(half_komi=127)
    found = list(boxes(TakState(position).picture(), ("count",)))
    for one, other in combinations(found, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[1] != other[1]
    for west, north, east, south in found:
        top = BAR_TOPS[0] if north < HEIGHT / 2 else BAR_TOPS[1]
        assert top < north < south < top + BAR_HEIGHT
        assert LEFT < west < east < WIDTH - LEFT


@pytest.mark.parametrize("size", SIZES)
def test_all_that_is_placed_lies_in_the_picture_on_even_places(size):
    scene = towering(size, 2).picture()
    for one in (*scene.kit.scenery, *scene.placed):
        sprite = scene.kit.sprites[one.sprite]
        assert one.x % 2 == one.y % 2 == sprite.width % 2 == sprite.height % 2 == 0, one
        assert 0 <= one.x <= WIDTH - sprite.width
        assert 0 <= one.y <= HEIGHT - sprite.height


def test_pictures_of_one_size_are_of_one_kit():
    assert start(5).picture().kit is start(5).play("ps a1").picture().kit
    assert start(5).picture().kit is not start(6).picture().kit


def test_the_same_position_has_the_same_picture():
    assert start(5).play("ps a1").picture("ps a1") == start(5).play("ps a1").picture("ps a1")


def test_an_adopted_board_marks_no_square():
    turn = start(3).adopt("s 0 0/0 S 0/0 0 0", 0)
    game = start(3).play(turn)
    assert game.picture(turn) == game.picture()


def test_what_is_no_turn_can_not_be_marked():
    with pytest.raises(Refused):
        start(3).picture("nonsense")


@each_row(
    ("text", "road"),
    [
        ("1,1,1/x3/x3 2 4", "a1 b1 c1"),
        ("2,x2/2,x2/2,x2 1 4", "a1 a2 a3"),
        ("x,1,x/1,1,1/x3 2 5", "a2 b2 c2"),
        ("1,1,1/1,1,1/1,1,1 2 7", "a1 a2 a3"),
        ("1,x3/1,1,x2/x,1,1,1/x4 2 9", "a2 b2 b3 c3 d3"),
        ("1,1S,1/x3/x3 2 4", ""),
        ("1,1C,1,1,1/x5/x5/x5/x5 2 4", "a1 b1 c1 d1 e1"),
        ("x3/x3/x3 1 1", ""),
    ],
)
def test_the_winning_road_is_the_shortest_way_from_edge_to_edge(text, road):
    position = tps.parse(text)
    assert " ".join(mail.square_name(position.board, one) for one in winning_road(position)) == road


def test_of_a_double_road_the_winners_is_marked():
    position = tps.parse("1,1,1/x3/2,2,2 2 6")  # White has completed both roads, so White wins
    assert [mail.square_name(position.board, one) for one in winning_road(position)] == ["a1", "b1", "c1"]


def test_a_game_that_is_over_by_the_rules_says_so_of_itself():
    placed = [one.sprite for one in state("1,1,1/x3/x3 2 4").picture().placed]
    assert {"bar:white:WINS", "bar:black:WAITS"} <= set(placed)


def test_a_move_along_a_road_is_drawn_in_the_moves_direction():
    game = state("1,x,11/x3/2,2,x 1 4").play("mw c1 p1 1")
    ways = [
        one.sprite for one in game.picture("mw c1 p1 1").placed if ":" in one.sprite and "road" in one.sprite
    ]
    assert {"road:east", "move-on-road:west"} <= set(ways)


def test_the_arrows_of_a_move_are_one_turned_into_the_four_directions():
    sprites = kit_of(5).sprites
    east, south, west, north = (sprites[f"move:{name}"] for name in ("east", "south", "west", "north"))
    points = {(x - east.width / 2, y - east.height / 2) for x, y in east.shapes[0].points}
    turned = {
        "south": (south, {(-y, x) for x, y in points}),
        "west": (west, {(-x, -y) for x, y in points}),
        "north": (north, {(y, -x) for x, y in points}),
    }
    for sprite, expected in turned.values():
        (arrow,) = sprite.shapes
        assert {(x - sprite.width / 2, y - sprite.height / 2) for x, y in arrow.points} == expected
    assert max(points)[1] == 0  # the tip is in the middle of the side to which the arrow points


NAMED = {
    "3-p---": "3e9326f13bc2823f",
    "5-t---st": "2043d5dc1db30300",
    "6-b-n-es-c": "10f3ea2628a0c729",
    "8-p---" + "st" * 9 + "x": "d38986da567c0804",
    "side-black": "dc91c9ce1f76ccc3",
}
"""Names of cells, each with the beginning of the SHA-256 of its drawing."""


@pytest.mark.parametrize("name", NAMED)
def test_a_name_stands_for_the_same_picture_for_ever(name: str) -> None:
    """Letters of years ago name their pictures in the same way: a picture that looks different needs another name."""
    scene = cell_scene(name)
    kit = scene.kit
    used = sorted({one.sprite for one in (*kit.scenery, *scene.placed)})
    drawing = (
        kit.width,
        kit.ground,
        dict(kit.colors),
        scene.placed,
        [(one, kit.sprites[one]) for one in used],
    )
    assert sha256(repr(drawing).encode()).hexdigest()[:16] == NAMED[name]
