"""The answer to a mail with very many requests is cheap and readable."""

import pytest

from takmail.games.tak.state import TakState
from takmail.limits.letters import MAX_SHOWN_IN_ANSWER
from takmail.world.kinds import LetterView
from tests.support.cost import assert_costs
from tests.support.links import links
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.scenes import played_once
from tests.support.tak import state

ABOVE = "It stands above, and is the same."
MANY = f"one letter shows at most {MAX_SHOWN_IN_ANSWER} things"


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game of four turns; Ada has the turn."""
    harness.begin_and_play("ps a1", "ps e5", "ps c3", "ps d3")


def with_tallest_stack(harness: MemoryHarness) -> None:
    """Set up the board with the most moves of one stack; Ada has the turn."""
    harness.begin_and_play("ps a1", "ps h8", words="8")
    position = state("x8/x8/x8/x3,121212121212121,x4/x8/x8/x8/x8 1 30").position
    board = "\n".join(TakState(position).board())
    harness.send(ADA, f"propose board white\n{board}", harness.last(ADA))
    harness.send(BEN, "agree", harness.last(BEN))


@pytest.mark.parametrize("words", ["show 2", "moves", "moves c3", "why 3", "log", "ptn", "help", "match"])
def test_what_is_asked_for_twice_is_shown_once(game: MemoryHarness, words: str) -> None:
    (once,) = game.send(ADA, words, game.last(ADA))
    (twice,) = game.send(ADA, f"{words}\n{words}", game.last(ADA))
    assert said(twice).count(ABOVE) == 1
    assert len(twice.text) < len(once.text) + 100


def test_the_board_by_the_book_asked_for_twice_is_the_board_alone(game: MemoryHarness) -> None:
    (answer,) = game.send(ADA, "rs\nrs", game.last(ADA))
    assert answer.lines[0] == "S 0 0 0 0"


def test_what_may_have_changed_in_between_is_shown_again(game: MemoryHarness) -> None:
    answer = game.send(ADA, "show\nps b4\nshow", game.last(ADA))[0]
    assert ABOVE not in said(answer)
    assert "after turn 4" in said(answer)
    assert "after turn 5" in said(answer)


def test_fifty_lists_of_the_tallest_stack_are_one_and_take_no_time(harness: MemoryHarness) -> None:
    with_tallest_stack(harness)
    harness.change(letter_view=LetterView.BOTH)
    asked = harness.last(ADA)
    assert_costs(
        lambda: harness.send(ADA, "moves d4\n" * 50, asked), 4, lambda: harness.send(ADA, "moves d4", asked)
    )
    answer = harness.last(ADA)
    assert said(answer).count(ABOVE) == 49
    assert len(links(answer)) > 100
    assert len(answer.html) < 60_000


def test_there_is_an_end_to_what_one_mail_is_shown(game: MemoryHarness) -> None:
    asked = "\n".join(f"help {word}" for word in ("moves", "new", "say", "im")) + "\n"
    asked += "\n".join(f"show {turn}" for turn in range(5)) + "\n"
    asked += "\n".join(f"why {turn}" for turn in range(1, 5)) + "\nmoves\nps b4"
    answer = game.send(ADA, asked, game.last(ADA))[0]
    assert said(answer).count(MANY) == 14 - MAX_SHOWN_IN_ANSWER
    assert "played as turn 5" in said(answer)
