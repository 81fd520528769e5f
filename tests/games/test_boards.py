"""Boards as text: the rows that the command `rs` shows in Tak by Mail, and TPS."""

import copy

import pytest

from takmail.games.tak.board import board_of
from takmail.games.tak.notation import rs, tps
from takmail.games.tak.notation.errors import NotationError

PAGE = ["cSS 0 sSSs", "S SssSS w", "Wsss 0 0"]


def fault_of_rs(*lines):
    with pytest.raises(NotationError) as caught:
        rs.parse(lines, 10)
    return caught.value.reason.name, dict(caught.value.reason.facts)


def fault_of_tps(text):
    with pytest.raises(NotationError) as caught:
        tps.parse(text)
    return caught.value.reason.name, dict(caught.value.reason.facts)


def test_the_boards_of_the_mail_page_are_read_top_to_bottom():
    five = rs.parse(["cSS 0 sSSs 0 0", "S SssSS w 0 0", "Wsss 0 0 0 0", "0 0 0 0 0", "0 0 0 0 0"], 20)
    assert tps.write(five) == "221C,x,1221,x2/2,22112,1S,x2/1112S,x4/x5/x5 1 11"
    assert rs.write(rs.parse(["0 0 0"] * 3, 0)) == ("0 0 0",) * 3


def test_the_columns_stand_below_one_another_and_the_legend_above_them():
    position = rs.parse(["Wsss 0 0", "S SssSS w", "0 0 sSSs"], 20)
    assert rs.write(position) == ("Wsss 0     0", "S    SssSS w", "0    0     sSSs")
    assert rs.legend(position) == "A    B     C"
    assert rs.write(position, aligned=False) == ("Wsss 0 0", "S SssSS w", "0 0 sSSs")


def test_any_spacing_is_read():
    assert rs.parse(["  S   0\t0", "0 0 0 ", "0  0 s"], 2).board.size == 3


def test_each_fault_of_a_board_names_its_spot():
    assert fault_of_rs("0 0") == ("board-size", {"rows": 1, "smallest": 3, "largest": 8})
    assert fault_of_rs() == ("board-size", {"rows": 0, "smallest": 3, "largest": 8})
    assert fault_of_rs("0 0 0", "0 0", "0 0 0") == ("row-length", {"row": 2, "spots": 2, "size": 3})
    assert fault_of_rs("0 0 0", "0 0 0", "0 x 0") == ("bad-spot", {"row": 3, "spot": 2, "text": "x"})
    assert fault_of_rs("0 0 s0", "0 0 0", "0 0 0") == ("bad-spot", {"row": 1, "spot": 3, "text": "s0"})
    assert fault_of_rs("0 0 0", "sW 0 0", "0 0 0") == (
        "buried-piece",
        {"row": 2, "spot": 1, "text": "sW", "kind": "wall"},
    )
    assert fault_of_rs("sCs 0 0", "0 0 0", "0 0 0")[1]["kind"] == "capstone"
    assert fault_of_rs("s" * 11 + " 0 0", "0 0 0", "0 0 0") == (
        "too-many-pieces",
        {"color": "white", "stones": -1, "capstones": 0},
    )
    assert fault_of_rs("C 0 0", "0 0 0", "0 0 0")[1] == {"color": "black", "stones": 10, "capstones": -1}
    assert fault_of_rs("s" * 3000, "0 0 0", "0 0 0")[0] == "row-length"


@pytest.mark.parametrize(
    "text",
    [
        "x3/x3/x3 1 1",
        "x,1,x/2S,x2/x2,1 2 3",
        "x2,2,x,2/x,12,x,12,x/212,x2,2121C,x/x,1,112221,1,1/x5 2 21",
        "x8/x8/x8/x8/x8/x8/x8/x8 1 1",
    ],
)
def test_a_tps_is_written_as_it_was_read(text):
    assert tps.write(tps.parse(text)) == text


def test_empty_spaces_may_be_written_one_by_one():
    assert tps.write(tps.parse("x,x,x/x2,x/x1,x2 1 1")) == "x3/x3/x3 1 1"


def test_a_tps_is_in_the_opening_while_its_move_number_is_one():
    assert tps.parse("x3/x3/x3 1 1").in_opening
    assert tps.parse("2,x2/x3/x3 2 1").in_opening
    assert not tps.parse("2,1,x/x3/x3 1 2").in_opening


def test_the_reserves_are_what_the_board_leaves():
    position = tps.parse("1212C,x4/1S,x4/x5/x5/x5 1 9")
    assert position.white_reserve == (18, 1)
    assert position.black_reserve == (20, 0)


def test_each_fault_of_a_tps_has_its_own_reason():
    assert fault_of_tps("")[0] == "tps-form"
    assert fault_of_tps("x3/x3/x3 1")[0] == "tps-form"
    assert fault_of_tps("x3/x3/x3 3 1") == ("tps-player", {"text": "3"})
    assert fault_of_tps("x3/x3/x3 1 0") == ("tps-move-number", {"text": "0"})
    assert fault_of_tps("x3/x3/x3 1 " + "9" * 100)[0] == "tps-move-number"
    assert fault_of_tps("x2/x2 1 1") == ("board-size", {"rows": 2, "smallest": 3, "largest": 8})
    assert fault_of_tps("x3/x2/x3 1 1") == ("row-length", {"row": 2, "spots": 2, "size": 3})
    assert fault_of_tps("x3/1,x3/x3 1 1")[1]["spots"] == 4
    assert fault_of_tps("x3/x,1X,x/x3 1 1") == ("bad-spot", {"row": 2, "spot": 2, "text": "1X"})
    assert fault_of_tps("x3/x,1S2,x/x3 1 1")[0] == "bad-spot"
    assert fault_of_tps("x3/x,S,x/x3 1 1")[0] == "bad-spot"
    assert fault_of_tps("x3/x3,/x3 1 1")[0] == "bad-spot"
    assert fault_of_tps("x3/x0,x3/x3 1 1")[0] == "bad-spot"
    assert fault_of_tps("x3/x,1C,x/x3 1 1") == (
        "too-many-pieces",
        {"color": "white", "stones": 10, "capstones": -1},
    )
    assert fault_of_tps("x3/x3/x3 1 1" + " " * 5000)[0] == "tps-form"


def test_a_row_with_more_spots_than_there_are_rows_is_named_by_its_length():
    assert fault_of_tps("1,1,1,1/x3/x3 1 2") == ("row-length", {"row": 1, "spots": 4, "size": 3})


def test_an_error_says_what_is_wrong():
    assert str(NotationError("row-length", row=1, spots=4)) == "row-length {'row': 1, 'spots': 4}"


def test_there_is_one_board_of_a_size_even_where_it_is_copied():
    assert copy.deepcopy(board_of(5)) is board_of(5)
    assert repr(board_of(5)) == "Board(5)"
