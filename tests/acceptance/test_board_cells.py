"""The board in a letter is a table: its words alone tell the whole position, and each cell's picture shows the same.

The tests of pictures read only their pixels.
"""

import re
from functools import cache
from itertools import combinations

import pytest

from takmail.games.tak.apply import apply_move
from takmail.games.tak.board import Direction, board_of
from takmail.games.tak.moves import Spread
from takmail.games.tak.notation import mail, rs, tps
from takmail.games.tak.picture.cells import cell_scene, grid_of
from takmail.games.tak.picture.colors import LAST, MARK, ROAD, SQUARE, VALUES
from takmail.games.tak.picture.road_shapes import winning_road
from takmail.games.tak.pieces import SIZES, Piece, full_reserve
from takmail.games.tak.state import TakState
from takmail.letters.pictures.painter import Painter
from tests.acceptance.test_board_pictures import games, look, steps, way_of
from tests.support.pages import page
from tests.support.read_grid import read_grids
from tests.support.read_picture import CellSeen, read_cell
from tests.support.tables import each_row
from tests.support.tak import recorded, replayed, state
from tests.support.width import some_of, tenth_of

PAINTER = Painter()
SIDES = ("side-white", "side-black")


@cache
def png(name: str) -> bytes:
    return PAINTER.png(cell_scene(name))


@cache
def seen(name: str, size: int) -> CellSeen:
    return read_cell(png(name), size)


def cells(game: TakState, last: str | None) -> dict[tuple[int, int], str]:
    """Return the names of the pictures of a board's cells, by (column, row)."""
    grid = game.grid(last)
    return {(x, y): cell.picture for y, row in enumerate(grid.rows) for x, cell in enumerate(row.cells)}


def assert_table_is_right(game: TakState, last: str | None) -> None:
    made = page(game, last)
    (grid,) = read_grids(made.html)
    size = game.position.size
    assert grid.columns == list("ABCDEFGH"[:size])
    assert grid.rows == list("12345678"[:size])
    assert grid.board == rs.write(game.position, aligned=False)
    assert {f"{name}@takmail" for name in made.pictures} == {
        *grid.pictures.values(),
        *(f"{side}@takmail" for side in SIDES),
    }
    drawn = cells(game, last)
    for (column, row), picture in grid.pictures.items():
        place = ("ABCDEFGH".index(column), int(row) - 1)
        assert picture == f"{drawn[place]}@takmail"
        assert grid.colors[column, row] == VALUES[seen(drawn[place], size).floor]


@pytest.mark.many
@pytest.mark.parametrize("size", some_of(SIZES, 2))
def test_any_position_can_be_set_up_from_the_words_of_its_table(size: int) -> None:
    for game, last in tenth_of(games(size)):
        assert_table_is_right(game, last)


def test_every_recorded_game_can_be_followed_by_ear_to_its_end() -> None:
    for number, record in tenth_of(recorded()):
        for game, text in zip(replayed(number)[1:], record["mail"], strict=True):
            if game.turns % 20 == 0 or game.result:
                (grid,) = read_grids(page(game, text).html)
                assert grid.board == rs.write(game.position, aligned=False)


def assert_cells_are_right(game: TakState, last: str | None) -> None:
    position = game.position
    board, limit = position.board, position.carry_limit
    way, road = way_of(position, last), winning_road(position)
    joins = {pair for one, two in steps(position, road) for pair in ((one, two), (two, one))}
    leads = dict(steps(position, way))
    for place, name in cells(game, last).items():
        square, cell = board.square(*place), seen(name, position.size)
        stack = position.stacks[square]
        assert cell.top == (look(stack[-1]) if stack else None), name
        assert cell.number == (str(len(stack)) if len(stack) > 1 else ""), name
        assert cell.tower == (tuple(piece.color.value for piece in stack) if len(stack) > 1 else ()), name
        assert cell.over_line == (limit if len(stack) > limit else None), name
        floor = ROAD if square in road else LAST if square in (way[1:] or way) else SQUARE
        assert (cell.floor, cell.is_ringed) == (floor, square in way), name
        assert cell.lead == (direction(place, leads[place]) if place in leads else ""), name
        assert cell.joins == {direction(one, two) for one, two in joins if one == place}, name


def direction(start: tuple[int, int], end: tuple[int, int]) -> str:
    step = (end[0] - start[0], end[1] - start[1])
    return {(0, -1): "north", (1, 0): "east", (0, 1): "south", (-1, 0): "west"}[step]


@pytest.mark.many
@pytest.mark.parametrize("size", some_of(SIZES, 2))
def test_each_cell_shows_what_stands_there(size: int) -> None:
    for game, last in games(size):
        assert_cells_are_right(game, last)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("top", ["", "S", "C"])
def test_the_tallest_stack_is_shown_piece_by_piece(size: int, top: str) -> None:
    most = full_reserve(size)
    if top == "C" and not most.capstones:
        return
    rest = "/".join([f"x{size}"] * (size - 1))
    assert_cells_are_right(state(f"x{size - 1},{'12' * (most.stones - 1)}1{top}/{rest} 1 60"), None)


@pytest.mark.parametrize("size", some_of(SIZES, 2))
def test_two_looks_never_have_the_same_picture(size: int) -> None:
    names = {name for game, last in games(size) for name in cells(game, last).values()}
    assert len(names) > 30
    assert len({png(name) for name in (*names, *SIDES)}) == len(names) + 2


@pytest.mark.parametrize("size", SIZES)
def test_an_arrow_hides_no_road_to_the_same_side(size: int) -> None:
    assert png(f"{size}-b-s-ns-s") != png(f"{size}-b-s-n-s")
    assert seen(f"{size}-b-s-ns-s", size).joins == {"north", "south"}


@pytest.mark.parametrize("size", SIZES)
def test_a_name_can_be_part_of_a_content_id_and_tells_its_picture(size: int) -> None:
    for game, last in games(size):
        for place, name in cells(game, last).items():
            assert re.fullmatch(r"[a-z0-9-]+", name)
            stack = game.position.stacks[game.position.board.square(*place)]
            assert name.rpartition("-")[2] == "".join(LETTERS[piece] for piece in stack)


LETTERS = dict(zip(Piece, "swctxd", strict=True))


@each_row(
    "name",
    [
        "",
        "side",
        "side-red",
        "2-p---",
        "9-p---",
        "5-p--",
        "5-q---s",
        "5-p---S",
        "5-p-x--",
        "5-p---z",
        "5-p---s\n",
        "5-p---" + "s" * 111,
        "../5-p---",
    ],
)
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no picture"):
        cell_scene(name)


def test_floors_and_marks_can_be_told_apart_without_colour() -> None:
    for one, other in combinations((SQUARE, LAST, MARK), 2):
        assert abs(luminance(VALUES[one]) - luminance(VALUES[other])) > 0.1, (one, other)
    # A road is also joined by dark bars, and its floor is as light as that of other squares.
    assert abs(luminance(VALUES["black"]) - luminance(VALUES[ROAD])) > 0.3


def luminance(color: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    parts = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in (red, green, blue))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


@pytest.mark.parametrize("way", list(Direction))
def test_an_arrow_leads_from_each_square_of_a_move_to_the_next(way: Direction) -> None:
    board = board_of(5)
    before = tps.parse("x5/x5/x2,111,x2/x5/x5 1 9")
    move = Spread(board.square(2, 2), way, (1, 1))
    game, text = TakState(apply_move(before, move)), mail.write(board, move)
    assert_cells_are_right(game, text)
    leads = [seen(name, 5).lead for name in cells(game, text).values()]
    assert sorted(filter(None, leads)) == [way.value] * 2


def test_the_sides_are_a_piece_of_each_colour() -> None:
    white, black = grid_of(state("x3/x3/x3 1 1").position, None).sides
    assert (white, black) == SIDES
    assert png(white) != png(black)


def test_pictures_of_a_letter_are_small() -> None:
    number, record = max(recorded(size=8), key=lambda one: len(one[1]["mail"]))
    for game, text in list(zip(replayed(number)[1:], record["mail"], strict=True))[::10]:
        names = set(cells(game, text).values())
        assert sum(len(png(name)) for name in names) < 60_000
