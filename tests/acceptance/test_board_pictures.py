"""Pictures of boards show the position and the last move. The tests read only the pixels."""

from functools import cache
from itertools import count, islice, pairwise
from random import Random

import pytest

from takmail.games.interface import Result, Seat
from takmail.games.tak.apply import apply_move
from takmail.games.tak.board import board_of
from takmail.games.tak.judge import with_outcome
from takmail.games.tak.moves import Spread, legal_moves
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.notation.komi import write_komi
from takmail.games.tak.picture.road_shapes import winning_road
from takmail.games.tak.pieces import SIZES, Color, Kind, Piece, Reserve, full_reserve
from takmail.games.tak.position import Position, pieces_of, position_of
from takmail.games.tak.state import TakState
from takmail.letters.pictures.painter import Painter
from takmail.limits.letters import MAX_ANIMATED_TURNS
from tests.support.examples import examples
from tests.support.read_picture import BoardSeen, read_board
from tests.support.tak import recorded, replayed, wander
from tests.support.width import combined, some_of, tenth_of

PAINTER = Painter()
LEANS = {Color.WHITE: "wall to the east", Color.BLACK: "wall to the west"}
POSITIONS = max(20, examples(20, 200))


@cache
def games(size: int) -> tuple[tuple[TakState, str | None], ...]:
    """Return random positions, each with its last move. Half are played, and half are made up with tall stacks."""
    made = ((thrown if seed % 2 else played)(size, seed) for seed in count())
    some = list(islice(made, POSITIONS))
    # Few positions have a road, so one that has a road is added.
    return *some, next(one for one in made if winning_road(one[0].position))


def played(size: int, seed: int) -> tuple[TakState, str | None]:
    chance = Random(f"{size} {seed}")
    before = wander(size, seed, chance.randrange(4 * size * size), chance.randrange(10))
    moves = legal_moves(before)
    if not moves:
        return TakState(before), None
    spreads = [move for move in moves if isinstance(move, Spread)]
    move = chance.choice(spreads if spreads and chance.random() < 0.6 else moves)
    return TakState(apply_move(before, move)), mail.write(before.board, move)


def thrown(size: int, seed: int) -> tuple[TakState, str | None]:
    """Return a position with random pieces, often mostly of one colour, and a random last move."""
    chance = Random(f"{size} {seed}")
    board, whites = board_of(size), chance.choice((0.02, 0.3, 0.5, 0.7, 0.98))
    left = {color: list(full_reserve(size)) for color in Color}
    heights = (1,) if seed % 4 == 1 else (1,) * 8 + (2, 3, size, size + 1, 2 * size, 3 * size)
    stacks = {}
    for square in chance.sample(board.squares, chance.randint(1, size * size)):
        pieces = []
        for _ in range(chance.choice(heights)):
            color = Color.WHITE if chance.random() < whites else Color.BLACK
            if left[color][0]:
                left[color][0] -= 1
                pieces.append(pieces_of(color)[Kind.FLAT])
        if pieces:
            top = pieces[-1].color
            kind = chance.choice((Kind.FLAT, Kind.FLAT, Kind.FLAT, Kind.WALL))
            if left[top][1] and chance.random() < 0.2:
                kind = Kind.CAPSTONE
                left[top] = [left[top][0] + 1, left[top][1] - 1]
            stacks[square] = (*pieces[:-1], pieces_of(top)[kind])
    reserves = (Reserve(*left[color]) for color in Color)
    position = position_of(size, stacks, chance.randrange(2, 99), chance.randrange(10), *reserves)
    rays = [ray for square in board.squares for ray in board.rays[square] if ray.spaces]
    ray = chance.choice(rays)
    drops = (1,) * chance.randint(1, len(ray.spaces))
    return TakState(with_outcome(position)), mail.write(board, Spread(ray.square, ray.direction, drops))


def seen(state: TakState, last: str | None = None, result: Result | None = None) -> BoardSeen:
    return read_board(PAINTER.png(state.picture(last, result)), state.position.size)


def stacks(position: Position):
    """Return the stack of each square, by (column, row)."""
    board = position.board
    return {(board.column(at), board.row(at)): position.stacks[at] for at in board.squares}


def look(piece) -> tuple[str, str]:
    return piece.color.value, LEANS[piece.color] if piece.kind is Kind.WALL else piece.kind.value


def steps(position: Position, squares):
    """Return the pairs of adjacent places on a path of squares."""
    board = position.board
    places = [(board.column(at), board.row(at)) for at in squares]
    return list(pairwise(places))


def way_of(position: Position, last: str | None):
    move = None if last is None else mail.parse(position.board, last).move
    match move:
        case None:
            return []
        case Spread(square=at, direction=direction, drops=drops):
            return [at, *position.board.ray(at, direction).spaces[: len(drops)]]
        case _:
            return [move.square]


def assert_squares_are_right(board: BoardSeen, position: Position) -> None:
    for place, stack in stacks(position).items():
        square = board.squares[place]
        assert square.top == (look(stack[-1]) if stack else None), place
        assert square.number == (str(len(stack)) if len(stack) > 1 else ""), place
        colors = tuple(piece.color.value for piece in stack)
        assert square.tower == (colors if len(stack) > 1 else ()), place
        limit = position.carry_limit
        assert square.over_line == (limit if len(stack) > limit else None), place


def assert_marks_are_right(board: BoardSeen, position: Position, last: str | None) -> None:
    way, road = way_of(position, last), winning_road(position)
    geometry = position.board
    ringed = {(geometry.column(at), geometry.row(at)) for at in way}
    paved = {(geometry.column(at), geometry.row(at)) for at in road}
    reached = {(geometry.column(at), geometry.row(at)) for at in (way[1:] or way)}
    for place, square in board.squares.items():
        assert square.is_ringed == (place in ringed), place
        floor = "road" if place in paved else "last" if place in reached else "square"
        assert square.floor == floor, place
    arrows = {}
    for (x, y), (x2, y2) in steps(position, way):
        pair = (min((x, y), (x2, y2)), max((x, y), (x2, y2)))
        arrows[pair] = {(1, 0): "east", (-1, 0): "west", (0, 1): "south", (0, -1): "north"}[x2 - x, y2 - y]
    bridges = {(min(pair), max(pair)) for pair in steps(position, road)}
    expected = {
        pair: ("road" if pair in bridges else "paper", arrows.get(pair, ""))
        for pair in bridges | arrows.keys()
    }
    assert board.ways == expected


def assert_bars_are_right(board: BoardSeen, state: TakState) -> None:
    position, result = state.position, state.result
    for seat, (color, bar) in enumerate(zip(Color, board.bars, strict=True)):
        reserve = position.reserve(color)
        assert bar.face == color.value
        assert bar.flats == str(position.flats(color))
        assert bar.stones == str(reserve.stones)
        assert bar.capstones == (str(reserve.capstones) if full_reserve(position.size).capstones else "")
        has_komi = color is Color.BLACK and position.half_komi > 0
        assert bar.komi == (write_komi(position.half_komi) if has_komi else "")
        if result is None:
            assert bar.has_label == (position.to_move is color)
        else:
            assert bar.has_label == (result.winner in (None, seat))


@pytest.mark.many
@pytest.mark.parametrize("size", some_of(SIZES, 2))
def test_each_piece_height_tower_mark_and_number_is_found_where_it_belongs(size):
    *others, with_road = games(size)
    for state, last in (*tenth_of(others), with_road):
        board = seen(state, last)
        assert_squares_are_right(board, state.position)
        assert_marks_are_right(board, state.position, last)
        assert_bars_are_right(board, state)


@pytest.mark.parametrize("size", SIZES)
def test_the_positions_hold_all_that_can_be_seen(size):
    states = [state.position for state, _ in games(size)]
    tops = {stack[-1] for position in states for stack in position.stacks if stack}
    assert len(tops) == (6 if full_reserve(size).capstones else 4)
    assert any(len(stack) > size for position in states for stack in position.stacks)
    assert any(winning_road(position) for position in states)


@pytest.mark.parametrize("size", some_of(SIZES, 2))
def test_columns_have_letters_and_rows_have_numbers_on_all_four_sides(size):
    signs = seen(games(size)[0][0]).signs
    assert signs["north"] == signs["south"] == "ABCDEFGH"[:size]
    assert signs["west"] == signs["east"] == "12345678"[:size]


@pytest.mark.parametrize(("size", "top"), combined(SIZES, ["", "S", "C"]))
def test_a_tower_of_all_pieces_there_are_is_told_piece_by_piece(size, top):
    most = full_reserve(size)
    if top == "C" and not most.capstones:
        return
    colors = "12" * (most.stones - 1) + "1" + top
    rest = "/".join([f"x{size}"] * (size - 1))
    state = TakState(tps.parse(f"x{size - 1},{colors}/{rest} 1 60"))
    assert_squares_are_right(seen(state), state.position)


@pytest.mark.parametrize("size", some_of(SIZES, 2))
def test_towers_of_every_height_are_told_piece_by_piece(size):
    chance, board = Random(size), board_of(size)
    heights = range(1, 2 * full_reserve(size).stones + 1)
    for first in range(1, len(heights), len(board.squares)):
        stacks = {
            square: tuple(chance.choices((Piece.WHITE_FLAT, Piece.BLACK_FLAT), k=height))
            for square, height in zip(board.squares, heights[first:], strict=False)
        }
        whole = full_reserve(size)
        position = position_of(size, stacks, 60, 0, whole, whole)
        assert_squares_are_right(seen(TakState(position)), position)


def test_a1_is_the_north_west_corner():
    state = TakState(tps.parse("1,x4/x5/x5/x5/x4,2 1 2"))
    board = seen(state)
    assert board.squares[0, 0].top == ("white", "flat")
    assert board.squares[4, 4].top == ("black", "flat")


def test_a_move_along_a_road_keeps_both_its_arrows_and_the_road():
    state = TakState(tps.parse("1,1,x/x2,1/x,2,2 1 4")).play("mn c2 p1 1")
    board = seen(state, "mn c2 p1 1")
    assert board.squares[2, 0].floor == "road"
    assert board.squares[2, 0].is_ringed
    assert board.ways[(2, 0), (2, 1)] == ("paper", "north")
    assert board.ways[(0, 0), (1, 0)] == ("road", "")


@pytest.mark.parametrize(("winner", "labels"), [(Seat.FIRST, [1, 0]), (Seat.SECOND, [0, 1]), (None, [1, 1])])
def test_a_game_that_people_have_ended_says_so_in_the_bars(winner, labels):
    state = TakState(tps.parse("1,x4/x5/x5/x5/x4,2 1 2"))
    board = seen(state, None, Result(winner, "", "agreed"))
    assert [bar.has_label for bar in board.bars] == labels


def test_pictures_are_small_enough_for_letters():
    for number, game in tenth_of(recorded(size=6)):
        for state, turn in [*zip(replayed(number)[1:], game["mail"], strict=True)][4::75]:
            assert len(PAINTER.png(state.picture(turn))) <= 30_000


@pytest.mark.parametrize("size", some_of([5, 6, 7, 8], 1))
def test_an_animation_of_eighty_plies_is_small_enough_for_a_letter(size):
    number, game = max(recorded(size=size), key=lambda one: len(one[1]["mail"]))
    turns = (None, *game["mail"])
    scenes = [state.picture(turn) for state, turn in zip(replayed(number), turns, strict=True)]
    assert len(scenes) > MAX_ANIMATED_TURNS == 80
    for shown in (scenes[: MAX_ANIMATED_TURNS + 1], scenes[-MAX_ANIMATED_TURNS - 1 :]):
        assert len(PAINTER.gif([shown[-1], *shown])) <= 400_000
