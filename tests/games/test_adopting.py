"""An agreed board replaces the board to which the turns had led."""

import pytest

from takmail.games.interface import ReadTurn, Refused, Seat
from takmail.games.tak.game import TakGame
from takmail.games.tak.notation import rs
from takmail.games.tak.pieces import Reserve
from tests.support.tables import each_row
from tests.support.tak import replayed, vectors

GAME = TakGame()
TURNS = ["ps a1", "ps e5", "ps c3", "ps c2", "pw b3"]
BOARD = "S 0 0 0 0/0 0 0 0 0/0 w Ss c 0/0 0 0 0 0/0 0 0 0 s"


def after(turns, setup="5 komi=2 score=tarway"):
    state = GAME.start(setup)
    for turn in turns:
        state = state.play(turn)
    return state


def refusal(board, turns=TURNS, to_move=Seat.FIRST):
    with pytest.raises(Refused) as refused:
        after(turns).adopt(board, to_move)
    return refused.value.reason


def test_the_turn_has_the_board_and_whose_ply_is_next():
    assert after(TURNS).adopt(BOARD, Seat.SECOND) == f"board {BOARD} b"
    assert after(TURNS).adopt(BOARD.replace("0", "o"), Seat.FIRST) == f"board {BOARD} w"


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("turns", [TURNS, TURNS[:4], TURNS[:1], []])
def test_the_board_is_set_and_the_turn_counted(turns, seat):
    before = after(turns)
    state = before.play(before.adopt(BOARD, seat))
    assert rs.write(state.position, aligned=False) == tuple(BOARD.split("/"))
    assert state.turns == len(turns) + 1
    assert state.to_move is seat
    assert not state.position.in_opening
    assert state.position.white_reserve == Reserve(18, 0)
    assert state.position.black_reserve == Reserve(19, 1)
    assert (state.position.half_komi, state.setup) == (4, before.setup)


def test_the_game_goes_on_from_it_and_counts_on():
    state = after([*TURNS, f"board {BOARD} w", "ps a2", "ps b1"])
    assert (state.turns, state.to_move) == (8, Seat.FIRST)
    again = state.play(state.adopt(BOARD, Seat.SECOND))
    assert (again.turns, again.to_move) == (9, Seat.SECOND)


def test_the_empty_board_can_be_agreed_on_and_the_opening_does_not_come_again():
    empty = "/".join(["0 0 0 0 0"] * 5)
    state = after(TURNS).play(f"board {empty} w")
    assert state.play("ps a1").position.white_reserve == Reserve(20, 1)
    assert after([]).play(f"board {empty} w").position.in_opening


def test_a_board_with_one_stone_is_still_in_the_opening():
    state = after(["ps a1"]).play("board 0 0 0 0 S/0 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 0 b")
    assert state.position.in_opening
    assert state.play("ps a1").position.white_reserve == Reserve(20, 1)


@pytest.mark.parametrize(
    ("board", "squares"),
    [
        (BOARD.replace("Ss c", "Ss sCs"), [("buried", "d3")]),
        (BOARD.replace("Ss c", "Ss sxs"), [("unreadable", "d3")]),
        (BOARD.replace("Ss c", "cc c"), [("buried", "c3"), ("too-many", "")]),
        (BOARD.replace("Ss c", "Ss"), [("ragged", "")]),
    ],
)
def test_what_is_impossible_is_refused_by_square(board, squares):
    reason = refusal(board)
    assert reason.name == "impossible-board"
    assert [(fault.name, fault.square) for fault in reason.facts["faults"]] == squares


def test_another_size_and_a_game_that_would_be_over_are_refused():
    assert refusal("0 0 0/0 0 0/0 0 0").name == "other-board-size"
    road = "s s s s s/0 0 0 0 0/0 0 0 0 0/0 0 0 0 0/0 0 0 0 0"
    assert dict(refusal(road).facts) == {"score": "R-0", "ended_by": "road"}


def test_a_game_that_is_over_is_left_as_it_is():
    turns = ["ps c3", "ps a1", "ps b1", "ps a3", "ps c1"]
    state = after(turns, "3")
    for action in (
        lambda: state.adopt("0 0 0/0 0 0/0 0 0", Seat.FIRST),
        lambda: state.play("board 0 0 0/0 0 0/0 0 0 w"),
    ):
        with pytest.raises(Refused) as refused:
            action()
        assert refused.value.reason.name == "game-over"


@each_row(
    "text",
    [
        "board",
        "board ",
        "board 0 0 0/0 0 0/0 0 0 w",
        "board 0/0/0/0/0 w",
        f"board {BOARD}",
        f"board {BOARD} x",
        f"board  {BOARD} w",
        f"board {BOARD.replace('Ss', 'sC')} w",
    ],
)
def test_what_is_no_such_turn_is_refused(text):
    with pytest.raises(Refused):
        after(TURNS).play(text)


def test_no_line_is_read_as_such_a_turn():
    state = after(TURNS)
    for line in (f"board {BOARD} w", f"BOARD {BOARD} w", f"move board {BOARD} w", "board w"):
        assert not isinstance(state.read(line), ReadTurn)


def test_no_rule_is_compared_with_it():
    state = after(TURNS)
    assert (state.verdict(f"board {BOARD} w"), state.touched(f"board {BOARD} w")) == ((), ())


@each_row("number", range(0, 228, 8))
def test_a_recorded_game_goes_on_from_its_own_board(number):
    game = vectors("games.json")[number]
    half = len(game["mail"]) // 2
    state = replayed(number)[half]
    adopted = state.play(state.adopt("/".join(rs.write(state.position)), state.to_move))
    for turn in game["mail"][half:]:
        adopted = adopted.play(turn)
    assert adopted.turns == len(game["mail"]) + 1
    assert list(rs.write(adopted.position, aligned=False)) == game["final_rs"]
    assert adopted.result.score == game["result"]


def test_a_comparison_looks_back_as_far_as_the_adopted_board():
    turns = [*TURNS, f"board {BOARD} w", "ps a2", "ps b1"]
    found = GAME.compare("5", turns, BOARD)
    assert (found.how, found.facts["ply"]) == ("earlier", 6)
    other = GAME.compare("5", turns, BOARD.replace("S 0 0 0 0/0", "S S 0 0 0/w"))
    assert (other.how, other.facts["first"].number, other.facts["first"].instead) == ("otherwise", 7, "pw a2")
    now = BOARD.replace("S 0 0 0 0/0", "S S 0 0 0/s")
    far = GAME.compare("5", turns, now.replace("S S 0 0 0", "W S 0 0 W").replace("Ss c", "Ss S"))
    touched = {one.square: one.touched and one.touched.number for one in far.facts["squares"]}
    assert touched == {"a1": 1, "e1": None, "d3": 6}


def test_an_adopted_board_is_no_ply_that_could_have_been_otherwise():
    turns = ["ps a1", "ps e5", "ps c3", f"board {BOARD} w"]
    found = GAME.compare("5", turns, "S 0 0 0 0/0 0 0 0 0/0 S s 0 0/0 0 0 0 0/0 0 0 0 s")
    assert found.how == "differs"
