"""Boards typed or pasted into a mail are found, and chat is not mistaken for them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.tak.game import TakGame
from takmail.games.tak.notation import rs
from tests.support.cost import assert_in_proportion
from tests.support.tables import each_row
from tests.support.tak import vectors, wander

GAME = TakGame()


def found(text):
    return [board.text for board in GAME.boards_in(text.split("\n"))]


def test_a_board_is_found_among_words():
    lines = ["Hi Ben,", "rs", "s 0 0", "0 Ss 0", "0 0 0", "mine, as it stands"]
    (board,) = GAME.boards_in(lines)
    assert (board.first, board.after, board.text) == (2, 5, "s 0 0/0 Ss 0/0 0 0")


@each_row(
    "text",
    [
        "s\t0   0\n 0 Ss  0 \n0 0 0",
        "s o O\no Ss o\n0 0 o",
        "s 0 0\n\n0 Ss 0\n\n0 0 0",
        "s\u00a00\u00a00\n0 S\u200bs 0\u200e\n\ufeff0 0 0",
        "ｓ ０ 0\n0 Ss 0\n0 0 0",
        "  A B C\n1 s 0 0\n2 0 Ss 0\n3 0 0 0",
        "s 0 0 3\n0 Ss 0 2\n0 0 0 1\na b c",
        "   A  B  C\n\n1. s  0  0 1\n2. 0 Ss  0 2\n3. 0  0  0 3\n\n   A  B  C",
        "3| s 0 0\n2| 0 Ss 0\n1| 0 0 0",
        "+---+\n| s 0 0 |\n+---+\n| 0 Ss 0 |\n+---+\n| 0 0 0 |\n+---+",
        "s 0 0\r\n0 Ss 0\r\n0 0 0\r",
    ],
)
def test_spaces_letters_and_coordinates_make_no_difference(text):
    assert found(text) == ["s 0 0/0 Ss 0/0 0 0"]


def test_the_letters_of_the_columns_are_part_of_what_is_found():
    (board,) = GAME.boards_in(["A B C", "s 0 0", "0 0 0", "0 0 0", "", "a b c", "Bye"])
    assert (board.first, board.after) == (0, 6)


def test_two_boards_are_two():
    one, other = "s 0 0\n0 0 0\n0 0 0", "0 0 0\n0 S 0\n0 0 0"
    expected = [one.replace("\n", "/"), other.replace("\n", "/")]
    assert found(f"{one}\n\n{other}") == expected
    assert found(f"mine\n{one}\nand yours\n{other}") == expected
    assert found(f"{one}\nA B C\n{other}\nA B C") == expected
    assert found(f"{one}\n\n{other}".replace("\n", "\n\n").replace("\n\n\n\n", "\n\n")) == expected


@each_row(
    ("text", "board"),
    [
        ("s 0 0\n0 0\n0 0 0", "s 0 0/0 0/0 0 0"),
        ("s 0 0\n0 0 0 0\n0 0 0", "s 0 0/0 0 0 0/0 0 0"),
        ("s 0 0\n0 q 0\n0 0 0", "s 0 0/0 q 0/0 0 0"),
        ("s 0 0\n0 ѕ 0\n0 0 0", "s 0 0/0 ѕ 0/0 0 0"),
        ("s 0 0\n0 sxs 0\n0 0 0", "s 0 0/0 sxs 0/0 0 0"),
        ("s 0 0\n0 sWs 0\n0 0 0", "s 0 0/0 sWs 0/0 0 0"),
        ("1 0 0\n0 0 s\n0 0 0", "1 0 0/0 0 s/0 0 0"),
        ("w w w\nw w w\nC C C", "w w w/w w w/C C C"),
        ("0 0 0 0\n0 s 0 0\n0 0 0 0", "0 0 0 0/0 s 0 0/0 0 0 0"),
    ],
)
def test_a_board_with_faults_is_still_one(text, board):
    assert found(text) == [board]


WHOLE = ["s 0 0 0 0", "0 0 0 0 0", "0 0 Ss 0 0", "0 0 0 0 0", "0 0 0 0 S"]
SHORT = ["s 0 0 0", "0 0 0 0 0", "0 0 Ss 0", "0 0 0 0 0", "0 0 0 0 S"]
EMPTY = "0 0 0 0 0"


@pytest.mark.parametrize(
    "rows",
    [
        SHORT,
        [f"{row} 0" if at in (1, 3) else row for at, row in enumerate(WHOLE)],
        [*WHOLE, EMPTY],
        [EMPTY, *WHOLE],
        [*WHOLE, "0 0 0 0"],
        WHOLE[:4],
    ],
)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_board_with_rows_too_many_or_too_short_is_one_and_never_cut(rows, between):
    assert found(between.join(rows)) == ["/".join(rows)]


def test_a_numbered_row_too_many_is_not_cut_off():
    rows = [*WHOLE, EMPTY]
    assert found("\n".join(f"{number} {row}" for number, row in enumerate(rows, 1))) == ["/".join(rows)]


def test_a_board_with_short_rows_below_a_whole_one_is_the_second():
    assert found("\n".join([*WHOLE, *SHORT])) == ["/".join(WHOLE), "/".join(SHORT)]


@pytest.mark.parametrize(
    "rows", [["0 0 0", "0 s"], ["0 0 0 0 0", "s s", "0 0 0"], [EMPTY] * 7, ["s 0 x", "0 q 0"]]
)
def test_any_rows_are_a_board_where_one_is_expected_and_none_elsewhere(rows):
    lines = ["rs", "", *rows, "Bye"]
    assert [board.text for board in GAME.boards_in(lines, {0})] == ["/".join(rows)]
    assert GAME.boards_in(lines) == GAME.boards_in(lines, {1, 3}) == ()


@pytest.mark.parametrize("rows", [["so so"], ["0 0 0"], ["so so", "as is"], ["1 2 3", "4 5 6"], [EMPTY] * 17])
def test_what_is_mostly_something_else_is_none_even_where_a_board_is_expected(rows):
    assert GAME.boards_in(["rs", *rows], {0}) == ()


@each_row(
    "text",
    [
        "",
        "s",
        "0 0 0",
        "so so",
        "so so so\nso so so\nso so so",
        "s s s\ns s s",
        "wow wow wow\nwow so cow\nso so so",
        "ps a1\nps b2\nms b2 p3 2 1",
        "1. a1 b1\n2. c3 d3\n3. e4 e5",
        "1 ps a1\n2 ps b2\n3 ps c3",
        "1 2 3\n4 5 6\n7 8 9",
        "0 1 0\n1 0 1\n0 1 0",
        "10 20 30\n40 50 60\n70 80 90",
        "a b c\nd e f\ng h i",
        "A B C\nA B C\nA B C",
        "x x x\no x o\nx o o",
        "- - -\n- - -\n- - -",
        "Cc Ss Ww me\nSo was it\nc w s",
        "s 0 0\nand then\n0 0 0\n0 0 0",
        "s 0 0\n0 0 0\n\n\n0 0 0",
        "-- \nS. C.\nW. S.\nC. W.",
        "we so\nso we\nwe so",
        "as is so\nso is as\nis as so",
        "2-0 0-2 1-0\n0-0 1-1 0-1\n0-0 2-2 0-0",
        "ok so c\nso ok s\nok ok w",
        "0 0\n0 0\n0 0",
        "00 00 00\n00 00 00\n00 00 00",
        "20 00 05\n10 00 10\n10 10 00",
        "s\nw\nc\ns\nw",
    ],
)
def test_chat_is_no_board(text):
    assert found(text) == []


@each_row("number", range(0, 228, 12))
def test_no_game_s_list_of_moves_is_a_board(number):
    game = vectors("games.json")[number]
    for moves in (game["mail"], game["ptn"]):
        assert GAME.boards_in(moves) == ()
        assert GAME.boards_in([f"{at}. {' '.join(moves[at : at + 3])}" for at in range(len(moves))]) == ()


CHAT = "so wow cow was cc we ss os S C W I a ok no sow www 0 1 2 tak ps b4 ms p2 c3 ooo css :) - -- rs im yes"
WORDS = st.sampled_from(CHAT.split())


@given(st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=12))
def test_what_is_found_has_the_measure_of_a_board(lines):
    for board in GAME.boards_in(lines):
        if board.lacks_spaces:
            continue
        rows = [row.split() for row in board.text.split("/")]
        good = sum(set(spot) <= set("swcSWC0") for row in rows for spot in row)
        assert 3 <= len(rows) <= 9
        assert 4 * good >= 3 * sum(map(len, rows))


@given(st.text(alphabet="swcSWC0o 123ABC|.\n\t\u00a0\u200bѕq/>", max_size=200))
def test_finding_raises_nothing_and_names_lines_that_are_there(text):
    lines = text.split("\n")
    last = 0
    for board in GAME.boards_in(lines):
        assert last <= board.first < board.after <= len(lines)
        last = board.after


@given(st.integers(3, 8), st.integers(0, 2**32), st.integers(0, 90), st.booleans(), st.booleans())
def test_every_board_that_is_sent_is_read_back(size, seed, plies, spaced, named):
    chance = Random(seed)
    position = wander(size, seed, plies)
    rows = list(rs.write(position, aligned=False))
    text = "/".join(rows)
    lines = [_typed(row, chance) for row in rows]
    if named:
        numbers = range(1, size + 1) if chance.random() < 0.5 else range(size, 0, -1)
        lines = [f"{number} {line} {number}" for number, line in zip(numbers, lines, strict=True)]
        lines = [" ".join("ABCDEFGH"[:size]), *lines]
    if spaced:
        lines = [part for line in lines for part in (line, "")]
    boards = GAME.boards_in(["Hi", *lines, "", "Ada"])
    assert [board.text for board in boards] == [text]


def _typed(row, chance):
    spots = [chance.choice("0oO") if spot == "0" else spot for spot in row.split()]
    return "".join(chance.choice((" ", "  ", "\t", "\u00a0", " \u200b")) + spot for spot in spots)


@pytest.mark.many
def test_a_long_heap_of_rows_is_read_in_time_in_proportion_to_it():
    assert_in_proportion(lambda rows: GAME.boards_in(["0 0 0"] * rows), 30_000)


@pytest.mark.parametrize(
    ("lines", "is_one"),
    [
        (["s00", "0S0", "000"], True),
        (["s00", "0S0"], False),
        (["s00", "0S00", "000"], False),
        (["sSs"] * 3, False),
    ],
)
def test_a_board_without_spaces_is_one_where_it_is_a_square(lines, is_one):
    assert [(one.text, one.lacks_spaces) for one in GAME.boards_in(lines)] == is_one * [
        ("/".join(lines), True)
    ]


def test_boards_with_faults_are_told_apart_by_the_line_between_them():
    assert found("\n".join([*SHORT, "", *SHORT])) == ["/".join(SHORT)] * 2
    assert found("\n".join(["0 0", "", *SHORT, "", *SHORT])) == ["/".join(SHORT)] * 2
