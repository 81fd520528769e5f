"""The rules of moving a stack (Tak rules, Move and Additional Movement Rules)."""

import pytest

from takmail.games.tak.notation import tps
from tests.support.tak import refusal_of, start, state


def moved(before, move):
    return tps.write(state(before).play(move).position)


def test_a_single_piece_moves_one_space_in_each_direction():
    before = "x5/x5/x2,1,x2/x5/x5 1 5"
    assert moved(before, "mn c3 p1 1") == "x5/x2,1,x2/x5/x5/x5 2 5"
    assert moved(before, "ms c3 p1 1") == "x5/x5/x5/x2,1,x2/x5 2 5"
    assert moved(before, "me c3 p1 1") == "x5/x5/x3,1,x/x5/x5 2 5"
    assert moved(before, "mw c3 p1 1") == "x5/x5/x,1,x3/x5/x5 2 5"


def test_a_piece_covers_flats_of_either_side():
    assert moved("1,2,x/x3/x3 1 5", "me a1 p1 1") == "x,21,x/x3/x3 2 5"
    assert moved("1,1,x/x3/x3 1 5", "me a1 p1 1") == "x,11,x/x3/x3 2 5"


def test_drops_come_off_the_bottom_of_the_hand():
    assert moved("x5/x,2212S,x3/x5/x5/x5 2 5", "ms b2 p3 2 1") == "x5/x,2,x3/x,21,x3/x,2S,x3/x5 1 6"


def test_the_example_of_the_rules_walks_a_wall_over_three_spaces():
    assert moved("12211S,2,2,2,x/x5/x5/x5/x5 1 8", "me a1 p5 2 2 1") == "x,212,221,21S,x/x5/x5/x5/x5 2 8"


def test_the_example_of_the_mail_page_picks_up_three_and_leaves_two_then_one():
    assert moved("x5/x,112,x3/x5/x5/x5 2 5", "ms b2 p3 2 1") == "x5/x5/x,11,x3/x,2,x3/x5 1 6"


def test_what_is_left_behind_may_be_the_opponents():
    game = state("x5/x,21,x3/x5/x5/x5 1 5").play("mn b2 p1 1")
    assert refusal_of(game.play("ps a5"), "ms b2 p1 1")[0] == "not-yours"


def test_nothing_moves_in_the_opening():
    game = start(5).play("ps b4")
    assert refusal_of(game, "mn b4 p1 1") == ("opening-no-moves", {"square": "b4", "color": "white"})


def test_there_has_to_be_a_stack():
    assert refusal_of(state("x5/x5/x5/x5/x5 1 5"), "mn b4 p1 1") == ("nothing-there", {"square": "b4"})


def test_the_top_has_to_be_ones_own():
    facts = {"square": "b4", "color": "black", "kind": "wall"}
    assert refusal_of(state("x5/x5/x5/x,12S,x3/x5 1 5"), "mn b4 p1 1") == ("not-yours", facts)


def test_no_more_is_taken_than_there_is():
    facts = {"square": "b4", "count": 3, "height": 2}
    assert refusal_of(state("x5/x5/x5/x,21,x3/x5 1 5"), "mn b4 p3 2 1") == ("stack-too-low", facts)


def test_no_more_is_taken_than_the_board_is_wide():
    game = state("x5/x5/x5/x,222111,x3/x5 1 9")
    assert refusal_of(game, "mn b4 p6 6") == ("over-carry-limit", {"square": "b4", "count": 6, "limit": 5})
    assert tps.write(game.play("mn b4 p5 5").position) == "x5/x5/x,22111,x3/x,2,x3/x5 2 9"


def test_a_stack_stays_on_the_board():
    game = state("x5/x5/x5/x,2111,x3/x5 1 9")
    facts = {"square": "b4", "direction": "south", "spaces": 2, "room": 1}
    assert refusal_of(game, "ms b4 p2 1 1") == ("off-the-edge", facts)
    assert refusal_of(game, "mw b4 p3 1 1 1")[1]["room"] == 1


@pytest.mark.parametrize("top", ["1", "1S", "1C"])
def test_nothing_covers_a_capstone(top):
    game = state(f"x5/x5/x,{top},2C,x2/x5/x5 1 9")
    assert refusal_of(game, "me b3 p1 1") == (
        "capstone-in-the-way",
        {"square": "c3", "color": "black", "step": 1},
    )


def test_a_capstone_in_the_middle_of_the_way_stops_the_stack():
    game = state("x5/x5/1111,x,1C,x2/x5/x5 1 9")
    facts = {"square": "c3", "color": "white", "step": 2}
    assert refusal_of(game, "me a3 p4 1 1 2") == ("capstone-in-the-way", facts)
    assert tps.write(game.play("me a3 p4 4").position) == "x5/x5/x,1111,1C,x2/x5/x5 2 9"


@pytest.mark.parametrize(("top", "kind"), [("1", "flat"), ("1S", "wall")])
def test_only_a_capstone_flattens_a_wall(top, kind):
    game = state(f"x5/x5/x,{top},2S,x2/x5/x5 1 9")
    facts = {"square": "c3", "color": "black", "step": 1, "top": kind}
    assert refusal_of(game, "me b3 p1 1") == ("wall-needs-capstone", facts)


@pytest.mark.parametrize(("wall", "flat"), [("1", "1"), ("2", "2")])
def test_a_lone_capstone_flattens_a_wall_of_either_color(wall, flat):
    game = state(f"x5/x5/x,1C,{wall}S,x2/x5/x5 1 9").play("me b3 p1 1")
    assert tps.write(game.position) == f"x5/x5/x2,{flat}1C,x2/x5/x5 2 9"
    assert game.position.walls == 0


def test_a_capstone_flattens_a_wall_that_stands_on_a_stack():
    assert moved("x5/x5/x,1C,112S,x2/x5/x5 1 9", "me b3 p1 1") == "x5/x5/x2,1121C,x2/x5/x5 2 9"


def test_a_capstone_leaves_its_stack_behind_and_flattens_alone():
    assert moved("x5/x5/2121C,x,2S,x2/x5/x5 1 9", "me a3 p3 2 1") == "x5/x5/2,12,21C,x2/x5/x5 2 9"


def test_a_capstone_in_company_flattens_nothing():
    game = state("x5/x5/2121C,x,2S,x2/x5/x5 1 9")
    facts = {"square": "c3", "color": "black", "step": 2, "dropped": 2}
    assert refusal_of(game, "me a3 p3 1 2") == ("wall-needs-lone-capstone", facts)


def test_a_wall_falls_on_the_last_step_only():
    game = state("x5/x5/121C,2S,x3/x5/x5 1 9")
    facts = {"square": "b3", "color": "black", "step": 1, "spaces": 2}
    assert refusal_of(game, "me a3 p2 1 1") == ("wall-in-the-way", facts)


def test_a_stack_may_be_of_any_height():
    assert moved("1212121,2121212,x3/x5/x5/x5/x5 1 20", "me a1 p5 5").startswith("12,212121212121,x3/")


def test_a_drop_of_nothing_is_refused_by_the_rules_too():
    from takmail.games.tak.board import Direction
    from takmail.games.tak.moves import Spread
    from takmail.games.tak.reasons import EmptyDrop
    from takmail.games.tak.rules import refusal

    position = state("x5/x5/x,21,x3/x5/x5 1 9").position
    square = position.board.square(1, 2)
    assert refusal(position, Spread(square, Direction.EAST, (1, 0, 1))) == EmptyDrop(square, 2)
    assert refusal(position, Spread(square, Direction.EAST, ())) == EmptyDrop(square, 1)
