"""The rules of placing a piece (Tak rules, Setting Up and Place)."""

import pytest

from takmail.games.tak.notation import tps
from takmail.games.tak.pieces import Color, Reserve, full_reserve
from tests.support.tak import refusal_of, start, state


@pytest.mark.parametrize(
    ("size", "stones", "capstones"), [(3, 10, 0), (4, 15, 0), (5, 21, 1), (6, 30, 1), (7, 40, 2), (8, 50, 2)]
)
def test_each_board_has_its_own_number_of_pieces(size, stones, capstones):
    position = start(size).position
    assert position.white_reserve == position.black_reserve == Reserve(stones, capstones)
    assert full_reserve(size) == (stones, capstones)


def test_the_first_two_plies_place_a_flat_of_the_opponents():
    game = start(5).play("ps a1").play("ps b1")
    assert game.board()[0] == "S s 0 0 0"
    assert game.position.reserve(Color.WHITE) == Reserve(20, 1)
    assert game.position.reserve(Color.BLACK) == Reserve(20, 1)


def test_from_the_third_ply_on_a_player_places_his_own():
    game = start(5).play("ps a1").play("ps b1").play("ps c1").play("pw d1").play("pc e1")
    assert game.board()[0] == "S s s W c"
    assert game.position.white_reserve == (19, 0)
    assert game.position.black_reserve == (19, 1)


@pytest.mark.parametrize(("letter", "kind"), [("w", "wall"), ("c", "capstone")])
def test_only_a_flat_goes_in_the_opening(letter, kind):
    assert refusal_of(start(5), f"p{letter} b4") == ("opening-flat-only", {"kind": kind, "color": "black"})
    second = start(5).play("ps a1")
    assert refusal_of(second, f"p{letter} b4") == ("opening-flat-only", {"kind": kind, "color": "white"})


def test_no_piece_goes_on_another():
    game = state("x5/x5/x5/x,12C,x3/x5 1 5")
    facts = {"square": "b4", "height": 2, "color": "black", "kind": "capstone"}
    assert refusal_of(game, "ps b4") == ("space-taken", facts)


def test_a_capstone_that_is_on_the_board_is_not_in_the_reserve():
    game = state("1C,x4/x5/x5/x5/x5 1 5")
    facts = {"kind": "capstone", "color": "white", "whole": 1}
    assert refusal_of(game, "pc b4") == ("none-left", facts)


def test_whoever_has_only_his_capstone_left_can_place_no_stone():
    game = state("111111111111111111111,x4/x5/x5/x5/x,2,x3 1 30")
    assert game.result is None
    assert refusal_of(game, "ps b4") == ("none-left", {"kind": "flat", "color": "white", "whole": 21})
    assert refusal_of(game, "pw b4") == ("none-left", {"kind": "wall", "color": "white", "whole": 21})
    assert game.play("pc b4").result.how == "reserves"


def test_small_boards_know_no_capstone():
    game = state("x4/x4/x4/x4 1 2")
    assert refusal_of(game, "pc b4") == ("no-capstones-on-this-board", {"size": 4})


def test_a_game_that_is_over_takes_no_more_plies():
    game = state("1,1,1/x3/2,2,x 2 4")
    facts = {"score": "R-0", "ended_by": "road"}
    assert refusal_of(game, "ps a2") == ("game-over", facts)
    assert refusal_of(game, "mn a3 p1 1") == ("game-over", facts)


def test_the_plies_are_counted():
    game = start(3)
    assert (game.turns, game.to_move) == (0, 0)
    game = game.play("ps a1")
    assert (game.turns, game.to_move) == (1, 1)
    assert tps.write(game.position) == "2,x2/x3/x3 2 1"
