"""Attempts at a move beside commands, in other kinds of games, and from unverified senders."""

import pytest

from takmail.games.interface import Meant
from takmail.games.tak.state import TakState
from takmail.limits.words import MAX_CAREFUL_LINES
from tests.support.costly import forget
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.relays import write
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game of three turns; it is Ben's turn."""
    harness.begin_and_play("ps a1", "ps e5", "ps c3")


def readers(letters: list[Received]) -> list[str]:
    return [letter.to for letter in letters]


def offered(answer: Received) -> list[str]:
    """Return the lines that an answer offers."""
    above = answer.text.split("\nA B C D E")[0]
    return [line.strip() for line in above.splitlines() if line.startswith("  ")]


@pytest.mark.parametrize("text", ["ps d2\n\nthen c4", "then c4\n\nps d2", "Hi Ada,\nps d2\nc4 next"])
def test_a_plan_beside_a_move_stays_here_and_the_move_is_played(game: MemoryHarness, text: str) -> None:
    answer, news = write(game, BEN, text)
    assert turns(game)[-1] == "ps d2"
    assert "played as turn 4" in said(answer)
    assert "this reads like a plan" in said(answer)
    assert [line for line in offered(answer) if line.startswith("say ")]
    assert "c4" not in news.text
    (later,) = write(game, ADA, "rs")
    assert "c4" not in later.text


def test_another_way_to_play_beside_a_move_is_words(game: MemoryHarness) -> None:
    _, news = write(game, BEN, "ps d2\nNow I take d2")
    assert turns(game)[-1] == "ps d2"
    assert "  | Now I take d2" in news.text


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
    assert "say b4" in offered(answer)
    for text in ("say b4", "What a game!\n\n/say b4"):
        _, news = write(game, BEN, text)
        assert "  | What a game!" in news.text
        assert "b4\n" in news.text.split("White")[0]


def test_with_an_invitation_and_its_answer_it_waits_for_nothing(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} first=me\n\nb4")
    assert "The mail asks for more, which I do not repeat" in said(harness.box[0])
    assert all(" b4" not in letter.text for letter in harness.box)
    letters = harness.send(f"Ben <{BEN}>", "accept\n\nSb4", harness.last(BEN))
    assert readers(letters) == [BEN, ADA]
    assert all(" writes:" not in letter.text for letter in letters)
    assert "Not done: it is not your turn." in said(letters[0])
    assert "pw b4" not in letters[0].text


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


@pytest.mark.parametrize("text", ["b4", "Hi Ada,\n\nflat b4"])
def test_without_proof_it_is_asked_about_at_once(game: MemoryHarness, text: str) -> None:
    (answer,) = game.send(f"Ben <{BEN}>", text, subject="[tak #1]")
    assert answer.to == BEN
    assert offered(answer)[0].startswith("ps b4 ")
    (later,) = write(game, ADA, "rs")
    assert " writes:" not in later.text


def test_what_was_held_for_a_question_stays_here_when_it_is_released(game: MemoryHarness) -> None:
    (asked,) = game.send(f"Ben <{BEN}>", "ps d2\n\nthen c4", subject="[tak #1]")
    assert asked.to == BEN
    letters = game.send(f"Ben <{BEN}>", "yes", asked)
    assert "You wrote: then c4 Nothing is done: this reads like a plan" in said(letters[0])
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
    assert "If you mean one of these, answer with that line: ps b4" in said(letters[0])


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


def test_what_stands_behind_the_end_of_what_is_passed_on_is_read_too(game: MemoryHarness) -> None:
    (answer,) = write(game, BEN, "word " * 1_000 + "\nb4")
    assert offered(answer)[0].startswith("ps b4 ")
    _, news = write(game, BEN, "word " * 1_000 + "\nfour words and more")
    assert "four words" not in news.text


def test_of_thousands_of_lines_only_the_first_are_looked_at(
    game: MemoryHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    real = TakState.meant

    def counted(state: TakState, text: str) -> Meant | None:
        seen.append(text)
        return real(state, text)

    monkeypatch.setattr(TakState, "meant", counted)
    forget()
    write(game, BEN, "".join(f"so {number}\n" for number in range(15_000)))
    assert 0 < len(seen) <= MAX_CAREFUL_LINES
