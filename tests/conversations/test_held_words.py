"""Held commands refer to the letter that they answered, however late the `yes` comes."""

import pytest

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.proposals import ADA_AS, BEN_AS, BOARD, FOUR, ada, ben, given_up
from tests.support.scenes import played_once
from tests.support.width import some_of

OTHER_AS = "Other <other@example.org>"


@pytest.fixture
@played_once
def middle(harness: MemoryHarness) -> None:
    """Ada and Ben have played four turns, and Ada is to move."""
    harness.begin_and_play(*FOUR)


def held(harness: MemoryHarness, words: str, answers: Received) -> Received:
    """Return the letter that asks whether the player wrote these words, which came from an unknown address."""
    (asked,) = harness.send(OTHER_AS, words, answers)
    assert "answer this letter with" in said(asked)
    return asked


def test_an_agreement_that_was_held_is_about_what_its_letter_showed(middle: MemoryHarness) -> None:
    ada(middle, "propose restart")
    older = middle.last(BEN)
    ada(middle, "propose back 3")
    asked = held(middle, "agree", older)
    (answer,) = middle.send(BEN_AS, "yes", asked)
    assert "Ada offers to begin this game anew, but that gave way to another proposal" in said(answer)
    assert turns(middle) == FOUR


def test_an_agreement_that_was_held_is_done_if_its_letter_showed_the_offer(middle: MemoryHarness) -> None:
    ada(middle, "propose back 3")
    middle.send(BEN_AS, "yes", held(middle, "agree", middle.last(BEN)))
    assert turns(middle) == FOUR[:3]


def test_what_is_proposed_after_the_question_is_not_what_its_yes_agrees_to(middle: MemoryHarness) -> None:
    ada(middle, "propose back 3")
    (asked,) = middle.send(BEN_AS, "#1 agree")
    ada(middle, "propose restart")
    (answer,) = middle.send(BEN_AS, "yes", asked)
    assert "Ada offers to go back to the board after turn 3, but that gave way to another proposal" in said(
        answer
    )
    assert turns(middle) == FOUR


@pytest.mark.parametrize("words", some_of(["ps b1", "ps b1 #1", "propose restart", "draw"], 2))
def test_held_words_from_before_the_board_was_given_up_change_nothing(
    middle: MemoryHarness, words: str
) -> None:
    before = [one for one in middle.box if one.to == ADA and one.subject.startswith("[tak #1]")]
    ada(middle, "propose restart")
    ben(middle, "agree")
    ben(middle, "draw")
    for letter in before:
        middle.send(ADA_AS, "yes", held(middle, words, letter))
        assert turns(middle) == []
    (standing,) = ben(middle, "rs")
    assert "You offer a draw: Ada has not answered yet" in said(standing)


def test_a_held_proposal_about_a_board_that_is_no_more_agrees_to_no_other(middle: MemoryHarness) -> None:
    before = middle.last(BEN)
    ada(middle, "propose back 2")
    ben(middle, "agree")
    middle.play("ps b2", "ps b3")
    ada(middle, "propose back 3")
    (answer,) = middle.send(BEN_AS, "yes", held(middle, "propose back 3", before))
    assert "shows a board that is no more" in said(answer)
    assert turns(middle) == [*FOUR[:2], "ps b2", "ps b3"]
    assert len(given_up(middle)) == 2


def test_the_question_shows_what_is_offered_and_proposed(middle: MemoryHarness) -> None:
    ada(middle, f"propose board black\n{BOARD}")
    ada(middle, "draw")
    asked = held(middle, "agree draw", middle.last(BEN))
    assert "Ada proposes this board, with your turn next" in said(asked)
    assert "0 0 wS 0 0" in said(asked)
    assert 'Ada offers a draw: answer "agree draw" or "refuse draw"' in said(asked)
