"""Words beside something that was refused or asked about wait for what their writer does next."""

from datetime import timedelta

import pytest

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once
from tests.support.width import combined, some_of


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game of four turns; it is Ada's turn."""
    harness.begin_and_play("ps a1", "ps e5", "ps c3", "ps b3")


def write(game: MemoryHarness, text: str) -> list[Received]:
    return game.send(f"Ada <{ADA}>", text, game.last(ADA))


def to_ben(letters: list[Received]) -> list[str]:
    return [line for one in letters if one.to == BEN for line in one.lines if line.startswith("  | ")]


@pytest.mark.parametrize(
    "text",
    some_of(
        [
            "ps c3\n\nHow are you?",
            "flat c4\n\nHow are you?",
            "ps c4\nno, wait\n\nHow are you?",
            "ps c4\nps d4\n\nHow are you?",
            "if he plays e1 I play d1\n\nHow are you?",
            "resign\n\nHow are you?",
        ],
        3,
    ),
)
def test_words_wait_for_the_next_move(game: MemoryHarness, text: str) -> None:
    (answer,) = write(game, text)
    assert answer.to == ADA
    assert "Ben does not have your words yet" in said(answer)
    assert "  | How are you?" in answer.text
    assert to_ben(write(game, "ps d2")) == ["  | How are you?"]
    assert turns(game)[-1] == "ps d2"
    game.send(BEN, "ps a4", game.last(BEN))
    assert to_ben(write(game, "ps d3")) == []


def test_send_sends_them_at_once_and_once(game: MemoryHarness) -> None:
    write(game, "ps c3\n\nHow are you?")
    assert to_ben(write(game, "send")) == ["  | How are you?"]
    (answer,) = write(game, "send")
    assert "no words of yours wait" in said(answer)


def test_the_same_words_wait_once_and_others_below_them(game: MemoryHarness) -> None:
    for text in ("ps c3\n\nHow are you?", "ps b3\n\nHow are you?", "ps c3\n\nMum says hello."):
        write(game, text)
    assert to_ben(write(game, "ps d2")) == ["  | How are you?", "  | Mum says hello."]


def test_they_outlive_the_end_of_the_game_and_an_undo(game: MemoryHarness) -> None:
    write(game, "ps c3\n\nHow are you?")
    game.send(f"Ben <{BEN}>", "undo", game.last(BEN))
    assert to_ben(write(game, "agree")) == ["  | How are you?"]
    write(game, "resign\n\nThanks for the game!")
    assert to_ben(write(game, "yes")) == ["  | Thanks for the game!"]


def test_who_plays_on_takes_no_leave(game: MemoryHarness) -> None:
    write(game, "resign\n\nWell played!")
    write(game, "no")
    assert to_ben(write(game, "ps d2")) == []


def test_what_goes_out_together_is_not_cut(game: MemoryHarness) -> None:
    write(game, "ps c3\n\n" + "x" * 3_900)
    letters = write(game, "ps d2\n\n" + "y" * 3_900)
    (news,) = (one for one in letters if one.to == BEN)
    assert news.text.count("x") >= 3_900
    assert news.text.count("y") >= 3_900


@pytest.mark.parametrize(
    ("text", "no"), combined(["ps c3", "flat c4", "resign"], ["no", "No, thanks.", "不", "нет"])
)
def test_a_no_to_the_letter_that_quotes_them_drops_them(game: MemoryHarness, text: str, no: str) -> None:
    (asked,) = write(game, f"{text}\n\nHow are you?")
    assert 'Answer "no", and they are dropped.' in said(asked)
    (answer,) = write(game, no)
    assert "Dropped: Ben does not get these words of yours: | How are you?" in said(answer)
    assert to_ben(write(game, "ps d2")) == []


@pytest.mark.parametrize("no", ["no", "No, I would not have thought so."])
def test_a_no_beside_others_leaves_them(game: MemoryHarness, no: str) -> None:
    write(game, "ps c3\n\nHow are you?")
    assert to_ben(write(game, f"{no}\nps d2")) == ["  | How are you?", f"  | {no}"]


def test_a_no_to_a_later_letter_is_for_the_opponent(game: MemoryHarness) -> None:
    write(game, "ps c3\n\nHow are you?")
    game.send(f"Ben <{BEN}>", "Have you had lunch?", game.last(BEN))
    assert to_ben(write(game, "no")) == ["  | no"]


def test_a_question_of_the_opponent_leaves_them(game: MemoryHarness) -> None:
    write(game, "flat c4\n\nHow are you?")
    game.send(f"Ben <{BEN}>", "draw", game.last(BEN))
    assert to_ben(write(game, "refuse draw")) == ["  | How are you?"]


def test_they_are_gone_after_seven_days(game: MemoryHarness) -> None:
    write(game, "ps c3\n\nHow are you?")
    game.now += timedelta(days=8)
    assert to_ben(write(game, "ps d2")) == []


def test_what_somebody_else_wrote_in_a_player_s_name_is_not_kept(game: MemoryHarness) -> None:
    game.confirms = False
    (answer,) = game.send(f"Ada <{ADA}>", "flat c4\n\nSend me money.", subject="[tak #1]")
    assert answer.to == ADA
    assert all("money" not in line for line in to_ben(write(game, "ps d2")))


def test_the_opponent_is_never_shown_them(game: MemoryHarness) -> None:
    write(game, "ps c3\n\nHow are you?")
    for line in ("rs", "mydata", "log"):
        letters = game.send(f"Ben <{BEN}>", line, game.last(BEN))
        assert all("How are you?" not in one.text for one in letters)


def test_words_on_one_s_own_turn_are_no_move_and_a_place_in_them_is_offered(game: MemoryHarness) -> None:
    answer, news = write(game, "D4 looks nice, or where my brother likes it.")
    assert "There is no move in it: it is still your turn." in said(answer)
    assert "  ps d4 " in answer.text
    assert "where my brother likes it" in news.text
    write(game, "yes")
    assert turns(game)[-1] == "ps b3"


def test_a_turn_in_words_that_nobody_can_play_is_asked_about(game: MemoryHarness) -> None:
    (answer,) = write(game, "Hi Ben!\nI want to put a wall beside yours, in the corner that you like.")
    assert "this sounds like a move, but I cannot tell which" in said(answer)
    assert '"pw ' in said(answer)
    assert turns(game)[-1] == "ps b3"


def test_two_moves_are_both_offered_and_yes_plays_none(game: MemoryHarness) -> None:
    (answer,) = write(game, "ps c4\nps d4")
    assert answer.text.index("  ps c4 ") < answer.text.index("  ps d4 ")
    write(game, "yes")
    assert turns(game)[-1] == "ps b3"
    write(game, "ps c4")
    assert turns(game)[-1] == "ps c4"
