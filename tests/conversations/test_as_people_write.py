"""Boards and answers as people write them are understood in mails."""

import pytest

from tests.commands.grammar.test_as_people_write import SMALL
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, said
from tests.support.proposals import BOARD, FOUR, ROWS, TURN, ada, ben
from tests.support.scenes import played_once
from tests.support.width import combined


@pytest.fixture
@played_once
def middle(harness: MemoryHarness) -> None:
    """Ada and Ben have played four turns, and Ada is to move."""
    harness.begin()
    harness.play(*FOUR)


@pytest.mark.parametrize(("empty", "bar"), combined(["-", "_", "."], [" ", " | "]))
def test_a_drawn_board_comes_through_the_mail(middle: MemoryHarness, empty: str, bar: str) -> None:
    drawn = "\n".join(bar.join(row.split()).replace("0", empty) for row in ROWS)
    (answer,) = ada(middle, f"rs\n{drawn}")
    assert "one square differs" in said(answer)
    edged = "\n".join(f"| {row} |" for row in drawn.split("\n"))
    (answer,) = ada(middle, edged)
    assert "one square differs" in said(answer)


def test_agree_with_the_words_of_a_proposal_is_compared_with_it(middle: MemoryHarness) -> None:
    ada(middle, "propose back 2")
    (answer,) = ben(middle, "agree back 3")
    assert "answer this letter with this line: agree back 2 " in said(answer)
    assert turns(middle) == FOUR
    ben(middle, "agree back 2")
    assert turns(middle) == FOUR[:2]


@pytest.mark.parametrize("words", ["I agree", "Agreed", "agree, fine by me", "Ok, agree", "yes", "Ok, fine"])
def test_other_words_for_agree_are_understood(middle: MemoryHarness, words: str) -> None:
    ada(middle, "propose back 2")
    ben(middle, words)
    assert turns(middle) == FOUR[:2]


def test_a_board_of_another_size_is_not_kept(middle: MemoryHarness) -> None:
    ada(middle, BOARD)
    ada(middle, SMALL)
    ada(middle, f"propose board white\n{SMALL}")
    ada(middle, "propose board black")
    ben(middle, "agree")
    assert turns(middle)[-1] == f"{TURN} b"


def test_a_shown_board_that_can_not_be_is_shown_again(middle: MemoryHarness) -> None:
    ada(middle, "\n".join(["S 0 0 0 sW", *ROWS[1:4], "0 0 0 0 sWs"]))
    (answer,) = ada(middle, "propose board white")
    assert answer.to == ADA
    assert "the one that you had shown last, after turn 4" in said(answer)
    assert "0 0 0 0 sWs" in said(answer)
