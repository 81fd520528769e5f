"""The board, and positions on one line, against the vectors."""

from collections import Counter
from random import Random
from time import process_time

import pytest

from takmail.games.interface import Refused
from takmail.games.tzaar.board import (
    LENGTHS,
    NAMES,
    RAYS,
    SPOT_NAMED,
    SPOTS,
    between,
    crosses_centre,
    lines_through,
)
from takmail.games.tzaar.game import TzaarGame
from takmail.games.tzaar.notation.record import replay_records
from takmail.games.tzaar.pieces import Color, Kind, Stack
from takmail.games.tzaar.position import (
    EMPTY,
    FIXED,
    has_all_pieces,
    random_position,
    read_position,
    write_position,
)
from tests.support.tables import each_row
from tests.tzaar.vectors import position, vectors

FIXED_GAME = TzaarGame().start("fixed")


def test_the_spots_have_the_names_and_neighbours_of_the_vectors() -> None:
    assert list(NAMES) == vectors()["spots"]
    assert LENGTHS == (5, 6, 7, 8, 8, 8, 7, 6, 5)
    beside = {
        NAMES[spot]: [NAMES[near] for near in sorted(ray[0] for ray in RAYS[spot] if ray)] for spot in SPOTS
    }
    assert beside == vectors()["neighbours"]


@each_row("taken", [0, (1 << 60) - 1, *(Random(seed).getrandbits(60) for seed in range(20))])
def test_a_line_reaches_the_nearest_taken_spot_of_each_ray(taken: int) -> None:
    for spot in SPOTS:
        nearest = {
            next(one for one in ray if taken >> one & 1)
            for ray in RAYS[spot]
            if any(taken >> one & 1 for one in ray)
        }
        assert {one for mask, reached in lines_through(spot) for one in reached[taken & mask]} == nearest


@each_row(
    ("start", "end", "way", "over_centre"),
    [
        ("a1", "a5", "a2 a3 a4", False),
        ("a1", "i5", "b2 c3 d4 f5 g5 h5", True),
        ("e1", "e8", "e2 e3 e4 e5 e6 e7", True),
        ("d5", "f4", "", True),
        ("d4", "e4", "", False),
        ("a5", "h2", "b5 c5 d5 f4 g3", True),
        ("a1", "b4", None, False),
        ("a1", "a1", None, False),
    ],
)
def test_the_way_between_two_spots(start: str, end: str, way: str | None, over_centre: bool) -> None:
    one, other = SPOT_NAMED[start], SPOT_NAMED[end]
    found = between(one, other)
    assert (found if found is None else [NAMES[spot] for spot in found]) == (
        way if way is None else way.split()
    )
    assert crosses_centre(one, other) is over_centre


def test_every_position_of_the_vectors_is_written_as_it_was_read() -> None:
    for game in vectors()["games"]:
        for text in (game["start"], *game["positions"]):
            assert write_position(position(text)) == text


@each_row(
    "text",
    [
        "",
        "x5/x6 w",
        "x5/x6/x7/x8/x8/x8/x7/x6/x5",
        "x5/x6/x7/x8/x8/x8/x7/x6/x5 g",
        "x5/x6/x7/x8/x9/x8/x7/x6/x5 w",
        "x5/x6/x7/x8/x8/x8/x7/x6/x4 w",
        "z1x4/x6/x7/x8/x8/x8/x7/x6/x5 w",
        "z31x4/x6/x7/x8/x8/x8/x7/x6/x5 w",
        "qx4/x6/x7/x8/x8/x8/x7/x6/x5 w",
        "x5/x6/x7/x8/x8/x8/x7/x6/x5 w  place",
    ],
)
def test_a_line_that_is_no_position_is_none(text: str) -> None:
    assert read_position(text) is None


@each_row(
    ("text", "reason"),
    [
        ("z20x4/t11x5/x7/x8/x8/x8/x7/x6/x5 w", "too-many-pieces"),
        ("zzzzz/zzx4/x7/x8/x8/x8/x7/x6/x5 w", "too-many-pieces"),
        ("ZZZZZ/ZZx4/x7/x8/x8/x8/x7/x6/x5 w place", "too-many-pieces"),
        ("rrrrr/rrrrrx/x7/x8/x8/x8/x7/x6/x5 b", "too-many-pieces"),
        ("ttttt/tttttt/tttttx2/x8/x8/x8/x7/x6/x5 b", "too-many-pieces"),
        ("TTTTt/tRRRrt/trZZzrt/trzTtzrt/trztTZRT/TRZTtZRT/TRZzzRT/TRrrrT/Ttttt b place", "placing-over"),
        ("z2x4/x6/x7/x8/x8/x8/x7/x6/x5 w place", "placing-stack"),
        ("zzzzz/zrrrrr/rrrrttt/tttttttt/ttttx4/x8/x7/x6/x5 w place", "placing-none-left"),
    ],
)
def test_an_impossible_position_is_refused(text: str, reason: str) -> None:
    for ask in (lambda: TzaarGame().position(text), lambda: FIXED_GAME.play(f"board {text}")):
        with pytest.raises(Refused) as caught:
            ask()
        assert caught.value.reason.name == reason
    (replayed,) = replay_records(f'[Start "{text}"]\n1. a5xa4')
    assert replayed.error is not None
    assert replayed.error.name == reason


@pytest.mark.parametrize(
    "text",
    [
        "z6r9t15x2/x6/x7/x8/x8/x8/x7/x6/x5 w",
        "zzzzz/zx5/x7/x8/x8/x8/x7/x6/x5 b place",
        "z20T30x3/x6/x7/x8/x8/x8/x7/x6/x5 w",
        "zzzzz/zrrrrr/rrrrttt/tttttttt/ttttx4/x8/x7/x6/x5 b place",
    ],
)
def test_a_possible_position_has_a_picture(text: str) -> None:
    state = TzaarGame().position(text)
    assert state is not None
    assert state.picture()
    assert state.facts()


def test_a_long_line_of_spaces_is_no_position() -> None:
    begin = process_time()
    assert TzaarGame().position("z/" + " " * 80_000 + "!") is None
    assert process_time() - begin < 1


def test_the_fixed_start_is_that_of_the_vectors_and_has_all_pieces() -> None:
    assert write_position(FIXED) == vectors()["fixed"]
    assert has_all_pieces(FIXED.stacks)
    assert FIXED.is_first_turn
    for color in Color:
        assert FIXED.kinds(color) == {
            Kind[name.upper()]: count for name, count in vectors()["counts"].items()
        }


def test_the_empty_board_has_everything_to_place() -> None:
    assert write_position(EMPTY) == "x5/x6/x7/x8/x8/x8/x7/x6/x5 w place"
    assert EMPTY.reserve(Color.BLACK) == {Kind.TZAAR: 6, Kind.TZARRA: 9, Kind.TOTT: 15}


def test_a_stack_is_what_its_byte_says() -> None:
    found = position("Z30x4/t2x5/x7/x8/x8/x8/x7/x6/x5 b")
    assert found.at(SPOT_NAMED["a1"]) == Stack(Color.BLACK, Kind.TZAAR, 30)
    assert found.at(SPOT_NAMED["b1"]) == Stack(Color.WHITE, Kind.TOTT, 2)
    assert found.at(SPOT_NAMED["i5"]) is None
    assert found.to_move is Color.BLACK


def test_a_random_start_has_all_pieces_and_every_piece_stands_anywhere() -> None:
    starts = [random_position(Random(seed)) for seed in range(2000)]
    assert all(has_all_pieces(start.stacks) for start in starts)
    corner = Counter(start.at(SPOT_NAMED["a1"]) for start in starts)
    for stack in (Stack(color, kind) for color in Color for kind in Kind):
        expected = 2000 * stack.kind.count / 60
        assert abs(corner[stack] - expected) < 5 * expected**0.5
