"""Lines of mails, read as turns, near misses or neither."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from takmail.games.interface import NearMiss, ReadTurn
from takmail.games.tzaar.game import TzaarGame
from takmail.games.tzaar.setup import Layout, TzaarSetup
from takmail.games.tzaar.state import TzaarState
from tests.support.examples import examples
from tests.support.tables import each_row
from tests.tzaar.vectors import position

GAME = TzaarGame()
# White can capture A2 from A1, then A4 or A5; the stack on C1 can go on C3; D8 is too tall.
MIDDLE = "tTxTT/x6/txrx2tx/x7R3/Zx3x4/x8/x6t/x6/x3rz w"
WINS = "tTx3/x6/Zx5R/x8/x8/x8/x7/x6/x3rz w"
LINES_OF_AN_EXAMPLE = 50
EXAMPLES = examples(15, 2_000)  # this makes 100,000 lines in `make fuzz`


def state(text: str, layout: Layout = Layout.FIXED) -> TzaarState:
    return TzaarState(position(text), TzaarSetup(layout), 5)


NOW = state(MIDDLE)
FIRST = GAME.start("fixed")
PLACING = GAME.start("tournament")
SEEN_NOWHERE = GAME.unseen("fixed")


@each_row(
    ("line", "turn"),
    [
        ("c a1 a2 c a2 a4", "c a1 a2 c a2 a4"),
        ("C A1 A2 C A2 A4", "c a1 a2 c a2 a4"),
        ("capture a1 a2 take a2 a4", "c a1 a2 c a2 a4"),
        ("x a1 a2 x a2 a4", "c a1 a2 c a2 a4"),
        ("c a1 a2, c a2 a4", "c a1 a2 c a2 a4"),
        ("c a1 a2; c a2 a4", "c a1 a2 c a2 a4"),
        ("c a1 a2 + c a2 a4", "c a1 a2 c a2 a4"),
        ("c a1 a2 then c a2 a4", "c a1 a2 c a2 a4"),
        ("c a1 a2 and then c a2 a4.", "c a1 a2 c a2 a4"),
        ("a1xa2 a2xa4", "c a1 a2 c a2 a4"),
        ("a1 x a2, a2 x a4", "c a1 a2 c a2 a4"),
        ("a1xa2,a2xa4", "c a1 a2 c a2 a4"),
        ("a1 takes a2 and a2 takes a4", "c a1 a2 c a2 a4"),
        ("c a1 to a2 c a2 to a4", "c a1 a2 c a2 a4"),
        ("c a1-a2 c a2->a4", "c a1 a2 c a2 a4"),
        ("a1-a2 a2-a4", "c a1 a2 c a2 a4"),
        ("a1-a2 c1-c3", "c a1 a2 s c1 c3"),
        ("c a1 a2 s c1 c3", "c a1 a2 s c1 c3"),
        ("c a1 a2 stack c1 c3", "c a1 a2 s c1 c3"),
        ("c a1 a2 jump c1 onto c3", "c a1 a2 s c1 c3"),
        ("c a1 a2 c1+c3", "c a1 a2 s c1 c3"),
        ("a1xa2 c1+c3", "c a1 a2 s c1 c3"),
        ("a1xa2 + c1+c3", "c a1 a2 s c1 c3"),
        ("c a1 a2 pass", "c a1 a2 pass"),
        ("c a1 a2 p", "c a1 a2 pass"),
        ("c a1 a2 -", "c a1 a2 pass"),
        ("c a1 a2 no", "c a1 a2 pass"),
        ("c a1 a2, pass", "c a1 a2 pass"),
        ("a1xa2,-", "c a1 a2 pass"),
        ("move c a1 a2 pass", "c a1 a2 pass"),
        ("c a1 a2 pass t", "c a1 a2 pass t"),
        ("c a1 a2 pass (T)", "c a1 a2 pass t"),
        ("(t) c a1 a2 c a2 a4", "c a1 a2 c a2 a4 t"),
        ("c a1 a2 pass(t)", "c a1 a2 pass t"),
        ("a1xa2,-(t)", "c a1 a2 pass t"),
        ("a1-a2-pass", "c a1 a2 pass"),
        ("c a1 - a2 - pass", "c a1 a2 pass"),
        ("c a1 a2 - s c1 c3", "c a1 a2 s c1 c3"),
        ("c a1 a2 - -", "c a1 a2 pass"),
    ],
)
def test_a_turn_may_be_spelt_in_many_ways(line: str, turn: str) -> None:
    assert NOW.read(line) == ReadTurn(turn)


@pytest.mark.parametrize(("line", "fix"), [("a1xa2,-'", "c a1 a2 pass t"), ("'a1xa2,-'", "c a1 a2 pass")])
def test_the_call_of_a_record_is_kept_and_quotation_marks_are_none(line: str, fix: str) -> None:
    miss = NOW.read(line)
    assert isinstance(miss, NearMiss)
    assert (miss.reason.name, miss.fixes) == ("slip", (fix,))


def test_a_turn_may_name_its_number() -> None:
    assert NOW.read("c a1 a2 pass #6") == ReadTurn("c a1 a2 pass", 6)
    assert NOW.read("#6 c a1 a2 pass t") == ReadTurn("c a1 a2 pass t", 6)


@each_row(
    ("lines", "turn"),
    [
        (["c a1 a2", "c a2 a4"], "c a1 a2 c a2 a4"),
        (["C a1 a2,", "then s c1 c3"], "c a1 a2 s c1 c3"),
        (["a1xa2", "pass"], "c a1 a2 pass"),
        (["c a1 a2", "p #6"], "c a1 a2 pass"),
        (["c a1 a2,", "then p"], "c a1 a2 pass"),
        (["c a1 a2", "c a2 a4 t"], "c a1 a2 c a2 a4 t"),
        (["c a1 a2 t", "c a2 a4"], "c a1 a2 c a2 a4 t"),
        (["c a1 a2 #6", "c a2 a4"], "c a1 a2 c a2 a4"),
    ],
)
def test_the_two_actions_may_stand_on_two_lines(lines: list[str], turn: str) -> None:
    reading, taken = NOW.read_lines([*lines, "Good luck"])
    assert (isinstance(reading, ReadTurn) and reading.text, taken) == (turn, 2)


@pytest.mark.parametrize("marks", [("- ", "- "), ("* ", "* "), ("1. ", "2. "), ("1.", "2."), ("1. ", "")])
def test_two_items_of_a_list_are_offered_as_one_turn(marks: tuple[str, str]) -> None:
    first, second = marks
    reading, taken = NOW.read_lines([f"{first}c a1 a2", f"{second}c a2 a4", "Good luck"])
    assert isinstance(reading, NearMiss)
    assert (reading.reason.name, reading.fixes, taken) == ("slip", ("c a1 a2 c a2 a4",), 2)


@pytest.mark.parametrize("third", ["c a4 a5", "s c1 c3", "pass", "then c a4 a5 t"])
def test_three_lines_with_an_action_each_are_as_many_actions(third: str) -> None:
    reading, taken = NOW.read_lines(["c a1 a2", "c a2 a4", third, "Good luck"])
    assert isinstance(reading, NearMiss)
    assert (reading.reason.name, reading.reason.facts["count"], taken) == ("too-many-actions", 3, 3)


def test_two_lines_that_name_the_number_of_a_turn_are_two_turns() -> None:
    assert FIRST.read_lines(["c a5 a4 #1", "c a5 b5 #1"]) == (ReadTurn("c a5 a4", 1), 1)


@pytest.mark.parametrize("below", ["c a4", "s c1", "c a2 a", "then stack c1 c"])
def test_a_second_line_that_is_cut_off_is_quoted(below: str) -> None:
    found, taken = NOW.read_lines(["c a1 a2", below, "Good luck"])
    assert isinstance(found, NearMiss)
    words = below.removeprefix("then ")
    assert (found.reason.name, found.reason.facts["words"], taken) == ("second-unclear", words, 2)


@each_row(
    "below",
    [
        "Hello",
        "no idea",
        "pasta",
        "take care",
        "stack overflow",
        "x",
        "c a2 a4 c a4 a5",
        "c a2 a4 yesterday",
        "pz a1",
        "- Ben",
    ],
)
def test_another_line_is_no_second_action(below: str) -> None:
    assert NOW.read_lines(["c a1 a2", below])[1] == 1


@pytest.mark.parametrize("below", ["-", "–", "no", "and no"])
def test_a_sign_for_a_pass_counts_on_the_last_line_alone(below: str) -> None:
    reading, taken = NOW.read_lines(["c a1 a2", below])
    assert isinstance(reading, ReadTurn)
    assert (reading.text, taken) == ("c a1 a2 pass", 2)
    assert NOW.read_lines(["c a1 a2", below, "Ben"])[1] == 1


@each_row(
    ("line", "reason", "fixes"),
    [
        ("c a1 a2", "second-missing", ("c a1 a2 pass",)),
        ("c a1 a2 c a4", "second-unclear", ("c a1 a2 c a2 a4",)),
        ("c a1 a2 pas", "second-unclear", ("c a1 a2 pass",)),
        ("c a1 a2 t", "second-missing", ("c a1 a2 pass t",)),
        ("c a1 a2 s a2 a4", "not-own-piece", ()),
        ("s a1 a2 pass", "not-own-piece", ()),
        ("s a1 a2", "not-own-piece", ()),
        ("c a1 a2 c c1 c3", "own-piece", ("c a1 a2 s c1 c3",)),
        ("c c1 c3 pass", "own-piece", ()),
        ("a1-a3", "in-the-way", ()),
        ("a1-a2 a2-a3", "empty", ()),
        ("c a1 e9", "no-such-spot", ()),
        ("c j1 a2 pass", "no-such-spot", ()),
        ("c a1 a2 c a2 a4 pass", "too-many-actions", ()),
        ("ca1 a2 pass", "slip", ("c a1 a2 pass",)),
        ("* c a1 a2 pass", "slip", ("c a1 a2 pass",)),
        ('"c a1 a2 pass"', "slip", ("c a1 a2 pass",)),
        ("c a1 a2 pass good luck", "extra-words", ("c a1 a2 pass",)),
        ("pz a1 c a1 a2", "mixed-actions", ()),
        ("pz a1 pz a2", "one-placing", ()),
    ],
)
def test_what_is_almost_a_turn_is_asked_about(line: str, reason: str, fixes: tuple[str, ...]) -> None:
    found = NOW.read(line)
    assert isinstance(found, NearMiss)
    assert (found.reason.name, found.fixes) == (reason, fixes)
    for fix in fixes:
        assert NOW.read(fix) == ReadTurn(fix)
        NOW.play(fix)


@pytest.mark.parametrize(
    ("where", "line", "reason", "fixes"),
    [
        (FIRST, "c a5 a4 pass", "one-action", ("c a5 a4",)),
        (FIRST, "c a5 a4 s a4 b5", "one-action", ()),
        (state(WINS), "c a1 a2 pass", "over-after-first", ("c a1 a2",)),
    ],
)
def test_where_no_second_action_is_allowed_only_a_pass_is_left_out(
    where: TzaarState, line: str, reason: str, fixes: tuple[str, ...]
) -> None:
    found = where.read(line)
    assert isinstance(found, NearMiss)
    assert (found.reason.name, found.fixes) == (reason, fixes)


@pytest.mark.parametrize("line", ["c a5 a4", "C A5-A4", "a5xa4"])
def test_the_first_turn_is_one_action(line: str) -> None:
    assert FIRST.read(line) == ReadTurn("c a5 a4")


@pytest.mark.parametrize(
    ("line", "turn"),
    [("pz e4", "pz e4"), ("PR A1 #1", "pr a1"), ("pt i5.", "pt i5"), ("move pt i5", "pt i5")],
)
def test_a_placing_is_read(line: str, turn: str) -> None:
    found = PLACING.read(line)
    assert isinstance(found, ReadTurn)
    assert found.text == turn


@each_row(
    "line",
    [
        "",
        "Hello",
        "no",
        "-",
        "p",
        "a1",
        "a1 a2",
        "good game, see you on b3 tomorrow",
        "c a1 a2 is what I wanted to play, but then I saw it",
        "capture the flag",
        "stack overflow",
        "take care",
        "x",
        "c" * 500,
    ],
)
def test_chat_is_no_turn(line: str) -> None:
    assert NOW.read(line) is None
    assert GAME.anywhere.read(line) is None


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("a1-a2", ("c a1 a2", "s a1 a2")),
        ("c a1 a2 c2-c3", ("c a1 a2 c c2 c3", "c a1 a2 s c2 c3")),
    ],
)
def test_on_an_unknown_board_a_hyphen_is_either_act(line: str, lines: tuple[str, ...]) -> None:
    found = SEEN_NOWHERE.read(line)
    assert isinstance(found, NearMiss)
    assert (found.reason.name, found.fixes) == ("either-act", lines)


@pytest.mark.parametrize("line", ["c a1 a2", "c a1 a2 pass", "s a1 a2 c a1 a3", "c a1 a2 s b2 b3 t", "pz a1"])
def test_on_an_unknown_board_every_turn_in_its_form_is_one(line: str) -> None:
    assert SEEN_NOWHERE.read(line) == ReadTurn(line)


WORD_TEXT = """
    c s x p - no pass pz pr pt px a1 a2 a3 b2 c1 c3 e4 e5 e8 e9 i5 z9 j1 a1xa2 c1+c3 a1-a2 a4 , ; + then and t (t) #1
    capture take stack jump move to onto ca1 sa1 c-a1 0 1 2 . ! ? " ' * ( ) [ ] > -> ok hello tt Z3 r2 – ² тт İ #99
"""
WORDS = WORD_TEXT.split()


@pytest.mark.many
@settings(max_examples=EXAMPLES)
@given(
    st.lists(
        st.one_of(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), st.text(max_size=60)),
        min_size=LINES_OF_AN_EXAMPLE,
        max_size=LINES_OF_AN_EXAMPLE,
    )
)
def test_any_line_is_a_turn_a_near_miss_or_neither(lines: list[str]) -> None:
    for line in lines:
        for where in (NOW, FIRST, PLACING, SEEN_NOWHERE):
            found = where.read(line)
            match found:
                case ReadTurn(text):
                    assert where.read(text) == ReadTurn(text)
                case NearMiss(_, fixes):
                    assert all(where.read(fix) == ReadTurn(fix) for fix in fixes), line
                case None:
                    pass
            where.meant(line)
            where.turns_in(line)
