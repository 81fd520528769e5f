"""`why` explains a turn or an attempt by the rules. Nothing changes, and nobody else is notified."""

import pytest

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.scenes import played_once

PLAYED = ("ps a5", "ps e1", "ps c3", "ps c2")


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """Four turns are played; turn 4 was Ben's, and it is Ada's turn."""
    harness.begin_and_play(*PLAYED)


def why(harness: MemoryHarness, words: str, who: str = ADA) -> str:
    """Return the answer to these words. Nobody else gets a letter, and nothing changes."""
    before = turns(harness)
    (answer,) = harness.send(f"{who[:3].capitalize()} <{who}>", words, harness.last(who))
    assert answer.to == who
    assert turns(harness) == before
    return said(answer)


def test_a_board_that_is_explained_has_the_letters_of_its_columns_and_none_stands_twice(
    game: MemoryHarness,
) -> None:
    before = "0 0 0 0 s 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 S 0 0 0 0 A B C D E"
    after = "0 0 0 0 s 0 0 0 0 0 0 0 s 0 0 0 0 0 0 0 S 0 0 0 0 A B C D E"
    for words, shown in (
        ("why 3", f"The board before it: {before}"),
        ("why", f"The board before it: {after}"),
    ):
        answer = why(game, words)
        assert shown in answer
        assert answer.count("A B C D E") == 2


def test_of_an_attempt_as_played_now_the_board_after_it_is_shown_if_there_is_one(game: MemoryHarness) -> None:
    answer = why(game, "why ms c3")
    assert "The board after it: 0 0 0 0 s 0 0 S 0 0 0 0 0 0 0 0 0 s 0 0" in answer
    assert answer.count("A B C D E") == 2
    answer = why(game, "why ps c2")
    assert "The board after it" not in answer
    assert answer.count("A B C D E") == 1


def test_a_turn_that_ends_the_game_is_explained_with_the_road_that_it_makes(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps c1", "ps a1", "ps a2", "ps c2", words="3")
    answer = why(harness, "why ps a3")
    assert (
        "It makes a road for White from north to south: A1, A2, A3. That ends the game: White wins." in answer
    )
    assert 'Tak rules, The Goal: "The object is to create a road' in answer
    harness.play("ps a3")
    assert "It makes a road for White from north to south: A1, A2, A3." in why(harness, "why", BEN)
    for letter in harness.send(f"Ben <{BEN}>", "im that is none", harness.last(BEN)):
        assert "It makes a road for White from north to south: A1, A2, A3." in said(letter)


def test_the_last_turn_is_explained_to_its_asker_alone(game: MemoryHarness) -> None:
    answer = why(game, "why")
    assert "nothing has been played, and nobody else hears of it" in answer
    assert "Turn 4 by Ben (ps c2) keeps every rule." in answer
    assert "The board before it" in answer
    assert "Now the board is" in answer


def test_any_turn_can_be_asked_about_by_either(game: MemoryHarness) -> None:
    assert "Turn 1 by Ada (ps a5) keeps" in why(game, "why 1", BEN)
    assert "there is no turn 9" in why(game, "why 9")
    assert "there is no turn 0" in why(game, "why 0")


def test_before_any_move_there_is_none_to_explain(harness: MemoryHarness) -> None:
    harness.begin()
    assert "there is none to explain" in why(harness, "why")
    assert "As turn 1, ps b4 would keep every rule." in why(harness, "why ps b4")


def test_a_move_that_the_rules_allow_is_explained_and_can_then_be_sent(game: MemoryHarness) -> None:
    answer = why(game, "why ms c3")
    assert "As turn 5, ms c3 p1 1 would keep every rule." in answer
    assert 'To play it, send it without "why": ms c3 p1 1' in answer


def test_a_move_that_breaks_a_rule_is_explained_with_the_rule(game: MemoryHarness) -> None:
    answer = why(game, "why ps c2")
    assert "would break a rule: C2 is not empty" in answer
    assert "To play it" not in answer


def test_out_of_turn_it_is_taken_as_a_move_of_whoever_is_to_move(game: MemoryHarness) -> None:
    answer = why(game, "why ps d4", BEN)
    assert "it is Ada who is to move, so it is taken as a move of Ada's" in answer
    assert "To play it" not in answer


def test_an_attempt_is_compared_with_the_board_of_the_turn_that_it_names(game: MemoryHarness) -> None:
    assert "would keep every rule" in why(game, "why 4 ps c2")
    assert "would break a rule: C2 is not empty" in why(game, "why 5 ps c2")
    assert "As turn 1, ps c2 would keep" in why(game, "why ps c2 #1")
    assert "there is no turn 6" in why(game, "why 6 ps c2")


def test_a_near_miss_says_what_is_wrong_and_offers_the_same_question_again(game: MemoryHarness) -> None:
    answer = why(game, "why ps z9")
    assert "there is no square Z9 on this board" in answer
    answer = why(game, "why 4 ps 4b")
    assert "If this is what you mean, send this: why 4 ps b4" in answer


def test_a_finished_game_can_be_asked_about(game: MemoryHarness) -> None:
    for words in ("resign", "yes"):
        game.send(f"Ben <{BEN}>", words, game.last(BEN))
    assert "Turn 3 by Ada (ps c3) keeps" in why(game, "why 3")
    assert "As turn 5, ps d4 would keep" in why(game, "why ps d4")
