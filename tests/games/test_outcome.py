"""The end of a game (Tak rules, The Goal and Other Ways to Win)."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import Seat
from takmail.games.tak.board import board_of
from takmail.games.tak.judge import has_road, with_outcome
from takmail.games.tak.notation import tps
from tests.support.tak import start, state, wander


def ended(text, half_komi=0):
    outcome = tps.parse(text, half_komi).outcome
    return None if outcome is None else (outcome.score, outcome.ended_by.value)


def test_a_road_joins_north_and_south_or_west_and_east():
    assert ended("1,x2/1,2,x/1,2,x 2 4") == ("R-0", "road")
    assert ended("2,2,2/1,x2/1,x2 1 4") == ("0-R", "road")


def test_a_road_may_turn():
    assert ended("1,1,x,x/x,1,1,x/x,1,2,2/x,1,1,2 2 9") == ("R-0", "road")


def test_corners_do_not_connect():
    assert ended("1,x2/x,1,x/x2,1 2 4") is None


def test_two_edges_that_meet_in_a_corner_are_no_road():
    assert ended("1,1,x/1,x2/x3 2 4") is None


def test_a_wall_is_no_part_of_a_road_and_a_capstone_is():
    assert ended("1,1S,1,1,1/x5/x5/x5/x5 2 9") is None
    assert ended("1,1C,1,1,1/x5/x5/x5/x5 2 9") == ("R-0", "road")


def test_what_is_buried_is_no_part_of_a_road():
    assert ended("1,12,1/x3/x3 2 9") is None


def test_groups_that_touch_one_edge_each_are_no_road_even_if_one_move_touches_both():
    # The spread leaves one flat at the north edge and one at the south edge, which are not connected.
    game = state("x4/1,111,x2/x4/x,1,x2 1 9").play("mn b2 p1 1")
    assert game.result is None
    board = board_of(4)
    seeds = (1 << board.square(0, 0)) | (1 << board.square(0, 3))
    assert not has_road(board, seeds, seeds)


def test_one_ply_that_makes_both_roads_is_its_players():
    # White moves the top piece away. White's road is in the first row, and Black's in the third, where the
    # stack was.
    game = state("1,1,x/2,2,21/x3 1 9").play("mn c2 p1 1")
    assert (game.result.score, game.result.winner, game.result.facts["double_road"]) == (
        "R-0",
        Seat.FIRST,
        True,
    )
    game = state("2,2,x/1,1,12/x3 2 9").play("mn c2 p1 1")
    assert (game.result.score, game.result.winner, game.result.facts["double_road"]) == (
        "0-R",
        Seat.SECOND,
        True,
    )


def test_a_road_for_the_opponent_alone_is_the_opponents():
    game = state("x3/2,2,21/x3 1 9").play("mn c2 p1 1")
    assert (game.result.score, game.result.winner) == ("0-R", Seat.SECOND)


def test_a_road_takes_precedence_over_a_full_board():
    assert ended("2,2,2/1,2S,1/2,1,2 1 9") == ("0-R", "road")


def test_a_full_board_counts_flats_on_top_only():
    assert ended("1,2,1S/2,1,2/1,2S,222221 2 9") == ("F-0", "full")
    assert ended("1,2S,1S/2,1,2/1,2,2 2 9") == ("0-F", "full")


def test_capstones_do_not_count_as_flats():
    assert ended("1C,2,1,2,1/2,1,2,1,2/1,2,1,2,1/2,1,2,1,2/1S,2,1,2,1 2 30") == ("0-F", "full")


def test_as_many_flats_on_both_sides_are_a_draw():
    assert ended("1,2,1/2,1S,2/1,2,1 2 9") == ("1/2-1/2", "full")
    assert state("1,2,1/2,1S,2/1,2,1 2 9").result.winner is None


@pytest.mark.parametrize(
    ("half_komi", "score"), [(0, "F-0"), (1, "F-0"), (2, "1/2-1/2"), (3, "0-F"), (4, "0-F")]
)
def test_komi_is_added_to_blacks_flats(half_komi, score):
    assert ended("1,2,1/2,1,2/1,2,1S 2 9", half_komi) == ("1/2-1/2" if half_komi == 0 else "0-F", "full")
    assert ended("1,2,1/2,1,2/1,2S,1S 2 9", half_komi) == (score, "full")


def test_komi_plays_no_part_in_a_road():
    assert ended("1,1,1/x3/x3 2 9", 100) == ("R-0", "road")


@pytest.mark.parametrize("player", ["1", "2"])
def test_the_game_ends_when_either_player_has_nothing_left(player):
    assert ended(f"1111111111,x2/x,2,2/x3 {player} 12") == ("0-F", "reserves")
    assert ended(f"2222222222,x2/x,1,1/x3 {player} 12") == ("F-0", "reserves")


def test_a_capstone_in_reserve_keeps_the_game_going():
    assert ended("111111111111111111111,x4/x5/x5/x5/x,2,x3 1 30") is None
    assert ended("111111111111111111111,x4/x5/x5/x5/x,2,2,x,1C 1 30") == ("0-F", "reserves")


def test_the_result_has_what_a_letter_needs():
    result = state("1,2,1S/2,1,2/1,2S,222221 2 9").result
    assert result.how == "full"
    flats = {"white_flats": 4, "black_flats": 3, "komi": "0"}
    assert result.facts == {"double_road": False, **flats, "roads": (), "ran_out": ""}


def test_a_new_game_has_no_result():
    assert start(5).result is None


def naive_road(board, squares):
    def spaces(mask):
        return {square for square in board.squares if mask >> square & 1}

    for begin, end in ((board.north, board.south), (board.west, board.east)):
        seen, queue = set(), deque(spaces(squares & begin))
        while queue:
            square = queue.popleft()
            if square in seen:
                continue
            seen.add(square)
            if end >> square & 1:
                return True
            queue.extend(near for ray in board.rays[square] for near in ray.spaces[:1] if squares >> near & 1)
    return False


@given(st.integers(3, 8), st.integers(0, 2**72 - 1), st.integers(0, 2**72 - 1))
def test_roads_are_found_as_a_walk_from_space_to_space_finds_them(size, first, second):
    board = board_of(size)
    for squares in (first & board.full, (first | second) & board.full):
        assert has_road(board, squares, board.full) is naive_road(board, squares)


@given(st.integers(3, 6), st.integers(0, 10**6), st.integers(0, 120))
def test_judging_by_the_last_ply_agrees_with_judging_the_whole_board(size, seed, plies):
    position = wander(size, seed, plies)
    assert with_outcome(position._replace(outcome=None)) == position
