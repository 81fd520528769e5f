"""Attempts at a move beside commands, in other kinds of games, and from unverified senders."""

import pytest

from takmail.games.interface import Attempt
from takmail.games.tak.state import TakState
from takmail.limits.words import MAX_CHAT_CHARS
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.relays import write
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game of three turns; it is Ben's turn."""
    harness.begin()
    harness.play("ps a1", "ps e5", "ps c3")


def readers(letters: list[Received]) -> list[str]:
    return [letter.to for letter in letters]


@pytest.mark.parametrize(
    "text", ["ps d2\n\nthen c4", "then c4\n\nps d2", "ps d2\nSb4", "Hi Ada,\nps d2\nc4 next"]
)
def test_beside_a_move_it_stays_here_and_the_move_is_played(game: MemoryHarness, text: str) -> None:
    answer, news = write(game, BEN, text)
    assert turns(game)[-1] == "ps d2"
    assert "played as turn 4" in said(answer)
    told = said(answer)
    assert "it is not your turn now, and" in told
    assert "looks like a move, so Ada has heard nothing of it" in told
    assert "alone:" not in told
    assert " writes:" not in news.text
    (later,) = write(game, ADA, "rs")
    assert " writes:" not in later.text


def test_beside_a_look_and_beside_what_fails_it_waits_for_no_letter(game: MemoryHarness) -> None:
    for text in ("log\n\nb4", "ps c3\n\nb4", "pz b4\n\nflat b4"):
        assert readers(write(game, BEN, text)) == [BEN]
    _, news = write(game, BEN, "ps d2")
    assert " writes:" not in news.text


def test_say_beside_it_is_said(game: MemoryHarness) -> None:
    _, news = write(game, BEN, "b4\n/say c4 was good")
    assert "  | c4 was good\n" in news.text
    assert "b4" not in news.text.split("Ada, ")[0]


def test_the_rest_of_the_words_goes_with_the_same_line_behind_say(game: MemoryHarness) -> None:
    (answer,) = write(game, BEN, "What a game!\n\nb4")
    assert 'a line that is no move goes out with "/say" before it' in said(answer)
    _, news = write(game, BEN, "What a game!\n\n/say b4")
    assert "  | What a game!\n" in news.text
    assert "  | b4\n" in news.text


def test_with_an_invitation_and_its_answer_it_waits_for_nothing(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} first=me\n\nb4")
    assert "it is not your turn now, and this looks like a move" in said(harness.last(ADA))
    letters = harness.send(f"Ben <{BEN}>", "accept\n\nSb4", harness.last(BEN))
    assert readers(letters) == [BEN, ADA]
    assert all(" writes:" not in letter.text for letter in letters)
    assert "it is not your turn now, and this looks like a move" in said(letters[0])
    assert "pw b2" not in letters[0].text


def test_once_the_game_is_over_nobody_means_to_play(game: MemoryHarness) -> None:
    write(game, ADA, "resign")
    write(game, ADA, "yes")
    _, news = write(game, BEN, "b4")
    assert "  | b4\n" in news.text


@pytest.mark.parametrize("text", ["b4", "Sb4", "3a3+21", "flat b4", "放b4", "Hi Ada, b4", "Ada! ps c2"])
def test_in_a_relay_game_it_is_not_passed_on_either(harness: MemoryHarness, text: str) -> None:
    harness.begin("5 relay")
    assert readers(write(harness, BEN, text)) == [BEN]
    assert turns(harness) == []
    _, letter = write(harness, BEN, "ps b4")
    assert letter.lines[0] == "ps b4"
    assert " writes:" not in letter.text


@pytest.mark.parametrize("text", ["b4", "Hi Ada,\n\nflat b4", "ps d2\n\nthen c4"])
def test_what_was_held_for_a_question_stays_here_when_it_is_released(game: MemoryHarness, text: str) -> None:
    (asked,) = game.send(f"Ben <{BEN}>", text, subject="[tak #1]")
    assert asked.to == BEN
    letters = game.send(f"Ben <{BEN}>", "yes", asked)
    assert "looks like a move, so Ada has heard nothing of it" in said(letters[0])
    assert all(" writes:" not in letter.text for letter in letters)
    (later,) = write(game, ADA, "rs")
    assert " writes:" not in later.text


def test_beside_the_yes_it_stays_here_too(game: MemoryHarness) -> None:
    (asked,) = game.send(f"Ben <{BEN}>", "What a game!", subject="[tak #1]")
    letters = game.send(f"Ben <{BEN}>", "yes\n\nb4", asked)
    assert readers(letters) == [BEN]


def test_a_mail_that_answers_no_letter_is_about_the_only_game(game: MemoryHarness) -> None:
    letters = game.send(f"Ben <{BEN}>", "b4")
    assert readers(letters) == [BEN]
    letters = game.send(f"Ben <{BEN}>", "yes", letters[0])
    assert readers(letters) == [BEN]
    assert "looks like a move" in said(letters[0])


@pytest.mark.parametrize("name", ["B4", "Flat", "Tak b4"])
def test_no_name_makes_a_slip_of_its_writer_s_words_or_words_of_a_slip(
    game: MemoryHarness, name: str
) -> None:
    write(game, ADA, f"name {name}")
    assert readers(write(game, BEN, "b4")) == [BEN]
    assert readers(write(game, BEN, f"Hi {name}, b4")) == [BEN]
    assert readers(write(game, BEN, f"Nice to meet you, {name}")) == [BEN, ADA]


def test_letters_of_another_alphabet_within_a_word_hide_nothing(game: MemoryHarness) -> None:
    assert readers(write(game, BEN, "flаt b4")) == [BEN]


def test_what_stands_behind_the_end_of_what_is_passed_on_is_read_by_nobody(game: MemoryHarness) -> None:
    _, news = write(game, BEN, "word " * 1_000 + "\nb4")
    assert "b4" not in news.text.split("White:")[0].lower()


def test_of_thousands_of_lines_those_are_looked_at_that_would_be_passed_on(
    game: MemoryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    real = TakState.attempt

    def counted(state: TakState, text: str) -> Attempt | None:
        seen.append(text)
        return real(state, text)

    monkeypatch.setattr(TakState, "attempt", counted)
    write(game, BEN, "".join(f"so {number}\n" for number in range(15_000)))
    assert 0 < len(seen) <= 3 * MAX_CHAT_CHARS
