"""A line that an answer offers: `yes` means it, `no` drops it, and the words beside it wait for that."""

import re
from urllib.parse import unquote

import pytest

from takmail.world.kinds import LetterView, Standing
from takmail.world.pending import LIFETIME
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once

YES = ("yes", "ok", "yes please", "да", "Yes!")
WALL = "i want to put a wall on c2 :-)"


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game of four turns; it is Ada's turn."""
    harness.begin()
    harness.play("ps a1", "ps e5", "ps c3", "ps b3")


def write(game: MemoryHarness, text: str) -> list[Received]:
    return game.send(f"Ada <{ADA}>", text, game.last(ADA))


def words_to_ben(letters: list[Received]) -> list[str]:
    return [line for one in letters if one.to == BEN for line in one.lines if line.startswith("  | ")]


@pytest.mark.parametrize("yes", YES)
def test_a_yes_plays_the_only_line_that_is_offered(game: MemoryHarness, yes: str) -> None:
    (asked,) = write(game, WALL)
    assert 'Do you mean this? Answer with "yes", or with the line itself:' in said(asked)
    letters = write(game, yes)
    assert turns(game)[-1] == "pw c2"
    assert words_to_ben(letters) == []


@pytest.mark.parametrize("answer", ["yes", "pw c2", "PW C2"])
def test_the_words_beside_the_line_go_with_it(game: MemoryHarness, answer: str) -> None:
    (asked,) = write(game, f"Hi Ben, how are you?\nMum says hello.\n\n{WALL}\n\nlove, Ada")
    assert "Ben does not have your words yet" in said(asked)
    letters = write(game, answer)
    assert turns(game)[-1] == "pw c2"
    assert words_to_ben(letters) == ["  | Hi Ben, how are you?", "  | Mum says hello.", "  | love, Ada"]


@pytest.mark.parametrize("answer", ["yes", "pw c2"])
def test_words_beside_the_answer_go_with_those_that_waited(game: MemoryHarness, answer: str) -> None:
    write(game, f"{WALL}\n\nHow are you?")
    assert words_to_ben(write(game, f"{answer}\n\nSee you.")) == ["  | How are you?", "  | See you."]


def test_a_no_drops_the_line(game: MemoryHarness) -> None:
    write(game, f"{WALL}\n\nHow are you?")
    asked = game.last(ADA)
    assert [one.to for one in write(game, "no")] == [ADA]
    (late,) = game.send(ADA, "yes", asked)
    assert 'nothing is waiting for a "yes"' in said(late)
    assert turns(game) == ["ps a1", "ps e5", "ps c3", "ps b3"]


@pytest.mark.parametrize("answer", ["yes", "yes, but what is a capstone?", "ok\n\nHow are you?"])
def test_a_yes_to_several_lines_is_asked_about_again(game: MemoryHarness, answer: str) -> None:
    write(game, "b4, your turn\nHi Ben.")
    (again,) = write(game, answer)
    assert "If you mean one of these, answer with that line:" in again.text
    assert "  ps b4 " in again.text
    assert "  pw b4 " in again.text
    assert words_to_ben(write(game, "pw b4"))[0] == "  | Hi Ben."
    assert turns(game)[-1] == "pw b4"


@pytest.mark.parametrize(
    ("taking_back", "answers"),
    [
        ("Scratch that.", ("yes", "ok", "Right.", "go ahead", "that one", "the second", "Yes, I do.")),
        ("算了,我再想想。", ("好", "好的", "是", "对", "可以", "嗯", "第二个")),
        ("Ой, нет, я ещё подумаю.", ("да", "хорошо", "ага", "верно", "второй")),
    ],
)
def test_a_yes_to_a_line_that_was_taken_back_is_asked_about_again(
    game: MemoryHarness, taking_back: str, answers: tuple[str, ...]
) -> None:
    write(game, f"ps b4\n{taking_back}")
    for answer in answers:
        (again,) = write(game, answer)
        assert (again.to, "  ps b4 " in again.text) == (ADA, True)
        assert "ps b4" not in turns(game)
    write(game, "ps b4")
    assert turns(game)[-1] == "ps b4"


def test_a_no_drops_the_line_that_was_taken_back(game: MemoryHarness) -> None:
    write(game, "ps b4\nScratch that.")
    (dropped,) = write(game, "no")
    assert (dropped.to, "ps b4 " in dropped.text) == (ADA, False)


def test_a_number_that_picks_nothing_is_no_chat(game: MemoryHarness) -> None:
    write(game, WALL)
    (again,) = write(game, "the second")
    assert (again.to, "  pw c2 " in again.text) == (ADA, True)


@pytest.mark.parametrize("answer", ["the second", "wall please", "Yes, the wall.", "第二个", "стену"])
def test_an_answer_picks_one_of_several_lines(game: MemoryHarness, answer: str) -> None:
    write(game, "b4, your turn")
    letters = write(game, f"{answer}\n\nTake that!")
    assert turns(game)[-1] == "pw b4"
    assert words_to_ben(letters) == ["  | Take that!"]


@pytest.mark.parametrize("answer", ["yes, but wait", "ok?"])
def test_an_unclear_yes_is_asked_about_again(game: MemoryHarness, answer: str) -> None:
    write(game, WALL)
    (again,) = write(game, answer)
    assert "  pw c2 " in again.text
    write(game, "yes")
    assert turns(game)[-1] == "pw c2"


def test_a_yes_with_another_turn_is_asked_about_that_turn(game: MemoryHarness) -> None:
    write(game, WALL)
    (again,) = write(game, "yes, ps c4")
    assert "  ps c4 " in again.text
    write(game, "yes")
    assert turns(game)[-1] == "ps c4"


@pytest.mark.parametrize(
    ("answer", "is_over", "tells"),
    [
        ("agree draw", True, "draw"),
        ("no", False, "does not want a draw"),
        ("refuse draw", False, "does not want a draw"),
        ("yes", False, ""),
    ],
)
def test_words_about_a_draw_that_is_offered_are_about_this_offer(
    game: MemoryHarness, answer: str, is_over: bool, tells: str
) -> None:
    game.send(f"Ben <{BEN}>", "draw", game.last(BEN))
    (asked,) = write(game, "A draw? You must be joking")
    assert "  agree draw  " in asked.text
    assert "  refuse draw  " in asked.text
    letters = write(game, answer)
    assert (game.table().record.standing is Standing.OVER) == is_over
    assert tells in " ".join(said(letter) for letter in letters if letter.to == BEN)
    assert ("You wrote: no" in said(letters[0])) == (answer == "no")


def test_a_no_drops_the_only_line_that_is_offered(game: MemoryHarness) -> None:
    game.send(f"Ben <{BEN}>", "draw", game.last(BEN))
    (asked,) = write(game, "refuse?")
    assert "  refuse  " in asked.text
    assert [letter.to for letter in write(game, "no")] == [ADA]
    assert game.table().offers


def test_what_can_t_be_taken_back_asks_its_own_question(game: MemoryHarness) -> None:
    write(game, "resgin")
    (asked,) = write(game, "yes")
    assert "Do you want to give this game up?" in asked.text
    assert "you have given the game up" in said(write(game, "yes")[0])


def test_a_line_that_was_offered_for_an_older_board_is_not_played(game: MemoryHarness) -> None:
    write(game, WALL)
    asked = game.last(ADA)
    write(game, "ps d4")
    game.send(BEN, "ps d5", game.last(BEN))
    game.send(ADA, "yes", asked)
    assert turns(game)[-1] == "ps d5"


def test_a_question_is_open_for_its_time_only(game: MemoryHarness) -> None:
    write(game, WALL)
    game.now += 2 * LIFETIME
    assert [one.to for one in write(game, "yes")] == [ADA]
    assert turns(game)[-1] == "ps b3"


@pytest.mark.parametrize("sender", [BEN, "carol@example.org"])
def test_only_its_reader_answers(game: MemoryHarness, sender: str) -> None:
    (asked,) = write(game, WALL)
    game.send(sender, "yes", asked)
    game.send(sender, "pw c2", asked)
    assert turns(game)[-1] == "ps b3"


def test_the_button_writes_the_line(game: MemoryHarness) -> None:
    game.change(letter_view=LetterView.BOTH)
    (asked,) = write(game, f"{WALL}\n\nHi Ben,\nhow are you?")
    link, label = re.findall(r'href="mailto:([^"]+)"[^>]*>([^<]+)</a></td>', asked.html)[0]
    assert label == "You place a wall on C2. (pw c2)"
    written = unquote(link.partition("body=")[2]).replace("\r\n", "\n")
    assert written == "pw c2 #5\n"
    assert words_to_ben(write(game, written)) == ["  | Hi Ben,", "  | how are you?"]


@pytest.mark.parametrize("no", ["no wait", "no, sorry", "never mind", "not yet", "No, I play on", "нет"])
def test_whatever_begins_with_a_no_drops_a_resignation(game: MemoryHarness, no: str) -> None:
    write(game, "resign")
    letters = write(game, no)
    assert [one.to for one in letters] == [ADA]
    assert "the game goes on" in said(letters[0])
    assert "Do you want" not in said(letters[0])


def test_a_move_that_is_taken_back_is_offered(game: MemoryHarness) -> None:
    (answer,) = write(game, "ps b2\nscratch that")
    assert "This is not done, as your mail takes it back below." in said(answer)
    assert "  ps b2 " in answer.text
    write(game, "yes")
    assert turns(game)[-1] == "ps b3"


def test_a_corrected_move_is_one_of_two(game: MemoryHarness) -> None:
    (answer,) = write(game, "ps d4\nno wait\nps c4")
    assert answer.text.index("  ps c4 ") < answer.text.index("  ps d4 ")


@pytest.mark.parametrize("text", ["ps c4", "ps c4 #5", "place d4"])
def test_undo_beside_a_move_that_comes_too_early_needs_its_own_word(game: MemoryHarness, text: str) -> None:
    write(game, "ps b4")
    (answer,) = write(game, text)
    assert "  undo  " in answer.text
    assert 'with "yes"' not in said(answer)
    write(game, "ok thanks")
    assert turns(game)[-1] == "ps b4"
    assert any("take" in said(one) for one in write(game, "undo") if one.to == BEN)


@pytest.mark.parametrize("text", ["no wait, ps c4", "oops, ps d4 instead", "undo please, ps d3"])
def test_after_the_move_has_gone_undo_is_offered(game: MemoryHarness, text: str) -> None:
    write(game, "ps b4")
    (answer,) = write(game, text)
    assert "  undo  " in answer.text
    assert "stands." not in said(answer)
    letters = write(game, "yes")
    assert "turn 5" in said(letters[0])
    assert any("take" in said(one) for one in letters)


@pytest.mark.parametrize("text", ["ps b4", "ps b4, sorry, took me long", "ps b4\n\nHi!"])
def test_the_answer_to_a_first_move_names_undo(harness: MemoryHarness, text: str) -> None:
    harness.begin()
    assert 'Answer "undo" to take it back.' in said(write(harness, text)[0])


@pytest.mark.parametrize("text", ["yes", "ok", "No.", "да"])
def test_an_answer_that_nobody_asked_for_goes_to_the_other_player(game: MemoryHarness, text: str) -> None:
    assert words_to_ben(write(game, text)) == [f"  | {text}"]
    assert turns(game)[-1] == "ps b3"


@pytest.mark.parametrize("text", ["who is this?", "what is that", "I don't know what this is"])
def test_somebody_invited_is_told_what_this_is(harness: MemoryHarness, text: str) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    (answer,) = harness.send(BEN, text, harness.last(BEN))
    for part in ("This is Tak by Mail", ADA, '"rules"', '"stop"', '"accept"', '"decline"'):
        assert part in said(answer)
