"""Pictures of TZAAR: what each spot shows, in a picture of the board and in the cells of a letter."""

import re
from itertools import combinations

import pytest

from takmail.games.interface import Result, Seat
from takmail.games.picture import Scene, Text
from takmail.games.tzaar.board import LENGTHS, NAMES, SPOT_NAMED, SPOTS
from takmail.games.tzaar.picture.cells import cell_scene, grid_of
from takmail.games.tzaar.picture.colors import BLACK, BOARD, LAST, MARK, VALUES, WHITE
from takmail.games.tzaar.picture.layout import Direction, neighbour
from takmail.games.tzaar.picture.looks import Floor, look_named, looks_of
from takmail.games.tzaar.picture.scene import CORNERS, SIZE, kit, scene_of
from takmail.games.tzaar.pieces import Color, Kind, Stack
from takmail.games.tzaar.position import EMPTY, FIXED, Position, position_with
from takmail.games.tzaar.turns import parse_turn
from takmail.letters.pictures.painter import Painter
from takmail.letters.pictures.svg import svg
from tests.support.tables import each_row
from tests.tzaar.vectors import position, vectors

PAINTER = Painter()


def board(**stacks: Stack) -> Position:
    """Return a board on which only these stacks stand."""
    return position_with([stacks.get(name) for name in NAMES], Color.WHITE)


def looks(shown: Position, last: str | None) -> dict[str, str]:
    """Return the names of the looks by spot."""
    move = None if last is None else parse_turn(last).move
    return {NAMES[spot]: look.name for spot, look in looks_of(shown, move).items()}


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.2)."""
    parts = []
    for name in (one, other):
        red, green, blue = (byte / 255 for byte in bytes.fromhex(VALUES[name][1:]))
        linear = [
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (red, green, blue)
        ]
        parts.append(
            sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
        )
    dark, light = sorted(parts)
    return (light + 0.05) / (dark + 0.05)


def test_the_rows_of_a_grid_are_those_of_the_board_in_letters() -> None:
    grid = grid_of(FIXED, None)
    assert grid.columns == ()
    assert [row.heading for row in grid.rows] == list("ABCDEFGHI")
    assert [len(row.places) for row in grid.rows] == list(LENGTHS)
    assert [row.shift for row in grid.rows] == [4, 3, 2, 1, 0, 1, 2, 3, 4]
    assert [cell.place for row in grid.rows for cell in row.places] == list(NAMES)
    assert [cell is None for cell in grid.rows[4].cells] == [False] * 4 + [True] + [False] * 4
    assert grid.halves * grid.cell_width / 2 + 12 <= 336


def test_neighbours_stand_half_a_cell_apart_or_side_by_side() -> None:
    for row in vectors()["neighbours"].items():
        name, beside = row
        spot = SPOT_NAMED[name]
        found = {NAMES[one] for way in Direction if (one := neighbour(spot, way)) is not None}
        assert found == set(beside)
        x, y = CORNERS[spot]
        for way in Direction:
            other = neighbour(spot, way)
            if other is not None:
                east, south = way.to_neighbour
                assert CORNERS[other] == (x + east * SIZE.width // 2, y + south * SIZE.height)
                assert neighbour(other, way.opposite) == spot


@pytest.mark.parametrize(
    ("last", "marked"),
    [
        (None, {}),
        ("c e1 e3", {"e1": "a-f", "e2": "ad-p", "e3": "d-t"}),
        ("c c1 e3 s i5 g5", {"c1": "b-f", "d2": "be-p", "e3": "e-t", "i5": "e-f", "h5": "be-p", "g5": "b-t"}),
        ("c e1 e3 c e3 f3", {"e1": "a-f", "e2": "ad-p", "e3": "bd-f", "f3": "e-t"}),
        ("c d4 d5 pass", {"d4": "a-f", "d5": "d-t"}),
        ("pz e4", {"e4": "-t"}),
    ],
)  # fmt: skip
def test_the_last_turn_is_marked_where_it_began_where_it_went_and_where_it_ended(
    last: str | None, marked: dict[str, str]
) -> None:
    ends = [name for name, mark in marked.items() if mark.endswith("t")]
    shown = looks(board(**dict.fromkeys(ends, Stack(Color.WHITE, Kind.TOTT))), last)
    plain = looks(board(), None)
    found = {name: re.search(r"-([a-f]*-[pft])-", look)[1] for name, look in shown.items()}
    assert {name: mark for name, mark in found.items() if mark != "-p"} == marked
    assert all(shown[name] == plain[name] for name in NAMES if name not in marked)


def test_a_name_is_read_back_and_stands_for_one_picture() -> None:
    names = {}
    for game in vectors()["games"][:6]:
        for text in game["positions"][::7]:
            for look in looks_of(position(text), None).values():
                assert look_named(look.name) == look
                assert re.fullmatch(r"[a-z0-9-]+", look.name)
                names[look.name] = None
    sides = grid_of(FIXED, None).sides
    drawn = {PAINTER.png(cell_scene(name)) for name in (*names, *sides)}
    assert len(drawn) == len(names) + 2 > 100


@each_row(
    "name",
    [
        "",
        "spot",
        "tzaar-red",
        "spot-9-abc--p-",
        "spot-1-abcdef--p-",  # no first spot of a row has six neighbours
        "spot-1-cba--p-",
        "spot-1-abc-d-p-",  # a mark where there is no line
        "spot-1-abc--q-",
        "spot-1-abc--p-w",
        "spot-1-abc--p-wz1",
        "spot-1-abc--p-wz31",
        "spot-1-abc--p-4",
        "spot-1-abc--p-WZ",
        "spot-1-abc--p-\n",
    ],
)
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is called"):
        cell_scene(name)


def test_a_cell_tells_what_stands_there_and_has_the_colour_of_the_last_turn() -> None:
    shown = board(e4=Stack(Color.WHITE, Kind.TZAAR, 3), a1=Stack(Color.BLACK, Kind.TOTT))
    cells = {
        cell.place: cell
        for row in grid_of(shown, parse_turn("c d4 e4 pass").move).rows
        for cell in row.places
    }
    assert (cells["e4"].content, cells["a1"].content, cells["d4"].content) == ("z3", "T", "")
    assert cells["e4"].color == VALUES[LAST]
    assert {cells[name].color for name in NAMES if name != "e4"} == {VALUES[BOARD]}


def test_kinds_and_sides_are_told_apart_without_colour() -> None:
    """Each kind has another outline, both in the board's line colour; the sides differ in lightness."""
    outlines = {}
    for color in Color:
        for kind in Kind:
            tile = kit().sprites[f"abcdef--p-{color.word[0]}{kind.letter}"]
            outline, face = tile.shapes[-2:]
            assert outline.fill == BLACK
            outlines.setdefault(kind, set()).add(repr(outline))
            assert face.fill == (WHITE if color is Color.WHITE else BLACK)
    assert all(len(some) == 1 for some in outlines.values())
    assert len(set.union(*outlines.values())) == 3
    assert contrast(WHITE, BLACK) >= 10
    for floor in (BOARD, LAST):
        assert contrast(BLACK, floor) >= 4.5
    for one, other in combinations((BOARD, LAST, MARK), 2):
        assert contrast(one, other) >= 1.2


def heights(scene: Scene) -> dict[str, str]:
    """Return the numbers on stacks, by the spot in whose tile they stand."""
    found: dict[str, str] = {}
    for one in scene.placed:
        if one.sprite.startswith("height:"):
            spot = next(
                spot
                for spot, (x, y) in CORNERS.items()
                if x <= one.x < x + SIZE.width and y <= one.y < y + SIZE.height
            )
            found[NAMES[spot]] = found.get(NAMES[spot], "") + one.sprite[-1]
    return found


def test_a_picture_shows_each_spot_with_its_number_and_the_height_of_its_stack() -> None:
    shown = board(
        a1=Stack(Color.WHITE, Kind.TZAAR, 12),
        e5=Stack(Color.BLACK, Kind.TOTT),
        i5=Stack(Color.BLACK, Kind.TZARRA, 7),
    )
    scene = scene_of(shown, None, None)
    assert heights(scene) == {"a1": "12", "i5": "7"}
    at = {(one.x, one.y): one.sprite for one in scene.placed}
    for spot in SPOTS:
        assert look_named(f"spot-{NAMES[spot][1:]}-{at[CORNERS[spot]]}").tile.floor is Floor.PLAIN
    numbers = [one.sprite.split(":")[1] for one in scene.placed if one.sprite.startswith("number:")]
    assert numbers == [name[1:] for name in NAMES]


def words_of(scene: Scene) -> list[str]:
    shapes = (shape for one in scene.placed for shape in scene.kit.sprites[one.sprite].shapes)
    return [shape.text for shape in shapes if isinstance(shape, Text) and not shape.text.isdigit()]


@pytest.mark.parametrize(
    ("shown", "result", "words"),
    [
        (FIXED, None, ["White to move", "on top", "Black", "on top"]),
        (EMPTY, None, ["White to move", "to place", "Black", "to place"]),
        (FIXED, Result(Seat.SECOND, "0-1", "resigned"), ["White", "on top", "Black wins", "on top"]),
        (FIXED, Result(None, "1/2-1/2", "agreed"), ["White draws", "on top", "Black draws", "on top"]),
    ],
)
def test_the_bars_tell_whose_turn_it_is_or_who_has_won(
    shown: Position, result: Result | None, words: list[str]
) -> None:
    assert words_of(scene_of(shown, None, result)) == words


def test_all_pictures_of_a_game_make_an_animation_and_a_drawing() -> None:
    scenes = [scene_of(one, None, None) for one in (EMPTY, FIXED)]
    assert PAINTER.gif(scenes).startswith(b"GIF89a")
    drawing = svg(scenes[1])
    assert drawing.count("<use ") == len(scenes[1].placed) + len(kit().scenery)
    assert "nan" not in drawing


def test_the_pictures_of_a_letter_are_small() -> None:
    names = {cell.picture for row in grid_of(FIXED, None).rows for cell in row.places}
    assert sum(len(PAINTER.png(cell_scene(name))) for name in names) < 40_000
