"""Plies and whole games in PTN."""

import pytest

from takmail.games.tak.board import Direction, board_of
from takmail.games.tak.moves import Place, Spread
from takmail.games.tak.notation import ptn, tps
from takmail.games.tak.notation.errors import NotationError
from takmail.games.tak.notation.ptn import Ply
from takmail.games.tak.notation.ptn_game import Comment, NoStart, parse_games, read_games, write_game
from takmail.games.tak.pieces import Kind
from takmail.limits.games import MAX_RECORD_CHARS
from tests.support.cost import assert_in_proportion
from tests.support.tables import each_row

BOARD = board_of(5)
C3 = BOARD.square(2, 2)
HEAD = '[Player1 "Ada"]\n[Player2 "Ben"]\n[Size "5"]\n'


def fault(text):
    with pytest.raises(NotationError) as caught:
        parse_games(text)
    return caught.value.reason.name, dict(caught.value.reason.facts)


def one(text):
    (game,) = parse_games(text)
    return game


def test_a1_is_the_south_west_corner():
    assert ptn.parse_ply(BOARD, "a1").move == Place(Kind.FLAT, BOARD.square(0, 4))
    assert ptn.square_name(BOARD, BOARD.square(4, 0)) == "e5"


@each_row(
    ("text", "move", "written"),
    [
        ("c3", Place(Kind.FLAT, C3), "c3"),
        ("Fc3", Place(Kind.FLAT, C3), "c3"),
        ("Sc3", Place(Kind.WALL, C3), "Sc3"),
        ("Cc3", Place(Kind.CAPSTONE, C3), "Cc3"),
        ("cc3", Place(Kind.CAPSTONE, C3), "Cc3"),
        ("c3+", Spread(C3, Direction.NORTH, (1,)), "c3+"),
        ("1c3-1", Spread(C3, Direction.SOUTH, (1,)), "c3-"),
        ("3c3>", Spread(C3, Direction.EAST, (3,)), "3c3>"),
        ("3c3<3", Spread(C3, Direction.WEST, (3,)), "3c3<"),
        ("3c3>12", Spread(C3, Direction.EAST, (1, 2)), "3c3>12"),
        ("3Cc3>12", Spread(C3, Direction.EAST, (1, 2)), "3c3>12"),
        ("3c3>12C", Spread(C3, Direction.EAST, (1, 2)), "3c3>12"),
        ("Cc3+", Spread(C3, Direction.NORTH, (1,)), "c3+"),
    ],
)
def test_a_ply_is_read_and_written(text, move, written):
    assert ptn.parse_ply(BOARD, text) == Ply(move)
    assert ptn.write_ply(BOARD, Ply(move)) == written


@each_row("marks", ["'", "''", '"', "!", "?", "!?", "*", "*'", "'!"])
def test_marks_behind_a_ply_are_kept(marks):
    ply = ptn.parse_ply(BOARD, f"3c3>12{marks}")
    assert ply == Ply(Spread(C3, Direction.EAST, (1, 2)), marks)
    assert ptn.write_ply(BOARD, ply) == f"3c3>12{marks}"


@each_row(
    ("text", "name", "facts"),
    [
        ("", "ptn-ply", {"text": ""}),
        ("hello", "ptn-ply", {"text": "hello"}),
        ("i3", "ptn-ply", {"text": "i3"}),
        ("0c3>", "ptn-ply", {"text": "0c3>"}),
        ("c3^", "ptn-ply", {"text": "c3^"}),
        ("c٣", "ptn-ply", {"text": "c٣"}),
        ("ſc3", "ptn-ply", {"text": "ſc3"}),
        ("c3>" + "1" * 9, "ptn-ply", {"text": "c3>111111111"}),
        ("c6", "off-the-board", {"square": "c6", "size": 5, "last": "e5"}),
        ("F1", "off-the-board", {"square": "f1", "size": 5, "last": "e5"}),
        ("3c3", "count-without-direction", {"text": "3c3"}),
        ("3c3>102", "drop-of-zero", {"step": 2}),
        ("3c3>22", "drops-do-not-add-up", {"count": 3, "dropped": 4}),
        ("c3>12", "drops-do-not-add-up", {"count": 1, "dropped": 3}),
    ],
)
def test_each_fault_of_a_ply_has_its_own_reason(text, name, facts):
    with pytest.raises(NotationError) as caught:
        ptn.parse_ply(BOARD, text)
    assert (caught.value.reason.name, dict(caught.value.reason.facts)) == (name, facts)


def test_a_whole_game_is_written_as_it_was_read():
    text = HEAD + '[Komi "2"]\n[Opening "swap"]\n[Result "1-0"]\n\n1. a1 e5\n2. c3 Sd4\n3. c3+\n1-0\n'
    game = one(text)
    assert write_game(game) == text
    assert game.tag("opening") == "swap"
    assert (game.start.half_komi, len(game.plies), game.result) == (4, 5, "1-0")


def test_comments_stay_where_they_stand():
    text = HEAD + "\n{before all}\n1. a1 {corner} e5\n{between} 2. c3 {last}\n"
    game = one(text)
    assert [item.text for item in game.items if isinstance(item, Comment)] == [
        "before all",
        "corner",
        "between",
        "last",
    ]
    assert [isinstance(item, Comment) for item in game.items] == [True, False, True, False, True, False, True]
    assert write_game(game) == text
    assert parse_games(write_game(game)) == (game,)


def test_numbers_and_plies_may_be_laid_out_in_any_way():
    expected = one(HEAD + "\n1. a1 e5\n2. c3\n").plies
    for moves in (
        "1. a1 e5 2. c3",
        "1.a1 1... e5\r\n2.c3",
        "1. a1\n1... e5\n2. c3 --",
        "a1 e5 c3",
        "\ufeff1. a1 e5 2. c3",
    ):
        assert one(HEAD + moves.removeprefix("\ufeff")).plies == expected
    assert one("\ufeff" + HEAD + "1. a1 e5 2. c3").plies == expected


def test_a_game_may_start_from_a_position_with_black_to_move():
    text = '[Size "5"]\n[TPS "x5/x5/x2,1,x2/x5/2,x4 2 5"]\n\n5. -- c4\n6. c3+\n'
    game = one(text)
    assert tps.write(game.start) == "x5/x5/x2,1,x2/x5/2,x4 2 5"
    assert write_game(game) == text
    assert one(text.replace("5. --", "5...")) == game


def test_the_size_may_come_from_the_position():
    assert one('[TPS "x3/x3/x3 1 1"]\n1. a1').start.board.size == 3


def test_several_games_stand_in_one_text():
    first, second, third = parse_games(HEAD + "1. a1 e5 R-0\n\n" + HEAD + "*\n" + HEAD + "1. b1")
    assert (first.result, second.result, third.result) == ("R-0", None, None)
    assert [len(game.plies) for game in (first, second, third)] == [2, 0, 1]


def test_a_text_without_games_has_none():
    assert parse_games("") == parse_games(" \n {only a comment} ") == ()


def test_tags_keep_quotes_backslashes_and_brackets():
    tags = (("Player1", 'A "the \\ fox" [x] {y}'), ("Size", "5"))
    game = one(HEAD + "1. a1")
    named = type(game)(tags, game.start, game.items, None)
    assert one(write_game(named)) == named


def test_each_fault_of_a_game_has_its_own_reason():
    assert fault("1. a1") == ("size-missing", {"smallest": 3, "largest": 8})
    assert fault('[Size "9"]') == ("bad-size", {"text": "9", "smallest": 3, "largest": 8})
    assert fault('[Size "5"]\n[Komi "much"]') == ("bad-komi", {"text": "much", "highest": 64})
    assert fault('[Size "5"]\n[TPS "x3/x3/x3 1 1"]') == ("size-mismatch", {"size": 5, "rows": 3})
    assert fault('[TPS "x3/x3 1 1"]')[0] == "board-size"
    assert fault(HEAD + "1. a1 R-0 b1") == ("after-the-result", {"line": 4, "text": "b1"})
    assert fault(HEAD + "1. a1\n2. z1") == ("ptn-ply", {"text": "z1", "line": 5})
    assert fault(HEAD + "1. a1 {never closed") == ("ptn-syntax", {"line": 4, "text": "{never closed"})
    assert fault("[Size 5]") == ("ptn-syntax", {"line": 1, "text": "[Size 5]"})
    assert fault('[Size "5]')[0] == fault("}")[0] == fault("]")[0] == "ptn-syntax"
    assert fault("x" * (MAX_RECORD_CHARS + 1)) == (
        "text-too-long",
        {"characters": MAX_RECORD_CHARS + 1, "longest": MAX_RECORD_CHARS},
    )


@pytest.mark.parametrize("piece", ["[", "{", '[a "', '[a "\\', "'", "(("])
def test_absurd_texts_are_refused(piece):
    assert fault(HEAD + piece * 10_000)[0] in ("ptn-syntax", "ptn-ply")


@pytest.mark.parametrize("piece", ["1. ", "-- ", "a1 ", '[Size "5"]', "\n", "{x}"])
def test_long_texts_are_read(piece):
    assert one(HEAD + piece * 10_000).start.board.size == 5


@pytest.mark.many
def test_reading_takes_time_in_proportion_to_the_text():
    def parse(moves):
        return parse_games(HEAD + "1. a1 {comment} b1\n" * moves)

    assert_in_proportion(parse, 16_000)


def shape(game):
    """Return a summary of a game: its number of plies, and the name of its fault."""
    if isinstance(game, NoStart):
        return game.reason.name
    return len(game.plies), game.fault and game.fault.reason.name


@each_row(
    ("bad", "seen"),
    [
        ("1. a1 z9 b2\n", (1, "ptn-ply")),
        ("1. a1 e6 b2\n", (1, "off-the-board")),
        ("1. a1 e5\n2. 3c3>22 b2\n", (2, "drops-do-not-add-up")),
        ("1. a1 {never closed\n", (1, "ptn-syntax")),
        ("1. a1 ] b2\n", (1, "ptn-syntax")),
        ("1. a1 [%clk 3] b2\n", (1, "ptn-syntax")),
        ("1. a1 1-0 b2 c2\n", (1, "after-the-result")),
        ('[Size "9"]\n1. a1\n', (1, None)),
        ('[Komi "much"]\n1. a1\n', "bad-komi"),
        ("[Event none]\n1. a1\n", "ptn-syntax"),
    ],
)
def test_a_fault_ends_its_own_game_and_hides_no_other(bad, seen):
    good = HEAD + "1. b1 c1 {fine} R-0\n"
    first, second, third = read_games(good + HEAD + bad + good)
    assert (shape(first), shape(second), shape(third)) == ((2, None), seen, (2, None))


def test_a_broken_tag_behind_plies_belongs_to_the_next_game():
    first, second = read_games(HEAD + "1. a1 e5\n\n[Event none]\n" + HEAD + "1. b1\n")
    assert (shape(first), shape(second)) == ((2, None), "ptn-syntax")


def test_a_game_with_a_fault_tells_what_stands_in_the_place_of_the_ply():
    (game,) = read_games(HEAD + "1. a1 e6")
    assert game.fault.word == "e6"
    assert dict(game.fault.reason.facts) == {"square": "e6", "size": 5, "last": "e5", "line": 4}


def test_the_first_fault_of_a_game_is_the_one_that_is_told():
    (game,) = read_games("[Size 5]\n1. a1 {never closed")
    assert dict(game.reason.facts) == {"line": 1, "text": "[Size 5]"}
    (game,) = read_games(HEAD + "1. z1 {never closed")
    assert game.fault.word == "z1"


@pytest.mark.many
@each_row("piece", ["[", "{", "]\n", "[\n", "{x\n", '[a "\n', "[Size 5]\n", "1. z9\n"])
def test_absurd_texts_are_read_in_time_in_proportion_to_their_length(piece):
    assert_in_proportion(lambda count: read_games(HEAD + piece * count), 40_000)
