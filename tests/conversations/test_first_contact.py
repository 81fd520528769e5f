"""The first mail of a new player: after one question and a `yes`, its commands are carried out."""

from datetime import timedelta

import pytest

from takmail.limits.questions import MAX_KEPT_QUESTIONS
from takmail.world.pending import LIFETIME
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, said
from tests.support.scenes import played_once

AS_ADA = f"Ada <{ADA}>"
AS_BEN = f"Ben <{BEN}>"


@pytest.fixture
@played_once
def first(harness: MemoryHarness) -> None:
    """A service to which nobody has written."""
    harness.confirms = False


def ask(harness: MemoryHarness, words: str = f"new 5 vs {BEN} first=them") -> Received:
    """Ada writes a new mail. Return the question that she gets."""
    (question,) = harness.send(AS_ADA, words)
    assert (question.to, question.asks_who) == (ADA, True)
    return question


def number_of_games(harness: MemoryHarness) -> int:
    return len(harness.memory.tables)


def test_two_mails_each_lead_to_the_first_move(first: MemoryHarness) -> None:
    first.send(AS_ADA, "yes", ask(first))
    first.send(AS_BEN, "accept", first.last(BEN))
    first.send(AS_BEN, "ps a1", first.last(BEN))
    assert turns(first) == ["ps a1"]
    assert [first.note_of(number)[0] for number in (1, 2, 3, 4)] == ["answered"] * 3 + ["played"]


def test_before_the_yes_nobody_is_noted_and_nobody_written_to(first: MemoryHarness) -> None:
    question = ask(first)
    assert "  | new 5 vs ben@... first=them\n" in question.text
    assert number_of_games(first) == 0
    assert first.memory.players == {}


def test_the_same_mail_again_is_asked_about_once(first: MemoryHarness) -> None:
    ask(first)
    assert first.send(AS_ADA, f"new 5 vs {BEN} first=them") == []
    assert first.note_of(2) == ("rejected", "a question about the same commands is open already")


def test_a_mistyped_line_can_be_written_anew(first: MemoryHarness) -> None:
    ask(first, "new 5 vs bne@example.org")
    first.send(AS_ADA, "yes", ask(first))
    assert number_of_games(first) == 1
    assert all(letter.to in (ADA, BEN) for letter in first.box)


def test_only_so_many_questions_wait_for_one_address_and_the_oldest_gives_way(first: MemoryHarness) -> None:
    oldest, *_, newest = [later(first, komi) for komi in range(MAX_KEPT_QUESTIONS + 1)]
    assert 'nothing is waiting for a "yes"' in said(first.send(AS_ADA, "yes", oldest)[0])
    first.send(AS_ADA, "yes", newest)
    assert number_of_games(first) == 1


def later(harness: MemoryHarness, komi: int) -> Received:
    """Ada asks for a game, some hours after she asked for another."""
    harness.now += timedelta(hours=3)
    return ask(harness, f"new 5 komi={komi} vs {BEN}")


def test_the_question_can_be_answered_with_something_else_at_once(first: MemoryHarness) -> None:
    letters = first.send(AS_ADA, f"new 6 vs {BEN}", ask(first))
    assert [letter.to for letter in letters] == [BEN, ADA]
    assert "6x6" in said(letters[0])


def test_any_letter_of_ours_that_is_answered_proves_the_address(first: MemoryHarness) -> None:
    (welcome,) = first.send(AS_ADA, "Hello, what is this?")
    letters = first.send(AS_ADA, f"new 5 vs {BEN}", welcome)
    assert [letter.to for letter in letters] == [BEN, ADA]


@pytest.mark.parametrize("threaded", [True, False])
def test_a_program_that_keeps_only_the_thread_or_the_reply_address_is_heard(
    first: MemoryHarness, threaded: bool
) -> None:
    question = ask(first)
    to = TAK if threaded else str(question.mail["Reply-To"])
    first.send(AS_ADA, "yes", question, to=to, threaded=threaded)
    assert number_of_games(first) == 1


def test_no_drops_the_question(first: MemoryHarness) -> None:
    question = ask(first)
    (answer,) = first.send(AS_ADA, "no", question)
    assert "nothing has changed" in said(answer)
    (answer,) = first.send(AS_ADA, "yes", question)
    assert 'nothing is waiting for a "yes"' in said(answer)
    assert number_of_games(first) == 0


@pytest.mark.parametrize(("late", "expected"), [(timedelta(), 1), (timedelta(seconds=1), 0)])
def test_the_question_waits_for_seven_days(first: MemoryHarness, late: timedelta, expected: int) -> None:
    question = ask(first)
    first.now += LIFETIME + late
    first.send(AS_ADA, "yes", question)
    assert number_of_games(first) == expected


def test_who_only_looks_is_not_asked(first: MemoryHarness) -> None:
    (answer,) = first.send(AS_ADA, "rules")
    assert not answer.asks_who


def test_a_player_who_writes_anew_is_asked_the_same(first: MemoryHarness) -> None:
    stranger = ask(first)
    first.send(AS_ADA, "yes", stranger)
    first.send(AS_BEN, "accept", first.last(BEN))
    player = ask(first)
    assert (player.subject, player.mail["To"]) == (stranger.subject, stranger.mail["To"])
    # Only the first letter to an address offers other languages.
    assert stranger.text.startswith(player.text)
    assert "«русский»" in stranger.text


def test_words_below_the_yes_reach_the_guest_with_the_game(first: MemoryHarness) -> None:
    first.send(AS_ADA, "yes\n\nIt has been years!", ask(first))
    assert "| It has been years!" in first.last(BEN).text


def test_an_unclear_answer_is_told_that_the_question_is_open_and_either_letter_can_be_answered(
    first: MemoryHarness,
) -> None:
    question = ask(first)
    (again,) = first.send(AS_ADA, "I think that was me.", question)
    assert again.asks_who
    assert "still waits for an answer" in said(again)
    first.send(AS_ADA, "yes", again)
    assert number_of_games(first) == 1
    (answer,) = first.send(AS_ADA, "yes", question)
    assert 'nothing is waiting for a "yes"' in said(answer)
    assert number_of_games(first) == 1


def test_the_same_words_a_day_later_are_asked_about_once_more(first: MemoryHarness) -> None:
    ask(first)
    first.now += timedelta(days=1)
    first.send(AS_ADA, "yes", ask(first))
    assert number_of_games(first) == 1


def test_whoever_answers_a_letter_of_their_own_is_answered(first: MemoryHarness) -> None:
    (welcome,) = first.send(AS_ADA, "hi")
    for words in ("yes please", "the small one", "can i play with you"):
        (welcome,) = first.send(AS_ADA, words, welcome)
        assert welcome.says("wish_is_unclear")


@pytest.mark.parametrize("words", ["yes", "ok", "ok do it", "yes please"])
def test_a_yes_does_the_only_line_that_is_offered_and_only_shows_something(
    first: MemoryHarness, words: str
) -> None:
    (offer,) = first.send(AS_ADA, "lern")
    (lesson,) = first.send(AS_ADA, words, offer)
    assert "Lesson 1 of 10" in lesson.text


def test_the_first_of_two_lines_is_picked(first: MemoryHarness) -> None:
    (offer,) = first.send(AS_ADA, "lessons and rules")
    (lesson,) = first.send(AS_ADA, "the first one", offer)
    assert "Lesson 1 of 10" in lesson.text


def test_a_first_mail_that_asks_to_be_taught_gets_the_first_lesson(first: MemoryHarness) -> None:
    (lesson,) = first.send(AS_ADA, "can you teach me how to play")
    assert "Lesson 1 of 10" in lesson.text


def test_mails_in_the_name_of_a_player_push_out_no_question_of_theirs(harness: MemoryHarness) -> None:
    harness.begin()
    (offer,) = harness.send(AS_ADA, "lern")
    assert not offer.asks_who
    assert "yes" not in offer.text


@pytest.mark.parametrize("words", ["c2 wall", "a wall in the middle", "b4", "ps c9"])
def test_who_describes_a_move_without_a_game_is_told_no_rule(first: MemoryHarness, words: str) -> None:
    (welcome,) = first.send(AS_ADA, "hi")
    (answer,) = first.send(AS_ADA, words, welcome)
    assert answer.says("you_have_no_game")
