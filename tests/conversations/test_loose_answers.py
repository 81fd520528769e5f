"""An ambiguous `yes`: it is not forwarded, and the open question is asked again."""

import pytest

from takmail.world.kinds import MessageId, PlayerId
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, said
from tests.support.scenes import played_once

ADA_AS = f"Ada <{ADA}>"
OTHER_AS = "Other <other@example.org>"
NEW_MAIL = {"to": TAK, "subject": "Re: [tak #1] Tak"}


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """Ada and Ben have played a turn each. Players do not confirm questions automatically."""
    harness.begin_and_play("ps a1", "ps e5")
    harness.confirms = False


def is_forgotten(harness: MemoryHarness) -> bool:
    return harness.memory.players[PlayerId(1)].is_erased


def barred(letter: Received) -> list[str]:
    """Return the lines of a letter without indentation."""
    return [line.strip() for line in letter.lines]


def asked_again(harness: MemoryHarness, words: str, asked: str, answers: Received | None = None) -> Received:
    """Ada sends these words in a new mail, or Other in reply to a letter. She is asked again."""
    sender, how = (ADA_AS, NEW_MAIL) if answers is None else (OTHER_AS, {})
    (letter,) = harness.send(sender, words, answers, **how)
    assert letter.to == ADA
    assert "Nothing of it has been passed on" in said(letter)
    assert f"| {asked}" in barred(letter)
    assert "| yes" not in barred(letter)
    return letter


@pytest.mark.parametrize("words", ["yes", "Yes!", "ok", "yes\n\nAda", "ok\n\nThanks,\nAda"])
def test_a_yes_in_a_new_mail_has_forget_me_asked_once_more_and_then_it_is_done(
    game: MemoryHarness, words: str
) -> None:
    game.send(ADA_AS, "forget me", game.last(ADA))
    again = asked_again(game, words, "forget me")
    assert not is_forgotten(game)
    game.send(ADA_AS, "yes", again)
    assert is_forgotten(game)
    assert "yes" not in game.last(BEN).text


def test_words_below_a_yes_that_names_no_letter_are_passed_on(game: MemoryHarness) -> None:
    game.send(ADA_AS, "resign", game.last(ADA))
    letters = game.send(
        ADA_AS, "Shall we?\n\nsee you on Friday", game.last(ADA), threaded=False, quoting=False
    )
    assert [one.to for one in letters] == [ADA, BEN]
    assert "  | see you on Friday\n" in letters[1].text


def test_words_below_an_answer_that_may_be_hers_are_held_with_it(game: MemoryHarness) -> None:
    game.send(ADA_AS, "forget me", game.last(ADA))
    (asked,) = game.send(ADA_AS, "ok\n\nsee you on Friday", **NEW_MAIL)
    assert "| see you on Friday" in barred(asked)


def test_a_yes_from_another_address_to_the_very_letter_has_its_question_asked_once_more(
    game: MemoryHarness,
) -> None:
    (asked,) = game.send(ADA_AS, "ps b4", **NEW_MAIL)
    game.send(ADA_AS, "yes", asked_again(game, "yes", "ps b4", asked))
    assert turns(game)[2:] == ["ps b4"]


def test_a_yes_to_the_reply_address_of_the_letter_that_asks_answers_it(game: MemoryHarness) -> None:
    """Some mail programs keep neither In-Reply-To nor References."""
    (asked,) = game.send(ADA_AS, "forget me", game.last(ADA))
    game.send(ADA_AS, "yes", asked, threaded=False, quoting=False)
    assert is_forgotten(game)


def test_a_yes_in_a_new_mail_has_what_is_held_asked_once_more_and_it_is_done_once(
    game: MemoryHarness,
) -> None:
    (first,) = game.send(ADA_AS, "ps b4\n\nHi Ben", **NEW_MAIL)
    game.send(ADA_AS, "yes", asked_again(game, "yes", "ps b4"))
    assert turns(game)[2:] == ["ps b4"]
    assert "Hi Ben" in game.last(BEN).text
    (answer,) = game.send(ADA_AS, "yes", first)
    assert 'nothing is waiting for a "yes"' in said(answer)


def test_a_late_yes_from_another_address_is_no_word_for_the_opponent(game: MemoryHarness) -> None:
    (asked,) = game.send(ADA_AS, "ps b4", **NEW_MAIL)
    game.send(ADA_AS, "no", asked)
    assert game.send(OTHER_AS, "yes", asked) == []


def test_where_nothing_is_asked_a_yes_is_a_word_for_the_opponent(game: MemoryHarness) -> None:
    game.send(BEN, "Shall we meet?", game.last(BEN))
    (held,) = game.send(ADA_AS, "yes", **NEW_MAIL)
    assert "| yes" in barred(held)
    game.send(ADA_AS, "yes", held)
    assert "| yes" in barred(game.last(BEN))


def lose(harness: MemoryHarness, letter: Received) -> None:
    """Delete this letter and its question, as if an older backup had been restored."""
    harness.memory.lose(MessageId(letter.id))


@pytest.mark.parametrize("sender", [ADA_AS, OTHER_AS])
def test_a_yes_to_a_question_from_after_the_backup_is_no_word_for_the_opponent(
    game: MemoryHarness, sender: str
) -> None:
    (asked,) = game.send(ADA_AS, "resign", game.last(ADA))
    lose(game, asked)
    letters = game.send(sender, "yes", asked)
    assert [one.to for one in letters] == ([ADA] if sender == ADA_AS else [])
    assert all('nothing is waiting for a "yes"' in said(one) for one in letters)


def test_a_yes_to_a_question_about_no_game_from_after_the_backup_is_none_either(game: MemoryHarness) -> None:
    (asked,) = game.send(ADA_AS, "mydata")
    lose(game, asked)
    (answer,) = game.send(ADA_AS, "yes", asked)
    assert answer.to == ADA
    assert 'nothing is waiting for a "yes"' in said(answer)


def test_who_is_read_again_and_had_resigned_is_asked_once_more(game: MemoryHarness) -> None:
    before = game.last(ADA)
    (asked,) = game.send(ADA_AS, "resign", before)
    lose(game, asked)
    game.send(ADA_AS, "resign", before)
    (again,) = game.send(ADA_AS, "yes", asked)
    assert "Do you want to give this game up?" in said(again)
    game.send(ADA_AS, "yes", again)
    assert "Ada has given the game up" in said(game.last(BEN))
