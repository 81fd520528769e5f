"""Proposals to go back or to restart, when the players' boards differ."""

from datetime import timedelta

import pytest

from takmail.world.waiting import PendingKind
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.proposals import FOUR, ada, ben, given_up
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def middle(harness: MemoryHarness) -> None:
    """Ada and Ben have played four turns, and Ada is to move."""
    harness.begin_and_play(*FOUR)


def test_both_go_back_to_an_earlier_turn(middle: MemoryHarness) -> None:
    answer, news = ada(middle, "propose back 2")
    assert "you propose to go back to the board after turn 2" in said(answer)
    assert "Turns 3 to 4 would be given up" in said(answer)
    assert "Ada proposes to go back to the board after turn 2" in said(news)
    assert turns(middle) == FOUR
    answer, news = ben(middle, "agree")
    for letter in (answer, news):
        happened, _, rest = said(letter).partition("the game goes on from the board after turn 2")
        assert happened.endswith(("Ben agrees: ", "Done: you both agree, and "))
        above, _, below = rest.partition("(White)")
        assert "S 0 0 0 0 0" in (below if letter.to == BEN else above)
        assert "Turns 3 to 4 are given up" in said(letter)
    assert turns(middle) == FOUR[:2]
    assert given_up(middle) == [(1, 3, "ps c3", "back"), (1, 4, "ps c4", "back")]
    middle.play("ps b2", "ps b3")
    assert turns(middle) == [*FOUR[:2], "ps b2", "ps b3"]


def test_both_begin_anew(middle: MemoryHarness) -> None:
    ben(middle, "propose restart")
    _, news = ada(middle, "agree restart")
    assert "The game begins anew, on the empty board" in said(news)
    assert turns(middle) == []
    assert [one[1] for one in given_up(middle)] == [1, 2, 3, 4]
    assert {one[3] for one in given_up(middle)} == {"restart"}


def test_to_go_back_to_the_empty_board_is_to_begin_anew(middle: MemoryHarness) -> None:
    ada(middle, "propose back 0")
    ben(middle, "propose restart")
    assert turns(middle) == []


@pytest.mark.parametrize(
    "form", ["propose back 2", "Propose back to turn 2.", "/propose back #2", "propose back to 2"]
)
def test_the_turn_can_be_named_in_several_ways(middle: MemoryHarness, form: str) -> None:
    ada(middle, form)
    ben(middle, "agree")
    assert turns(middle) == FOUR[:2]


def test_a_proposal_stands_in_every_letter_until_it_is_answered(middle: MemoryHarness) -> None:
    ada(middle, "propose back 3")
    (letter,) = ben(middle, "rs")
    assert 'Ada proposes to go back to the board after turn 3: answer "agree" or "refuse"' in said(letter)
    assert "Until you both agree, the board as it is now holds, which stands above" in said(letter)
    (letter,) = ada(middle, "rs")
    assert "You propose to go back to the board after turn 3: Ben has not answered yet" in said(letter)


def test_of_two_proposals_it_is_said_once_which_board_holds(middle: MemoryHarness) -> None:
    ada(middle, "propose back 3")
    _, letter = ben(middle, "propose back 2")
    assert said(letter).count("Until you both agree") == 1
    assert "Ben proposes this board, with Ada" not in said(letter)
    assert (
        "Ben proposes this board, with your turn next. Until you both agree, the board as it is now"
        in said(letter)
    )
    assert "You propose this board, with Ben's turn next. The board that you propose: Ben (Black)" in said(
        letter
    )


def test_who_agrees_while_the_other_agrees_to_theirs_reads_that_it_has_lapsed(
    middle: MemoryHarness,
) -> None:
    ada(middle, "propose back 3")
    ben(middle, "propose back 2")
    crossing = middle.last(BEN)
    ada(middle, "agree")
    assert turns(middle) == FOUR[:2]
    (answer,) = middle.send(f"Ben <{BEN}>", "agree", crossing)
    assert "Ada offers to go back to the board after turn 3, but that has lapsed" in said(answer)
    assert turns(middle) == FOUR[:2]


def test_a_proposed_board_has_the_letters_of_its_columns_below_it(middle: MemoryHarness) -> None:
    for letter in ada(middle, "propose back 3"):
        caption = " propose:" if letter.to == ADA else " proposes:"
        proposed = said(letter).rpartition(caption)[2].partition(" on top.")[2]
        assert proposed.startswith(" S 0 0 0 0 0 0 0 0 0 0 0 s 0 0 0 0 0 0 0 0 0 0 0 s A B C D E A1 is ")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("propose back 4", "the board is the one after turn 4"),
        ("propose back 5", "there is no turn 5; 4 have been played so far"),
        ("propose back", '"propose back 17" would make'),
        ("propose", '"propose restart" would begin'),
        ("propose draw", 'this is not how "propose" is written'),
    ],
)
def test_what_can_not_be_proposed_is_told_why(middle: MemoryHarness, words: str, why: str) -> None:
    (answer,) = ada(middle, words)
    assert why in said(answer)
    assert turns(middle) == FOUR


def test_before_the_first_turn_there_is_nothing_to_propose(harness: MemoryHarness) -> None:
    harness.begin()
    for words in ("propose restart", "propose back 0", "propose back 1"):
        (answer,) = ada(harness, words)
        assert "no turn has been played yet" in said(answer)


def test_nothing_is_proposed_in_a_game_that_does_not_run(middle: MemoryHarness) -> None:
    ben(middle, "resign")
    ben(middle, "yes")
    (answer,) = ada(middle, "propose restart")
    assert "over" in said(answer)
    assert turns(middle) == FOUR


def test_a_word_with_more_behind_it_is_chat(middle: MemoryHarness) -> None:
    _, news = ada(middle, "propose a walk\npropose a toast")
    assert "  | propose a walk" in news.text


def test_a_refusal_and_a_withdrawal_are_told(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    _, news = ben(middle, "refuse")
    assert "Ben does not want to go back to the board after turn 2" in said(news)
    ada(middle, "propose restart")
    _, news = ada(middle, "withdraw")
    assert "Ada proposes to begin this game anew no more" in said(news)
    (answer,) = ben(middle, "agree")
    assert "Ada offers nothing now" in said(answer)
    assert turns(middle) == FOUR


def test_a_game_that_was_begun_anew_is_played_to_its_end_and_counted(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps c3", "ps a1", words="3")
    ada(harness, "propose restart")
    ben(harness, "agree")
    harness.play("ps c3", "ps a1", "ps b1", "ps b3", "ps c1")
    assert turns(harness) == ["ps c3", "ps a1", "ps b1", "ps b3", "ps c1"]
    assert "In Tak, after 1 game with Ben in all" in said(harness.last(ADA))
    ada(harness, "rematch")
    assert "Ada wants to play again" in said(harness.last(BEN))
    assert {how for *_, how in given_up(harness)} == {PendingKind.RESTART}


def test_what_is_proposed_ends_every_dispute_once_it_is_agreed_to(middle: MemoryHarness) -> None:
    ada(middle, "im no")
    ada(middle, "propose back 2")
    ben(middle, "agree")
    assert "invalid" not in said(ada(middle, "rs")[0]).replace("if a move seems invalid to you", "")


def test_who_refuses_means_what_came_after_a_proposal_had_lapsed(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    middle.now += timedelta(days=8)
    ada(middle, "draw")
    assert "Done: you refuse the draw, and Ada hears it. The game goes on." in said(ben(middle, "refuse")[0])
