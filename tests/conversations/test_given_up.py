"""Taken-back turns in the log, the boards and the record."""

import pytest

from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, said
from tests.support.proposals import FOUR, ada, ben, board, log
from tests.support.scenes import played_once
from tests.support.width import combined


@pytest.fixture
@played_once
def middle(harness: MemoryHarness) -> None:
    """Ada and Ben have played four turns, and Ada is to move."""
    harness.begin_and_play(*FOUR)


def test_the_log_shows_the_turns_of_the_game_and_then_what_was_given_up(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    ben(middle, "agree")
    middle.play("ps b2", "ps b3")
    ada(middle, "propose back 3")
    ben(middle, "agree")
    ada(middle, "propose back 1")
    ben(middle, "agree")
    middle.play("ps d5", start=1)
    assert log(middle) == [
        "You wrote: log All turns so far: 1. Ada: ps a1 2. Ben: ps d5",
        "Run 1, turns 3 to 4, given up on 2026-11-21, as both agreed to go back to turn 2:"
        " 3. Ada: ps c3 4. Ben: ps c4",
        "Run 2, turn 4, given up on 2026-11-21, as both agreed to go back to turn 3: 4. Ben: ps b3",
        "Run 3, turns 2 to 3, given up on 2026-11-21, as both agreed to go back to turn 1:"
        " 2. Ben: ps e5 3. Ada: ps b2",
    ]


def test_the_log_of_a_game_that_has_begun_anew_shows_what_was_before(middle: MemoryHarness) -> None:
    ada(middle, "propose restart")
    ben(middle, "agree")
    ada(middle, "ps b1")
    ada(middle, "undo")
    assert log(middle) == [
        "You wrote: log The game has no turns yet.",
        "Run 1, turns 1 to 4, given up on 2026-11-21, as both agreed to begin anew:"
        " 1. Ada: ps a1 2. Ben: ps e5 3. Ada: ps c3 4. Ben: ps c4",
        "Run 2, turn 1, given up on 2026-11-21, as the last turn was taken back: 1. Ada: ps b1",
    ]


def test_the_board_after_a_turn_that_was_given_up_can_be_shown(middle: MemoryHarness) -> None:
    ada(middle, "propose restart")
    ben(middle, "agree")
    (answer,) = ada(middle, "show 3")
    assert "Turn 3 no longer counts: it was given up on 2026-11-21, as both agreed to begin anew" in said(
        answer
    )
    assert board(answer) == ["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 0 0 0", "0 0 0 0 s"]
    (answer,) = ada(middle, "show 5")
    assert "there is no turn 5; 0 have been played so far" in said(answer)
    middle.play("ps b1", "ps b5", "ps d1")
    (answer,) = ada(middle, "show 3")
    assert "The board after turn 3 of 3" in said(answer)
    assert 'Another turn 3 was given up: "show 3 given up 1" shows its board.' in said(answer)
    (answer,) = ada(middle, "show 3 given up")
    assert "This turn 3 no longer counts" in said(answer)
    assert board(answer) == ["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 0 0 0", "0 0 0 0 s"]
    (answer,) = ada(middle, "show")
    assert "given up" not in said(answer)
    (answer,) = ada(middle, "show 4")
    assert board(answer)[3] == "0 0 S 0 0"


@pytest.mark.parametrize("words", ["im #4", "why 4", "why 4 ps b1", "propose back 4"])
def test_who_names_a_turn_that_was_given_up_hears_that_and_where_to_see_it(
    middle: MemoryHarness, words: str
) -> None:
    ada(middle, "propose back 2")
    ben(middle, "agree")
    (answer,) = ada(middle, words)
    assert (
        "Not done: turn 4 no longer counts: it was given up on 2026-11-21, as both agreed to go back to "
        'turn 2. "show 4" shows the board after it.'
    ) in said(answer)


@pytest.mark.parametrize("words", ["im #5", "why 5", "propose back 5", "show 5"])
def test_a_turn_that_nobody_ever_played_is_not_said_to_be_given_up(middle: MemoryHarness, words: str) -> None:
    ada(middle, "propose back 2")
    ben(middle, "agree")
    (answer,) = ada(middle, words)
    assert "there is no turn 5; 2 have been played so far" in said(answer)


@pytest.mark.parametrize(
    ("words", "number"),
    combined(
        [
            "im #{}",
            "im #{} that was mine",
            "why {}",
            "why {} ps a1",
            "propose back {}",
            "show {}",
            "show #{}",
        ],
        ["9999999", "123456789", "123456789" + "0" * 5000],
    ),
)
def test_a_number_that_is_larger_than_any_turn_s_is_answered_and_never_passed_on(
    middle: MemoryHarness, words: str, number: str
) -> None:
    (answer,) = ada(middle, words.format(number))
    assert f"there is no turn {number[:9]}; 4 have been played so far" in said(answer)


def test_a_run_is_shown_as_it_was_though_the_turns_before_it_were_given_up_later(
    middle: MemoryHarness,
) -> None:
    ada(middle, "propose back 2")
    ben(middle, "agree")
    middle.play("ps b2", "ps b3")
    ada(middle, "propose back 3")
    ben(middle, "agree")
    ada(middle, "propose restart")
    ben(middle, "agree")
    middle.play("ps b1")
    (answer,) = ada(middle, "show 4")
    assert "it was given up in run 2, on 2026-11-21, as both agreed to go back to turn 3" in said(answer)
    assert board(answer) == ["S 0 0 0 0", "0 s 0 0 0", "0 S 0 0 0", "0 0 0 0 0", "0 0 0 0 s"]
    (answer,) = ada(middle, "show 4 given up 1")
    assert board(answer) == ["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 S 0 0", "0 0 0 0 s"]
    (answer,) = ada(middle, "show 3 given up")
    assert board(answer) == ["S 0 0 0 0", "0 s 0 0 0", "0 0 0 0 0", "0 0 0 0 0", "0 0 0 0 s"]


def test_a_game_with_an_agreed_board_is_played_to_its_end_and_keeps_all_in_its_record(
    harness: MemoryHarness,
) -> None:
    harness.begin_and_play("ps c3", "ps a1", "ps b1", words="3")
    ada(harness, "propose back 2")
    ben(harness, "agree")
    ada(harness, "ps b2")
    ben(harness, "propose board white\n s s 0\n 0 0 0\n 0 0 S")
    ada(harness, "agree")
    ada(harness, "ps c1")
    record = harness.last(ADA)
    assert "In Tak, after 1 game with Ben in all: you have" in said(record)
    assert '[TPS "' in said(record)
    assert "{Run 1, turn 3, given up as both agreed to go back to turn 2: b3}" in said(record)
    (ptn,) = ben(harness, "ptn")
    assert "{Run 1, turn 3, given up as both agreed to go back to turn 2: b3}" in said(ptn)


def test_each_run_is_in_the_record_with_its_own_turns(middle: MemoryHarness) -> None:
    ada(middle, "propose back 3")
    ben(middle, "agree")
    ada(middle, "propose back 1")
    ben(middle, "agree")
    (ptn,) = ada(middle, "ptn")
    assert (
        "1. a5 {Run 1, turn 4, given up as both agreed to go back to turn 3: c2} "
        "{Run 2, turns 2 to 3, given up as both agreed to go back to turn 1: e1 c3}"
    ) in said(ptn)


def test_of_several_turns_with_one_number_each_can_be_shown_by_the_number_in_the_log(
    middle: MemoryHarness,
) -> None:
    for _ in range(2):
        ada(middle, "propose restart")
        ben(middle, "agree")
        middle.play("ps b1", "ps b5")
    (answer,) = ada(middle, "show 2")
    assert (
        'Other turns 2 were given up: "show 2 given up 1" and "show 2 given up 2" show their boards.'
    ) in said(answer)
    (answer,) = ada(middle, "Show #2 given up #1")
    assert board(answer) == ["S 0 0 0 0", *["0 0 0 0 0"] * 3, "0 0 0 0 s"]
    assert '"show 2 given up 2" shows' in said(answer)
    for words in ("show 2 given up", "show 2 given up 2"):
        (answer,) = ada(middle, words)
        assert board(answer) == ["0 S 0 0 0", *["0 0 0 0 0"] * 3, "0 s 0 0 0"]
    (answer,) = ada(middle, "show 2 given up 3")
    assert "Not done: no turn 2 was given up in run 3." in said(answer)
    (answer,) = ada(middle, "show 9 given up")
    assert "Not done: no turn 9 was given up." in said(answer)


def test_show_and_a_sentence_is_chat(middle: MemoryHarness) -> None:
    assert len(ada(middle, "show 4 given up pieces")) == 2
