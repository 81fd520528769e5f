"""Agreements of two players: a draw, and a move taken back."""

import pytest

from tests.support.harness import ADA, BEN, Received, said
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.scenes import played_once

_ADA, _BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"


@pytest.fixture
@played_once
def middle(harness: MemoryHarness) -> None:
    """Ada and Ben have played two turns, and Ada is to move. All letters are sent."""
    harness.begin_and_play("ps a1", "ps e5")
    harness.memory.send_all()


@pytest.fixture
@played_once
def asked_for(harness: MemoryHarness) -> None:
    """Ada has played a third turn and wants to take it back. All letters except the one about it are sent."""
    harness.begin_and_play("ps a1", "ps e5", "ps c3")
    harness.memory.send_all()
    ada(harness, "undo")


def ada(harness: MemoryHarness, text: str) -> list[Received]:
    return harness.send(_ADA, text, harness.last(ADA))


def ben(harness: MemoryHarness, text: str) -> list[Received]:
    return harness.send(_BEN, text, harness.last(BEN))


def standing(harness: MemoryHarness) -> tuple[str, str | None, str | None]:
    game = harness.table()
    return str(game.record.standing), game.result.score if game.result else None, game.record.end.ruling


def test_a_draw_that_is_offered_and_agreed_to_ends_the_game(middle: MemoryHarness) -> None:
    answer, news = ada(middle, "draw")
    assert "Ben hears that you offer a draw" in said(answer)
    assert "Ada offers a draw" in said(news)
    answer, news = ben(middle, "agree")
    for letter in (answer, news):
        assert said(letter).startswith("Draw: you have both agreed.")
        assert "Result: 1/2-1/2" in said(letter)
        assert "in all: you have 0 points" in said(letter)
        assert "1 was a draw" in said(letter)
    assert standing(middle) == ("over", "1/2-1/2", "agreed")


def test_two_who_both_offer_a_draw_agree(middle: MemoryHarness) -> None:
    ada(middle, "draw")
    ben(middle, "Well,\ndraw")
    assert standing(middle)[0] == "over"


def test_a_draw_offered_on_an_older_board_is_no_agreement(middle: MemoryHarness) -> None:
    older = middle.last(BEN)
    ada(middle, "draw\nps c3")
    middle.send(_BEN, "draw", older)
    assert standing(middle)[0] == "open"
    ada(middle, "agree")
    assert standing(middle)[0] == "over"


def test_an_offer_is_told_in_every_letter_until_it_is_answered(middle: MemoryHarness) -> None:
    ada(middle, "draw")
    (letter,) = ben(middle, "rs")
    assert 'Ada offers a draw: answer "agree" or "refuse"' in said(letter)
    (letter,) = ada(middle, "rs")
    assert "You offer a draw: Ben has not answered yet" in said(letter)


def test_who_offers_a_draw_reads_that_it_has_lapsed(middle: MemoryHarness) -> None:
    ben(middle, "draw")
    _, news = ada(middle, "ps c3")
    assert "You offered a draw; that has lapsed with this." in said(news)
    ada(middle, "draw")
    assert "lapsed" not in said(middle.last(BEN))


def test_another_agreement_says_which_offers_have_lapsed(middle: MemoryHarness) -> None:
    ada(middle, "draw")
    ben(middle, "propose back 1")
    answer, news = ada(middle, "agree")
    assert "You offered a draw; that has lapsed with this." in said(answer)
    assert "Ada offered a draw; that has lapsed with this." in said(news)


def test_two_offers_are_answered_by_lines_that_are_named_once(middle: MemoryHarness) -> None:
    ben(middle, "draw")
    _, news = ben(middle, "propose back 1")
    assert said(news).count('answer "agree draw" or "refuse draw"') == 1
    assert said(news).count('answer "agree back" or "refuse back"') == 1
    assert '"agree"' not in said(news)


def test_an_offer_is_made_once(middle: MemoryHarness) -> None:
    ada(middle, "draw")
    (answer,) = ada(middle, "draw")
    assert "you have offered a draw already" in said(answer)


def test_a_refusal_and_a_withdrawal_are_told(middle: MemoryHarness) -> None:
    ada(middle, "draw")
    _, news = ben(middle, "refuse")
    assert "Ben does not want a draw" in said(news)
    ada(middle, "draw")
    _, news = ada(middle, "withdraw")
    assert "Ada offers a draw no more" in said(news)
    assert standing(middle)[0] == "open"


@pytest.mark.parametrize(
    ("since", "how"),
    [
        (("ada withdraw",), "was withdrawn"),
        (("ben refuse",), "was refused"),
        (("ada ps c3", "ben ps c4"), "has lapsed"),
    ],
)
def test_agreeing_to_what_is_offered_no_more_is_told_how_it_ended(
    middle: MemoryHarness, since: tuple[str, ...], how: str
) -> None:
    ada(middle, "draw")
    letter = middle.last(BEN)
    for step in since:
        who, _, text = step.partition(" ")
        (ada if who == "ada" else ben)(middle, text)
    (answer,) = middle.send(_BEN, "agree", letter)
    assert f"in the letter that you answered, Ada offers a draw, but that {how}." in said(answer)
    (answer,) = ben(middle, "agree")
    assert "Ada offers nothing now" in said(answer)
    assert standing(middle)[0] == "open"


@pytest.mark.parametrize("before", [(), ("draw",)])
def test_agreeing_to_nothing_or_to_ones_own_offer_changes_nothing(
    middle: MemoryHarness, before: tuple[str, ...]
) -> None:
    for text in before:
        ben(middle, text)
    (answer,) = ben(middle, "agree")
    assert "Ada offers nothing now" in said(answer)
    assert standing(middle)[0] == "open"


def test_an_offer_outlasts_the_move_of_its_maker(middle: MemoryHarness) -> None:
    ada(middle, "draw\nps c3")
    ben(middle, "agree")
    assert standing(middle)[0] == "over"


def test_only_a_letter_that_can_have_told_of_the_offer_is_agreed_with(middle: MemoryHarness) -> None:
    older = middle.last(BEN)
    ada(middle, "draw")
    (answer,) = middle.send(_BEN, "agree", older)
    assert (
        "your mail answers no letter that shows such an offer. "
        "If you mean what Ada offers now, answer this letter with this line: agree draw "
    ) in said(answer)
    assert standing(middle)[0] == "open"
    ben(middle, "agree")
    assert standing(middle)[0] == "over"


@pytest.mark.parametrize("word", ["yes", "ok", "Yes!", "accept", "Agreed, thanks", "好的", "да"])
def test_a_yes_to_the_letter_that_shows_an_offer_agrees(middle: MemoryHarness, word: str) -> None:
    ada(middle, "draw")
    ben(middle, word)
    assert standing(middle)[0] == "over"


@pytest.mark.parametrize("word", ["no", "decline", "No, thanks", "nope"])
def test_a_no_to_the_letter_that_shows_an_offer_refuses(middle: MemoryHarness, word: str) -> None:
    ada(middle, "draw")
    _, news = ben(middle, word)
    assert "refuses" in said(news) or "does not" in said(news)
    assert standing(middle)[0] == "open"


@pytest.mark.parametrize("words", ["ok, let me think", "yes?", "I agree that it's late, so until tomorrow"])
def test_an_unclear_answer_to_an_offer_changes_nothing_and_both_lines_are_offered(
    middle: MemoryHarness, words: str
) -> None:
    ada(middle, "draw")
    (answer,) = ben(middle, words)
    assert answer.to == BEN
    assert "answer with that line: agree" in said(answer)
    assert standing(middle)[0] == "open"


def test_a_yes_to_a_letter_from_before_the_offer_is_asked_about(middle: MemoryHarness) -> None:
    before = middle.last(BEN)
    ada(middle, "draw")
    for letter in (before, None):
        (answer,) = middle.send(_BEN, "ok", letter, **({} if letter else {"subject": before.subject}))
        assert "agree" in said(answer)
    assert standing(middle)[0] == "open"


def test_a_yes_may_answer_what_the_opponent_asks(middle: MemoryHarness) -> None:
    ada(middle, "draw\n\nAre you still at work?")
    for words in ("yes", "ok, let me think"):
        (answer,) = ben(middle, words)
        assert "answer with that line: agree" in said(answer)
    assert standing(middle)[0] == "open"


def test_a_yes_to_an_offer_gives_no_game_up(middle: MemoryHarness) -> None:
    ben(middle, "resign")
    asked = middle.last(BEN)
    ada(middle, "draw")
    assert middle.last(BEN).id != asked.id
    ben(middle, "yes")
    assert standing(middle)[0] == "open"


def test_a_move_cancels_what_was_asked_about_giving_up(middle: MemoryHarness) -> None:
    ben(middle, "resign")
    asked = middle.last(BEN)
    ada(middle, "ps c3")
    middle.send(_BEN, "yes", asked)
    assert standing(middle)[0] == "open"


def test_a_letter_after_the_one_with_the_move_makes_it_a_question(middle: MemoryHarness) -> None:
    ada(middle, "ps c3")
    ada(middle, "What do you say to that?")
    ada(middle, "undo")
    assert turns(middle) == ["ps a1", "ps e5", "ps c3"]


def test_nobody_hears_of_an_offer_that_lapsed_with_a_move_that_its_own_mail_takes_back(
    middle: MemoryHarness,
) -> None:
    ben(middle, "draw")
    (answer,) = ada(middle, "ps c3\nundo")
    assert "knows nothing of it" in said(answer)


def test_a_move_and_its_undo_in_one_mail_tell_the_opponent_nothing(middle: MemoryHarness) -> None:
    (answer,) = ada(middle, "ps c3\ndraw\nundo")
    assert "turn 3 (ps c3) is taken back" in said(answer)
    assert turns(middle) == ["ps a1", "ps e5"]
    (letter,) = ben(middle, "agree")
    assert "Not done" in said(letter)


def test_what_was_answered_stands(middle: MemoryHarness) -> None:
    (answer,) = ada(middle, "undo")
    assert "the last turn is Ben's" in said(answer)
    assert turns(middle) == ["ps a1", "ps e5"]


def test_before_the_first_turn_there_is_nothing_to_take_back(harness: MemoryHarness) -> None:
    harness.begin()
    (answer,) = ada(harness, "undo")
    assert "no turn has been played yet" in said(answer)


def test_a_move_that_has_ended_the_game_stands(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps c3", "ps a1", "ps b1", "ps b3", "ps c1", words="3")
    assert standing(harness)[0] == "over"
    (answer,) = ada(harness, "undo")
    assert "this game is over" in said(answer)
    assert len(turns(harness)) == 5


def test_a_move_lets_the_question_drop(asked_for: MemoryHarness) -> None:
    ben(asked_for, "ps c4")
    (answer,) = ben(asked_for, "agree")
    assert "Ada offers nothing now" in said(answer)
    assert turns(asked_for) == ["ps a1", "ps e5", "ps c3", "ps c4"]


def test_two_offers_at_once_are_told_apart(asked_for: MemoryHarness) -> None:
    ada(asked_for, "draw")
    (answer,) = ben(asked_for, "agree")
    assert "answer this letter with one of these lines: agree undo agree draw " in said(answer)
    ben(asked_for, "refuse draw")
    ben(asked_for, "Agree undo.")
    assert turns(asked_for) == ["ps a1", "ps e5"]
    assert standing(asked_for)[0] == "open"


def test_an_answer_to_a_letter_with_the_board_that_is_gone_plays_nothing(asked_for: MemoryHarness) -> None:
    gone = asked_for.last(BEN)
    ben(asked_for, "agree")
    ada(asked_for, "ps d3")
    letters = asked_for.send(_BEN, "ps c4", gone)
    assert "shows a board that is no more" in said(letters[0])
    assert turns(asked_for) == ["ps a1", "ps e5", "ps d3"]
    ben(asked_for, "ps c4")
    assert turns(asked_for)[-1] == "ps c4"


def test_without_verification_nothing_is_offered_or_agreed_to(middle: MemoryHarness) -> None:
    middle.send(_ADA, "#1 draw")
    assert "offers a draw" not in said(middle.last(BEN))
    ada(middle, "draw")
    middle.send(_BEN, "#1 agree")
    assert standing(middle)[0] == "open"


def test_a_word_with_more_behind_it_is_chat(middle: MemoryHarness) -> None:
    _, news = ada(middle, "agree with you there\ndraw your sword")
    assert "  | agree with you there" in news.text
    (answer,) = ada(middle, "/refuse everything")
    assert 'this is not how "refuse" is written' in said(answer)


@pytest.mark.parametrize("answer", ["no", "No thanks", "нет", "不"])
def test_a_no_to_an_offer_answers_no_question_from_before_it(harness: MemoryHarness, answer: str) -> None:
    """A yes does: nobody takes a draw back."""
    harness.begin_and_play("ps a1", "ps e5")
    harness.send(_BEN, "How are you?", harness.last(BEN))
    harness.play("ps c3", "ps d4")
    harness.send(_BEN, "draw", harness.last(BEN))
    asked = harness.scene()
    asked.send(_ADA, "yes", asked.last(ADA))
    assert asked.table().offers
    harness.send(_ADA, answer, harness.last(ADA))
    assert harness.table().offers == ()
    assert harness.table().record.is_open


def test_a_no_is_unclear_if_a_question_came_with_the_offer(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps e5", "ps c3")
    harness.send(_BEN, "draw\n\nWould you like to play on?", harness.last(BEN))
    (asked,) = harness.send(_ADA, "no", harness.last(ADA))
    assert asked.says("not_sure_what_you_mean")
    assert harness.table().offers
