"""Boards that players write: found in mails, read back in every way of writing them, and compared with a game."""

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from takmail.games.interface import Comparison, Refused, Seat
from takmail.games.tzaar.compare.rows import read_rows
from takmail.games.tzaar.game import TzaarGame
from takmail.games.tzaar.notation.rs import board_rows, cells_of
from tests.support.tables import each_row
from tests.support.width import combined, some_of
from tests.tzaar.vectors import position, vectors

GAME = TzaarGame()
RECORDED = vectors()["games"]
FIXED = RECORDED[0]
TURNS = FIXED["turns"]


def rows(ply: int, game: dict = FIXED) -> list[str]:  # type: ignore[type-arg]
    text = game["start"] if ply == 0 else game["positions"][ply - 1]
    return list(board_rows(position(text)))


def compared(lines: list[str], turns: list[str]) -> Comparison:
    """Return the comparison of the only board in a mail with a game after `turns`."""
    (found,) = GAME.boards_in(["Hello,", "", *lines, "", "Ada"])
    return GAME.compare("fixed", turns, found.text)


def spaced(line: str) -> str:
    return " ".join(line.split())


def glued(line: str) -> str:
    return f"{line[0]} {''.join(line[1:].split())}"


def unlettered(line: str) -> str:
    return line[1:].strip()


def runs(line: str) -> str:
    """Write each stack as a run of letters, whose lower ones are arbitrary."""
    return re.sub(
        r"([zrtZRT])([0-9]+)",
        lambda found: found[1] + ("t" if found[1].islower() else "T") * (int(found[2]) - 1),
        line,
    )


WRITINGS = {
    "as letters have it": lambda line: line,
    "with single spaces": spaced,
    "with many spaces": lambda line: line.replace(" ", "   "),
    "with colons": lambda line: line[0] + ":" + line[1:],
    "with small letters of columns": lambda line: line[0].lower() + line[1:],
    "with o for empty": lambda line: line[0] + line[1:].replace(" 0", " o"),
    "with dots for empty": lambda line: line[0] + line[1:].replace(" 0", " ."),
    "with dashes for empty": lambda line: line[0] + line[1:].replace(" 0", " -"),
    "with underscores for empty": lambda line: line[0] + line[1:].replace(" 0", " _"),
    "without the centre": lambda line: line.replace("+", " "),
    "without column letters": unlettered,
    "with runs of letters": runs,
    "with heights apart": lambda line: re.sub(r"([zrtZRT])([0-9])", r"\1 \2", line),
    "with bars": lambda line: line[0] + " | " + " | ".join(line[1:].split()) + " |",
}


@pytest.mark.parametrize(("writing", "ply"), combined(WRITINGS, [0, 5, 14]))
def test_a_board_is_read_however_it_is_written(writing: str, ply: int) -> None:
    lines = [WRITINGS[writing](line) for line in rows(ply)]
    found = compared(lines, TURNS[:14])
    assert (found.how, found.facts["ply"]) == ("same" if ply == 14 else "earlier", ply)


@pytest.mark.parametrize("game", some_of(RECORDED[::4], 4), ids=lambda game: game["setup"])
def test_every_board_of_a_game_is_found_and_is_the_only_one(game) -> None:
    setup = game["setup"]
    setup += f" start={game['start'].split()[0]}" if setup == "random" else ""
    for ply in range(1, len(game["turns"]) + 1, 7):
        (found,) = GAME.boards_in(rows(ply, game))
        assert GAME.compare(setup, game["turns"][:ply], found.text).how == "same"
        assert read_rows(found.text).cells == cells_of(position(game["positions"][ply - 1]))


def test_a_full_board_may_be_written_without_spaces() -> None:
    found = compared([glued(line) for line in rows(0)], [])
    assert found.how == "same"


def test_lines_with_letters_may_be_in_any_order() -> None:
    lines = rows(9)
    Random(3).shuffle(lines)
    assert compared(lines, TURNS[:9]).how == "same"


def test_two_boards_below_each_other_are_two() -> None:
    assert len(GAME.boards_in([*rows(3), *rows(4)])) == 2
    assert len(GAME.boards_in([*rows(3), "", "and now", "", *rows(4)])) == 2


def test_a_board_with_another_turn_is_explained() -> None:
    found = compared(rows(8), TURNS[:7])
    assert (found.how, found.facts["move"]) == ("ahead", TURNS[7])
    other = "c a3 a4 s b2 b3"
    state = GAME.start("fixed").play("c a5 a4")
    played = "c a3 a4 s a2 b3"
    found = compared(list(state.play(other).board()), ["c a5 a4", played])
    assert found.how == "otherwise"
    assert (found.facts["first"].number, found.facts["first"].instead) == (2, other)  # type: ignore[attr-defined]


@pytest.mark.parametrize("ply", [3, 10, 20])
def test_spots_that_differ_are_named(ply: int) -> None:
    cells = [line.split() for line in rows(ply)]
    cells[0][1], cells[4][2] = "Z9", "z9"
    found = compared([" ".join(line) for line in cells], TURNS[:ply])
    assert (found.how, found.facts["ply"]) == ("differs", ply)
    assert [(one.spot, one.yours) for one in found.facts["spots"]] == [("a1", "Z9"), ("e2", "z9")]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("way", "turned"),
    [
        (
            "spots-reversed",
            lambda lines: [line[0] + " " + " ".join(reversed(line[1:].split())) for line in lines],
        ),
        ("columns-reversed", lambda lines: [unlettered(line) for line in reversed(lines)]),
        ("colors-swapped", lambda lines: [line[0] + line[1:].swapcase() for line in lines]),
    ],
)
def test_a_board_written_the_other_way_round_is_recognised(way: str, turned) -> None:
    found = compared(turned(rows(14)), TURNS[:14])
    assert (found.how, found.facts["way"]) == ("turned", way)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda lines: lines[:-1], "line-missing"),
        (lambda lines: [*lines[:4], *lines[5:]], "line-missing"),
        (lambda lines: [lines[0] + " T", *lines[1:]], "ragged"),
        (lambda lines: [lines[0][:-2], *lines[1:]], "ragged"),
        (lambda lines: [spaced(lines[0]).replace(" T", " q", 1), *lines[1:]], "unreadable"),
        (lambda lines: [*lines[:3], *lines[2:8]], "line-twice"),
    ],
)
def test_a_damaged_board_is_said_to_be_damaged(change, fault: str) -> None:
    found = compared(change(rows(6)), TURNS[:6])
    assert found.how == "differs"
    assert fault in {one.name for one in found.facts["faults"]}  # type: ignore[attr-defined]
    assert found.facts["spots"] == ()


def test_spots_between_which_some_spaces_are_missing_count_only_if_the_board_fits() -> None:
    lines = [spaced(line) for line in rows(6)]
    joined = [lines[0], lines[1].replace(" ", "", 3).replace("B", "B ", 1), *lines[2:]]
    assert compared(joined, TURNS[:6]).how == "same"
    other = compared([*joined[:8], spaced(lines[8]).replace("t", "r", 1)], TURNS[:6])
    assert other.how == "differs"
    assert [one.name for one in other.facts["faults"]] == ["ragged"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "lines",
    [
        ["A b c d e", "I have a question", "Do you see it?"],
        ["a1", "b2", "c3"],
        ["1. c a1 b2", "2. c a1 b2 pass", "3. c a1 b2 pass"],
        ["- 0 - 0 -", "0 0 0", "- -"],
        ["T", "t", "T"],
        [*rows(3)[:4]],
        ["A to be or not to be", *["it is a test of lines"] * 8],
    ],
)
def test_chat_is_no_board(lines: list[str]) -> None:
    assert GAME.boards_in(lines) == ()


TURN_LINES = [
    *("c a3 a4 s a2 b3", "c a3 a4 c a4 b5", "C A3 A4 S A2 B3", "c a3 a4 -", "c a3 a4 p", "c a3 a4 s a2 b3 t"),
    *("c a3 a4 s a2 b3 #2", "x a3 a4 s a2 b3", "s a3 a4 c a2 b3", "a3 a4", "c a3 a4", "pz e4", "c a1 b2 s"),
]
SHORT_LINES = [
    "x",
    "T",
    "R.",
    "?",
    "!",
    "1",
    "-",
    "t3",
    "a1",
    "b2?",
    "2026",
    "#2",
    "T r",
    "I t",
    "E",
    "\U0001f44d",
]


@each_row("beside", [*TURN_LINES, *SHORT_LINES])
@pytest.mark.parametrize("blanks", [0, 1, 2])
def test_a_turn_or_a_short_line_beside_a_board_is_no_line_of_it(beside: str, blanks: int) -> None:
    between = [""] * blanks
    (above,) = GAME.boards_in([beside, *between, *rows(3)])
    (below,) = GAME.boards_in([*rows(3), *between, beside])
    assert (above.first, above.after) == (1 + blanks, 10 + blanks)
    assert (below.first, below.after) == (0, 9)
    assert GAME.compare("fixed", TURNS[:3], above.text).how == "same"


@pytest.mark.parametrize("beside", ["? ? ?", "1 2 3 4", "T T T r", "- - - - - - - - - -"])
def test_a_line_without_a_letter_is_no_part_of_nine_lines_with_letters(beside: str) -> None:
    for lines, first in (([beside, *rows(3)], 1), ([*rows(3), "", beside], 0)):
        (found,) = GAME.boards_in(lines)
        assert (found.first, found.after) == (first, first + 9)
        assert GAME.compare("fixed", TURNS[:3], found.text).how == "same"


@pytest.mark.parametrize("blanks", [0, 1])
def test_a_board_without_letters_beside_one_with_letters_is_a_board_of_its_own(blanks: int) -> None:
    bare, lettered = [unlettered(line) for line in rows(3)], rows(0)
    for lines, plies in (
        ([*bare, *[""] * blanks, *lettered], (3, 0)),
        ([*lettered, *[""] * blanks, *bare], (0, 3)),
    ):
        found = [GAME.compare("fixed", TURNS[:3], one.text) for one in GAME.boards_in(lines)]
        assert [(one.how in ("same", "earlier"), one.facts["ply"]) for one in found] == [
            (True, ply) for ply in plies
        ]


def test_lines_whose_letters_were_forgotten_still_count_in_order() -> None:
    lines = [unlettered(rows(3)[0]), *rows(3)[1:7], *map(unlettered, rows(3)[7:])]
    assert compared(lines, TURNS[:3]).how == "same"


def test_a_few_lines_are_a_board_where_one_is_expected() -> None:
    (found,) = GAME.boards_in(["Mine is:", *rows(3)[:4]], [0])
    assert GAME.compare("fixed", TURNS[:3], found.text).how == "size"


@given(st.integers(0, 30), st.data())
def test_a_board_with_random_damage_never_gets_a_wrong_answer(ply: int, data: st.DataObject) -> None:
    """Change, remove or add characters: the board is then the same, another, or said to be faulty."""
    lines = rows(ply)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        column = data.draw(st.integers(1, max(len(lines[at]) - 1, 1)))
        sign = data.draw(st.sampled_from(["", " ", "t", "Z", "0", "3", "?", "x", "\u0442"]))
        lines[at] = lines[at][:column] + sign + lines[at][column + 1 :]
    for found in GAME.boards_in(lines, [-1]):
        comparison = GAME.compare("fixed", TURNS[:ply], found.text)
        if comparison.how in ("same", "earlier"):
            read = read_rows(found.text)
            assert cells_of(position(FIXED["positions"][comparison.facts["ply"] - 1])) in (
                read.cells,
                read.loose,
            ) or (  # type: ignore[operator]
                comparison.facts["ply"] == 0
            )
        for one in comparison.facts.get("spots", ()):  # type: ignore[attr-defined]
            assert one.yours in read_rows(found.text).cells


def test_two_boards_are_compared_with_each_other_and_with_the_log() -> None:
    boards = {ply: "/".join(rows(ply)) for ply in (5, 6)}
    found = GAME.compare_two("fixed", TURNS[:6], boards[6], boards[6])
    assert (found.how, found.facts["agrees"]) == ("two-same", "both")
    found = GAME.compare_two("fixed", TURNS[:6], boards[6], boards[5])
    assert (found.how, found.facts["agrees"]) == ("two-differ", "one")
    assert {one.spot for one in found.facts["spots"]} == {"d4", "d5", "f5", "f8"}  # type: ignore[attr-defined]
    found = GAME.compare_two("fixed", TURNS[:6], boards[6], "t t")
    assert found.how == "two-size"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text.replace("0", "Z"), "too-many-pieces"),
        (lambda text: text.replace(" T ", " T29 ", 1), "too-many-pieces"),
        (lambda text: text.replace("Z", "R", 9).replace("R", "T", 9), "board-ends-the-game"),
        (lambda text: text[:40], "impossible-board"),
        (lambda text: text.replace("T", "q", 1), "impossible-board"),
    ],
)
def test_a_board_that_can_t_be_is_not_agreed_on(change, reason: str) -> None:
    text = "/".join(map(spaced, rows(25)))
    with pytest.raises(Refused) as caught:
        GAME.start("fixed").adopt(change(text), Seat.FIRST)
    assert caught.value.reason.name == reason


def test_an_agreed_board_goes_on_from_there() -> None:
    state = GAME.start("fixed")
    text = "/".join(map(spaced, rows(14)))
    after = state.play(state.adopt(text, Seat.SECOND))
    assert after.board() == tuple(rows(14))
    assert after.to_move is Seat.SECOND
    placing = GAME.start("tournament").play("pz e4")
    again = placing.play(placing.adopt("/".join(map(spaced, placing.board())), Seat.FIRST))
    assert again.position.is_placing


def test_who_has_nothing_left_to_place_on_an_agreed_board_is_passed_over() -> None:
    placing = GAME.start("tournament").play("pz e4")
    without_totts = "/".join(" ".join(row.split()) for row in GAME.start("fixed").board()).replace("T", "0")
    after = placing.play(placing.adopt(without_totts, Seat.FIRST))
    assert after.position.is_placing
    assert after.to_move is Seat.SECOND
    assert after.play("pt a1").to_move is Seat.SECOND
