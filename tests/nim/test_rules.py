"""The rules of Nim, and the parts of the interface that Nim tests.

These are random set-ups, turns of two lines, and a question before a bad turn.
"""

from random import Random

import pytest

from takmail.games.interface import Interpretation, Meant, NearMiss, ReadTurn, Reason, Refused, Seat
from takmail.games.relay import Relay
from tests.nim.beside_tak import GAMES, NIM
from tests.nim.notation import HIGHEST
from tests.nim.state import NimState
from tests.support.tables import each_row


def after(heaps: str, *turns: str) -> NimState:
    state = NIM.start(f"heaps={heaps}")
    for text in turns:
        state = state.play(text)
    return state


def refused(state: NimState, text: str) -> str:
    with pytest.raises(Refused) as caught:
        state.play(text)
    return caught.value.reason.name


def test_the_heaps_are_drawn_when_the_game_is_accepted_and_anew_for_the_next_one() -> None:
    setup = NIM.set_up((), Random(1))
    assert (setup, NIM.title(setup), NIM.start(setup).board()) == ("random", "heaps by lot", ())
    drawn = {NIM.complete(setup, Random(seed)) for seed in range(50)}
    assert len(drawn) > 40
    heaps = [NIM.start(whole).heaps or () for whole in drawn]
    assert {len(one) for one in heaps} == {3, 4, 5}
    assert {height for one in heaps for height in one} == set(range(1, HIGHEST + 1))
    whole, *_ = drawn
    assert NIM.complete(whole, Random(3)) == whole
    assert NIM.rematch_setup(whole) == setup


def test_heaps_that_are_said_are_never_drawn() -> None:
    setup = NIM.set_up(("heaps=3,4,5",), Random(1))
    assert NIM.complete(setup, Random(1)) == setup
    assert (NIM.title(setup), NIM.rematch_setup(setup)) == ("heaps of 3-4-5", setup)
    for said in ("", "3", "3,4", "3,4,5,6,7,1", "0,1,2", "8,1,1", "a,b,c", "10,1,1"):
        with pytest.raises(Refused) as caught:
            NIM.set_up((f"heaps={said}",), Random(1))
        assert caught.value.reason.name == "bad-heaps"


def test_nothing_is_played_before_the_heaps_are_drawn() -> None:
    assert refused(NIM.start("random"), "take 1 from 1") == "game-over"


def test_stones_are_taken_from_one_heap_and_the_last_one_wins() -> None:
    state = after("1,2,1", "take 2 from 2", "take 1 from 3")
    assert state.board() == ("1 o", "2 -", "3 -")
    assert (state.to_move, state.turns, state.result) == (Seat.FIRST, 2, None)
    end = state.play("take 1 from 1")
    assert end.result is not None
    assert (end.result.winner, end.result.score, end.result.how) == (Seat.FIRST, "1-0", "last-stone")
    assert end.score(end.result).points == (3, 0)


@each_row(
    ("text", "reason"),
    [
        ("take 0 from 1", "takes-nothing"),
        ("take 4 from 1", "heap-too-low"),
        ("take 1 from 4", "no-such-heap"),
        ("take 1 from 0", "no-such-heap"),
        ("take 03 from 1", "no-turn"),
        ("take 1", "no-turn"),
        ("board 1 o/2 o first", "other-heaps"),
        ("board 1 o/2 oo/3 what second", "other-heaps"),
        ("board 1 o/2 oo/3 o", "no-turn"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(text: str, reason: str) -> None:
    assert refused(after("3,4,5"), text) == reason


@pytest.mark.parametrize(
    ("file", "reader"), [("one.ptn", "tak"), ("one.tzaar.txt", "tzaar"), ("one.nim.txt", "tak")]
)
def test_records_of_a_game_that_reads_none_are_left_to_the_default_game(file: str, reader: str) -> None:
    assert GAMES.of_file(file).name == reader


@each_row(
    ("lines", "reading", "taken"),
    [
        (["take 3", "from 2"], ReadTurn("take 3 from 2"), 2),
        (["Take 3 stones", "From heap 2", "Hello"], ReadTurn("take 3 from 2"), 2),
        (["take 3", "from 2 #7"], ReadTurn("take 3 from 2", 7), 2),
        (["take 3 #7", "from 2"], NearMiss(Reason("heap-missing", {"count": 3}), ("take 3 from 3",)), 1),
        (["take 3 from 2", "from 1"], ReadTurn("take 3 from 2"), 1),
        (["take 3 from 2"], ReadTurn("take 3 from 2"), 1),
        (["from 2", "take 3"], NearMiss(Reason("count-missing", {"place": "2"}), ("take 1 from 2",)), 1),
        (["take 3", "please"], NearMiss(Reason("heap-missing", {"count": 3}), ("take 3 from 3",)), 1),
        (["take 3", "take 2"], NearMiss(Reason("heap-missing", {"count": 3}), ("take 3 from 3",)), 1),
        (["take a break", "from 2"], None, 1),
    ],
)
def test_a_turn_has_two_lines_or_one(lines: list[str], reading: object, taken: int) -> None:
    assert after("2,1,3").read_lines(lines) == (reading, taken)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("3 from heap 2", "take 3 from 2"),
        ("I take 2 of the 3", "take 2 from 3"),
        ("3 2", None),
        ("take 3", None),
        ("see you at 3 or 4", None),
    ],
)
def test_words_that_are_no_more_than_a_turn_are_a_try_at_one(words: str, line: str | None) -> None:
    expected = None if line is None else Meant((Interpretation("count-then-heap", (line,)),))
    assert after("3,4,5").meant(words) == expected


def test_a_turn_that_gives_the_game_away_is_asked_about_first() -> None:
    state = after("3,4,5")
    assert state.asks_before("take 2 from 1") is None  # with heaps of 1, 4 and 5 the player to move loses
    reason = state.asks_before("take 1 from 1")
    assert reason == Reason("gives-it-away", {"turn": "take 1 from 1"})
    assert state.play("take 1 from 1").turns == 1  # after the confirmation it is an ordinary turn
    lost = state.play("take 2 from 1")
    assert {lost.asks_before(one.typed) for group in lost.choices() for one in group.turns} == {None}
    assert state.asks_before("take 9 from 1") is None
    assert after("1,1,1", "take 1 from 1", "take 1 from 2").asks_before("take 1 from 3") is None


def test_the_heaps_are_called_by_digits() -> None:
    (group,) = after("3,4,5").choices_at("2")
    assert [one.typed for one in group.turns] == [f"take {n} from 2" for n in range(1, 5)]
    assert [one for one in ("1", "5", "6", "0", "b2", "12", "") if NIM.is_place(one)] == ["1", "5"]
    for state, place, name in (
        (after("3,4,5"), "4", "no-such-heap"),
        (after("1,4,5", "take 1 from 1"), "1", "heap-is-gone"),
    ):
        with pytest.raises(Refused) as caught:
            state.choices_at(place)
        assert caught.value.reason.name == name


def test_a_written_board_is_found_and_compared_with_the_game() -> None:
    lines = ["Mine:", "1 | ooo", "2: o o", "3 -", "4 stones are missing"]
    (found,) = NIM.boards_in(lines)
    assert (found.first, found.after, found.text) == (1, 4, "1 ooo/2 oo/3 -")
    turns = ["take 2 from 2", "take 5 from 3", "take 1 from 1"]
    assert NIM.compare("heaps=3,4,5", turns[:2], found.text).how == "same"
    assert NIM.compare("heaps=3,4,5", turns, found.text).facts == {"turn": 2, "now": 3}
    assert NIM.compare("heaps=3,4,5", turns[:1], found.text).facts == {"heaps": (("3", 0, 5),)}
    assert NIM.compare("heaps=3,4,5,6", turns, found.text).how == "size"
    assert NIM.boards_in(["1 o", "2 oo"]) == ()
    assert len(NIM.boards_in(["rs", "", "1 o", "2 oo"], {0})) == 1


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ("1 ooo/2 o", "other-heaps"),
        ("1 oooo/2 o/3 o", "heap-has-grown"),
        ("1 -/2 -/3 -", "board-ends-the-game"),
        ("3 o/2 o/1 o", "other-heaps"),
    ],
)
def test_a_board_that_can_not_be_is_not_agreed_on(board: str, name: str) -> None:
    with pytest.raises(Refused) as caught:
        after("3,4,5").adopt(board, Seat.FIRST)
    assert caught.value.reason.name == name


def test_the_record_tells_it_all() -> None:
    record = NIM.record("heaps=3,4,5", ["take 3 from 1", "take 1 from 2"], {"Player1": "Ada"}, None)
    assert record.splitlines() == [
        '[Player1 "Ada"]',
        '[Game "Nim"]',
        '[Setup "heaps=3,4,5"]',
        '[Result "*"]',
        "",
        "1. take 3 from 1",
        "2. take 1 from 2",
    ]


def test_its_moves_can_be_passed_on_alone() -> None:
    state = Relay(NIM).start("heaps=3,4,5")
    assert state.read_lines(["take 3", "from 2"]) == (ReadTurn("take 3 from 2"), 2)
    assert state.play("take 99 from 9").turns == 1
    assert state.asks_before("take 1 from 1") is None
