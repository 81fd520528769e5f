"""A mere `yes` of which it is not known what it answers: nobody else reads it, and what is open is asked once more."""

from datetime import timedelta

import pytest
from sqlmodel import col, delete, select

from takmail.commands.asking import MOST_ASKED
from takmail.store.tables import OutboxRow, Player, Question
from tests.support.harness import ADA, BEN, TAK, Harness, Received, said, turns

ADA_AS = f"Ada <{ADA}>"
OTHER_AS = "Other <other@example.org>"
NEW_MAIL = {"to": TAK, "subject": "Re: [tak #1] Tak"}


@pytest.fixture
def game(harness: Harness) -> Harness:
    """Ada and Ben have played a turn each; people answer no question by themselves."""
    harness.begin()
    harness.play("ps a1", "ps e5")
    harness.confirms = False
    return harness


def is_forgotten(harness: Harness) -> bool:
    with harness.store.transaction() as session:
        return session.get_one(Player, 1).name == "a player"


def barred(letter: Received) -> list[str]:
    """The lines of a letter without what they are indented by."""
    return [line.strip() for line in letter.lines]


def asked_again(harness: Harness, words: str, asked: str, answers: Received | None = None) -> Received:
    """Ada writes these words in a new mail, or as Other in answer to a letter; she is shown what is asked again."""
    sender, how = (ADA_AS, NEW_MAIL) if answers is None else (OTHER_AS, {})
    (letter,) = harness.send(sender, words, answers, **how)
    assert letter.to == ADA
    assert "Nothing of it has been passed on" in said(letter)
    assert f"| {asked}" in barred(letter)
    assert "| yes" not in barred(letter)
    return letter


@pytest.mark.parametrize("words", ["yes", "Yes!", "ok", "yes\n\nAda", "ok\n\nThanks,\nAda"])
def test_a_yes_in_a_new_mail_has_forget_me_asked_once_more_and_then_it_is_done(
    game: Harness, words: str
) -> None:
    game.send(ADA_AS, "forget me", game.last(ADA))
    again = asked_again(game, words, "forget me")
    assert not is_forgotten(game)
    game.send(ADA_AS, "yes", again)
    assert is_forgotten(game)
    assert "yes" not in game.last(BEN).text


def test_words_below_an_answer_that_is_surely_hers_are_passed_on(game: Harness) -> None:
    (asked,) = game.send(ADA_AS, "forget me", game.last(ADA))
    letters = game.send(ADA_AS, "ok\n\nsee you on Friday", asked, threaded=False, quoting=False)
    assert [one.to for one in letters] == [ADA, BEN]
    assert "  | ok\n  |\n  | see you on Friday\n" in letters[1].text


def test_words_below_an_answer_that_may_be_hers_are_held_with_it(game: Harness) -> None:
    game.send(ADA_AS, "forget me", game.last(ADA))
    (asked,) = game.send(ADA_AS, "ok\n\nsee you on Friday", **NEW_MAIL)
    assert "| see you on Friday" in barred(asked)


def test_a_yes_from_another_address_to_the_very_letter_has_its_question_asked_once_more(
    game: Harness,
) -> None:
    (asked,) = game.send(ADA_AS, "forget me", game.last(ADA))
    game.send(ADA_AS, "yes", asked_again(game, "yes", "forget me", asked))
    assert is_forgotten(game)


def test_a_yes_that_is_surely_hers_and_answers_no_letter_is_not_passed_on_either(game: Harness) -> None:
    (asked,) = game.send(ADA_AS, "forget me", game.last(ADA))
    (again,) = game.send(ADA_AS, "yes", asked, threaded=False, quoting=False)
    assert again.to == ADA
    assert "| forget me" in barred(again)
    game.send(ADA_AS, "yes", again, threaded=False, quoting=False)
    assert is_forgotten(game)


def test_a_yes_in_a_new_mail_has_what_is_held_asked_once_more_and_it_is_done_once(game: Harness) -> None:
    (first,) = game.send(ADA_AS, "ps b4\n\nHi Ben", **NEW_MAIL)
    game.send(ADA_AS, "yes", asked_again(game, "yes", "ps b4"))
    assert turns(game)[2:] == ["ps b4"]
    assert "Hi Ben" in game.last(BEN).text
    (answer,) = game.send(ADA_AS, "yes", first)
    assert 'nothing is waiting for a "yes"' in said(answer)


def test_what_was_asked_last_is_asked_again(game: Harness) -> None:
    game.send(ADA_AS, "forget me", game.last(ADA))
    game.now += timedelta(minutes=1)
    game.send(ADA_AS, "ps b4", **NEW_MAIL)
    asked_again(game, "yes", "ps b4")


def test_it_is_asked_only_so_often(game: Harness) -> None:
    game.send(ADA_AS, "forget me", game.last(ADA))
    for _ in range(MOST_ASKED - 1):
        asked_again(game, "yes", "forget me")
    assert game.send(ADA_AS, "yes", **NEW_MAIL) == []


def test_a_late_yes_from_another_address_is_no_word_for_the_opponent(game: Harness) -> None:
    (asked,) = game.send(ADA_AS, "forget me", game.last(ADA))
    game.send(ADA_AS, "no", asked)
    with game.store.transaction() as session:
        session.exec(delete(Question))
    assert game.send(OTHER_AS, "yes", asked) == []


def test_where_nothing_is_asked_a_yes_is_a_word_for_the_opponent(game: Harness) -> None:
    game.send(BEN, "Shall we meet?", game.last(BEN))
    (held,) = game.send(ADA_AS, "yes", **NEW_MAIL)
    assert "| yes" in barred(held)
    game.send(ADA_AS, "yes", held)
    assert "| yes" in barred(game.last(BEN))


def lose(harness: Harness, letter: Received) -> None:
    """The database knows nothing of this letter nor of what it asked, as if it were from before."""
    with harness.store.transaction() as session:
        row = session.exec(select(OutboxRow).where(OutboxRow.message_id == letter.id)).one()
        session.exec(delete(Question).where(col(Question.letter_id) == row.id))
        row.message_id, row.text = "<another@example.test>", ""
        session.add(row)


@pytest.mark.parametrize("words", ["forget me", "resign"])
@pytest.mark.parametrize("sender", [ADA_AS, OTHER_AS])
def test_a_yes_to_a_question_from_after_the_backup_is_no_word_for_the_opponent(
    game: Harness, words: str, sender: str
) -> None:
    (asked,) = game.send(ADA_AS, words, game.last(ADA))
    lose(game, asked)
    letters = game.send(sender, "yes", asked)
    assert [one.to for one in letters] == ([ADA] if sender == ADA_AS else [])
    assert all('nothing is waiting for a "yes"' in said(one) for one in letters)


def test_a_yes_to_a_question_about_no_game_from_after_the_backup_is_none_either(game: Harness) -> None:
    (asked,) = game.send(ADA_AS, "mydata")
    lose(game, asked)
    (answer,) = game.send(ADA_AS, "yes", asked)
    assert answer.to == ADA
    assert 'nothing is waiting for a "yes"' in said(answer)


def test_who_is_read_again_and_had_resigned_has_resigned(game: Harness) -> None:
    before = game.last(ADA)
    (asked,) = game.send(ADA_AS, "resign", before)
    lose(game, asked)
    game.send(ADA_AS, "resign", before)
    game.send(ADA_AS, "yes", asked)
    assert "Ada has given the game up" in said(game.last(BEN))


def test_who_is_read_again_and_had_left_is_asked_once_more(game: Harness) -> None:
    before = game.last(ADA)
    (asked,) = game.send(ADA_AS, "forget me", before)
    lose(game, asked)
    game.send(ADA_AS, "forget me", before)
    (again,) = game.send(ADA_AS, "yes", asked)
    assert "| forget me" in barred(again)
    assert not is_forgotten(game)
    game.send(ADA_AS, "yes", again)
    assert is_forgotten(game)
