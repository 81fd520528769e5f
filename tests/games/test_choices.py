"""The turns from which a player can choose: all of them, and those of one square."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import Refused
from takmail.games.tak.choices import MAX_TOUCHED_SQUARES, likely_squares
from takmail.games.tak.moves import Place, legal_moves
from takmail.games.tak.notation import mail, tps
from takmail.games.tak.state import TakState
from tests.support.tak import start, state, turn, wander
from tests.support.wording import english

ANY_POSITION = (st.integers(3, 8), st.integers(0, 10**6), st.integers(0, 150))


def legal_at(position):
    """Return the legal turns of a position in canonical form, by the square on which they begin."""
    found = {}
    for move in legal_moves(position):
        found.setdefault(mail.square_name(position.board, move.square), set()).add(
            mail.write(position.board, move)
        )
    return found


def typed(groups):
    return [one.typed for group in groups for one in group.turns]


def names(groups):
    return [english(one.name) for group in groups for one in group.turns]


@given(*ANY_POSITION)
def test_every_choice_is_read_as_the_legal_turn_that_it_names(size, seed, plies):
    game = TakState(wander(size, seed, plies))
    for text in typed(game.choices()):
        assert turn(game, f"{text} #9") == text
        assert game.play(text).turns == game.turns + 1


@given(*ANY_POSITION)
def test_all_that_can_be_placed_is_there_in_the_order_of_the_squares(size, seed, plies):
    position = wander(size, seed, plies)
    boards = [one for one in TakState(position).choices() if one.kind == "place"]
    placings = {mail.write(position.board, one) for one in legal_moves(position) if isinstance(one, Place)}
    assert set(typed(boards)) == placings
    for board in boards:
        assert board.count == len(board.turns)
        squares = [english(choice.name).split()[0] for choice in board.turns]
        assert squares == sorted(squares, key=lambda one: (one[1], one[0]))


@given(*ANY_POSITION)
def test_every_stack_has_each_way_that_it_can_go_and_tells_where_the_rest_is(size, seed, plies):
    position = wander(size, seed, plies)
    game = TakState(position)
    stacks = {one.facts["square"]: one for one in game.choices() if one.kind == "stack"}
    spreads = {square: moves for square, moves in legal_at(position).items() if min(moves)[0] == "m"}
    assert set(stacks) == set(spreads)
    for square, moves in spreads.items():
        shown = {one.typed for one in stacks[square].turns}
        assert shown <= moves
        assert {one[:2] for one in shown} == {one[:2] for one in moves}
        assert stacks[square].count == len(moves)
        assert stacks[square].place == square
        assert stacks[square].missing == len(moves - shown)


@given(*ANY_POSITION)
def test_a_square_has_all_its_turns(size, seed, plies):
    position = wander(size, seed, plies)
    for square, moves in legal_at(position).items():
        at = TakState(position).choices_at(square.upper())
        assert sorted(typed(at)) == sorted(moves)
        assert sum(one.count for one in at) == len(moves)


@given(*ANY_POSITION)
def test_no_two_choices_have_the_same_name(size, seed, plies):
    game = TakState(wander(size, seed, plies))
    for groups in (game.choices(), *(game.choices_at(one.place) for one in game.choices() if one.missing)):
        assert len(set(names(groups))) == len(names(groups))


def test_in_the_opening_only_the_opponents_flat_can_be_placed():
    (flats,) = start(3).choices()
    assert flats.facts == {"piece": "flat", "color": "black", "opening": True}
    assert names([flats]) == [f"{column}{row} flat" for row in (1, 2, 3) for column in "abc"]
    assert typed(start(3).choices_at("b2")) == ["ps b2"]


def test_a_stack_goes_one_space_as_a_whole_or_as_much_of_it_as_can_be_carried():
    game = state("x3/x,1221,2/x3 1 9")
    (stack,) = (one for one in game.choices() if one.kind == "stack")
    assert names([stack]) == ["b2 top 3 north", "b2 top 3 east", "b2 top 3 south", "b2 top 3 west"]
    assert typed([stack])[1] == "me b2 p3 3"
    assert (stack.place, stack.facts["stack"]) == ("b2", "sSSs")


def test_where_a_stack_may_be_spread_it_is_likely_to_go_on_to_the_next_space_as_a_whole():
    game = state("121,x4/x5/x5/x5/x5 1 9")
    (stack,) = (one for one in game.choices() if one.kind == "stack")
    assert typed([stack]) == ["me a1 p3 3", "ms a1 p3 3"]
    assert names([stack]) == ["a1 all 3 east", "a1 all 3 south"]


def test_a_capstone_that_can_only_flatten_a_wall_goes_alone():
    game = state("x5/x,2S,x3/x,11C,x3/x5/x5 1 9")
    (stack,) = (one for one in game.choices() if one.kind == "stack")
    assert typed([stack])[0] == "mn b3 p1 1"
    assert names([stack])[:2] == ["b3 top 1 north", "b3 all 2 east"]


def test_the_moves_of_a_tall_stack_are_in_groups_by_direction_the_nearest_first():
    groups = state("x4/x4/121,x3/x4 1 9").choices_at("a3")
    assert [one.facts["direction"] for one in groups] == ["north", "east", "south"]
    assert typed(groups[1:2]) == [
        "me a3 p1 1",
        "me a3 p2 2",
        "me a3 p3 3",
        "me a3 p2 1 1",
        "me a3 p3 1 2",
        "me a3 p3 2 1",
        "me a3 p3 1 1 1",
    ]
    assert names(groups[1:2])[2:4] == ["east p3 3", "east p2 1 1"]


@pytest.mark.parametrize(
    ("square", "reason"),
    [("z9", "off-the-board"), ("b22", "off-the-board"), ("", "off-the-board"), ("c1", "not-yours")],
)
def test_a_square_of_which_there_is_nothing_to_choose_is_refused_with_the_reason(square, reason):
    with pytest.raises(Refused) as caught:
        state("1,x,2/x3/x3 1 4").choices_at(square)
    assert caught.value.reason.name == reason


def test_in_the_opening_no_stack_has_moves():
    game = start(3).play("ps a1")
    with pytest.raises(Refused) as caught:
        game.choices_at("a1")
    assert caught.value.reason.name == "opening-no-moves"


def test_a_stack_that_is_shut_in_has_no_moves():
    assert state("1,2S,x/2S,x2/x3 1 4").choices_at("a1") == ()


def test_a_finished_game_has_nothing_to_choose_from():
    game = state("1,1,1/x3/2,2,x 2 4")
    assert game.result is not None
    assert game.choices() == ()
    with pytest.raises(Refused) as caught:
        game.choices_at("a2")
    assert caught.value.reason.name == "game-over"


@pytest.mark.parametrize(
    ("text", "squares"),
    [
        ("2,x2/x3/x2,1 1 2", "b1 c1 a2 b2 c2 a3 b3"),
        ("1,x4/x5/x5/x5/x4,2 1 2", "b1 a2 b2 c2 d2 b3 c3 d3 b4 c4 e4 d5"),
        ("x6/x,1,2,x3/x,2,x4/x6/x6/x6 1 3", "b1 c1 a2 d2 a3 c3 d3 e3 b4 c4 d4 e4"),
    ],
)
def test_a_wall_is_likeliest_beside_most_pieces_and_near_the_middle(text: str, squares: str) -> None:
    likely = likely_squares(tps.parse(text))
    assert len(likely) <= MAX_TOUCHED_SQUARES
    assert set(likely) == set(squares.split())
    assert list(likely) == sorted(likely, key=lambda name: (name[1], name[0]))
