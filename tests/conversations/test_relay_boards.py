"""Boards that the players of a relay game request from each other and send."""

import pytest

from takmail.world.kinds import LetterState, MessageId
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.relays import BOARD, OTHERS, write
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def relay(harness: MemoryHarness) -> None:
    """Ada, White, and Ben have begun a relay game on 5x5."""
    harness.begin("5 relay")


def test_rs_is_passed_on_and_its_reader_is_to_answer(relay: MemoryHarness) -> None:
    write(relay, ADA, "ps a1")
    answer, letter = write(relay, BEN, "rs")
    assert letter.to == ADA
    assert letter.lines[0] == "rs"
    assert "Ada has been asked for the board" in said(answer)


def test_who_has_stopped_and_asks_for_the_board_gets_it(relay: MemoryHarness) -> None:
    write(relay, BEN, "stop")
    write(relay, BEN, "rs")
    _, letter = write(relay, ADA, BOARD)
    assert relay.memory.outbox[MessageId(letter.id)].state is LetterState.QUEUED


def test_a_board_is_passed_on_as_the_first_lines(relay: MemoryHarness) -> None:
    relay.play("ps a1", "ps e5")
    write(relay, BEN, "rs")
    answer, letter = write(relay, ADA, "  A B C D E\n" + BOARD.replace("0", "o"))
    assert letter.lines[:6] == [*BOARD.splitlines(), ""]
    assert "Send yours, too" in said(letter)
    assert "your board is passed on to Ben as that after turn 2" in said(answer)


def test_a_board_below_a_move_does_not_hide_it(relay: MemoryHarness) -> None:
    _, letter = write(relay, ADA, f"{BOARD}\n\nps a1")
    assert letter.lines[0] == "ps a1"
    assert f"  | {BOARD.splitlines()[0]}" in letter.lines


def test_with_a_board_from_each_both_hear_that_they_are_the_same(relay: MemoryHarness) -> None:
    relay.play("ps a1", "ps e5")
    write(relay, BEN, BOARD)
    for letter in write(relay, ADA, BOARD):
        assert "The two boards are the same. Both agree with the log, in step at turn 2" in said(letter)


def test_with_a_board_from_each_both_hear_where_they_part(relay: MemoryHarness) -> None:
    relay.play("ps a1", "ps e5")
    write(relay, BEN, OTHERS)
    answer, letter = write(relay, ADA, BOARD)
    for one in (answer, letter):
        assert "The two boards differ in 2 squares" in said(one)
    assert "Your board agrees with the log" in said(answer)
    assert "Ben's board is what you get if turn 1 had been ps b1" in said(answer)
    assert "A1: yours S, Ben's 0" in said(answer)
    assert "A1: Ada's S, yours 0" in said(letter)
    assert "Ada's board agrees with the log" in said(letter)
    assert "Your board is what you get if turn 1 had been ps b1" in said(letter)


def test_boards_are_compared_with_each_other_where_the_moves_break_the_rules(relay: MemoryHarness) -> None:
    relay.play("ps a1", "ps e5", "pw a1")
    write(relay, BEN, BOARD)
    (answer, _) = write(relay, ADA, OTHERS)
    assert "The two boards differ in 2 squares" in said(answer)
    assert "I have gone only as far as turn 2" in said(answer)


def test_a_move_that_another_one_replaced_is_left_out_of_the_comparison(relay: MemoryHarness) -> None:
    write(relay, ADA, "ps b1")
    relay.play("ps a1", "ps e5")
    write(relay, BEN, BOARD)
    (answer, _) = write(relay, ADA, BOARD)
    assert "Both agree with the log, in step at turn 3" in said(answer)
    assert "Turns in whose place another one came are left out of this" in said(answer)


def test_turns_have_the_numbers_of_the_log_in_a_comparison(relay: MemoryHarness) -> None:
    write(relay, ADA, "ps b1")
    relay.play("ps a1", "ps e5")
    write(relay, BEN, BOARD)
    relay.play("ps c3", "ps c4")
    later = "\n".join(["S 0 0 0 0", "0 0 0 0 0", "0 0 s 0 0", "0 0 S 0 0", "0 0 0 0 s"])
    (answer, _) = write(relay, ADA, later)
    assert (
        "Ben's board was sent after turn 3. Both boards are right, but they are of different turns. Your board agrees "
        "with the log, in step at turn 5. Ben's board is the board after turn 3: turns 4 and 5 are missing. So 2 "
        "squares differ: C3: yours s, Ben's 0 (last changed by turn 4: ps c3)" in said(answer)
    )
    wrong = OTHERS.replace("0 S 0 0 0", "0 0 S 0 0")
    (answer, _) = write(relay, BEN, wrong)
    assert "had been ps c1 and not ps a1" in said(answer)
    assert "if turn 2 had been" in said(answer)


def test_boards_can_be_compared_after_the_end_as_well(relay: MemoryHarness) -> None:
    relay.play("ps a1", "ps e5")
    write(relay, ADA, "resign")
    write(relay, ADA, "yes")
    answer, letter = write(relay, BEN, "rs")
    assert letter.lines[0] == "rs"
    assert "Ada has been asked for the board" in said(answer)
    write(relay, ADA, BOARD)
    answer, _ = write(relay, BEN, BOARD)
    assert "The two boards are the same" in said(answer)
    write(relay, ADA, "forget me")
    write(relay, ADA, "yes")
    assert "has left for good" in said(write(relay, BEN, "rs")[0])


def test_an_old_board_is_not_compared_with_a_new_one(relay: MemoryHarness) -> None:
    write(relay, BEN, BOARD)
    relay.play("ps a1", "ps e5", "ps b1")
    (answer, _) = write(relay, ADA, BOARD)
    assert "As soon as Ben sends one, too" in said(answer)


@pytest.mark.parametrize(
    "board", [BOARD.replace("0 s", "s"), "0 0 0\n0 0 0\n0 0 0", BOARD.replace("s", "xw")]
)
def test_a_board_that_can_not_be_is_passed_on_as_well(relay: MemoryHarness, board: str) -> None:
    write(relay, BEN, BOARD)
    answer, letter = write(relay, ADA, board)
    assert letter.lines[: len(board.splitlines())] == board.splitlines()
    assert "board is passed on to Ben" in said(answer)


def test_a_board_in_the_letter_that_is_answered_is_not_sent_back(relay: MemoryHarness) -> None:
    write(relay, ADA, BOARD)
    _, letter = write(relay, BEN, "ps e5")
    assert letter.lines[0] == "ps e5"
    assert "0 0 0" not in letter.text


def test_rs_is_passed_on_once_until_its_reader_writes(relay: MemoryHarness) -> None:
    write(relay, ADA, "rs")
    (answer,) = write(relay, ADA, "rs")
    assert "Not done: Ben has been asked already for the board, and has not written since" in said(answer)
    write(relay, ADA, "ps a1")
    assert len(write(relay, ADA, "rs")) == 1
    assert len(write(relay, BEN, "rs")) == 2
    answer, letter = write(relay, ADA, "rs")
    assert "Done: Ben has been asked" in said(answer)
    assert letter.lines[0] == "rs"
    write(relay, BEN, "Give me a day.")
    assert len(write(relay, ADA, "rs")) == 2


@pytest.mark.parametrize("text", ["rs", BOARD, f"rs\n{BOARD}"])
def test_who_has_blocked_the_writer_gets_no_rs_and_no_board(relay: MemoryHarness, text: str) -> None:
    write(relay, ADA, "ps a1")
    write(relay, BEN, "block Ada")
    (answer,) = write(relay, ADA, text)
    assert "Ben takes no words from you at the moment, and no board that Ben has not asked for" in said(
        answer
    )
    assert len(write(relay, ADA, "ps b1")) == 2
