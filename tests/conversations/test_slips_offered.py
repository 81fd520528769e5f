"""The answer to a line that is probably a move: the legal lines that it offers, and how to send the text as chat."""

import pytest

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, said
from tests.support.relays import write
from tests.support.scenes import played_once
from tests.support.width import combined


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game of three turns; it is Ben's turn."""
    harness.begin_and_play("ps a1", "ps e5", "ps c3")


def indented(text: str) -> list[str]:
    return [line for line in text.split("\nA B C D E")[0].splitlines() if line.startswith("  ")]


def offered(text: str) -> list[str]:
    """Return the lines that an answer offers, without what they do."""
    return [line.strip().split("   ")[0] for line in indented(text)]


def test_what_is_offered_is_played_as_it_stands(game: MemoryHarness) -> None:
    (answer,) = write(game, BEN, "b4, your turn")
    assert indented(answer.text) == [
        "  ps b4           You place a flat on B4.",
        "  pw b4           You place a wall on B4.",
        "  pc b4           You place a capstone on B4.",
        "  say b4, your turn",
    ]
    write(game, BEN, offered(answer.text)[1])
    assert turns(game)[-1] == "pw b4"


def test_what_can_t_be_played_is_told_with_its_reason_and_not_offered(game: MemoryHarness) -> None:
    for text, reason in (
        ("flat at c3, your turn", "C3 is not empty: a white flat stands there."),
        ("flat a1 wall d2", "no move that can be played now has all of this: A1, D2, flat, wall."),
    ):
        (answer,) = write(game, BEN, text)
        assert reason in said(answer)
        assert offered(answer.text) == [f"say {text}"]


def test_two_lines_share_what_an_answer_can_offer(game: MemoryHarness) -> None:
    (answer,) = write(game, BEN, "b4\nor is c4 better?\nflat d2")
    assert [line for line in offered(answer.text) if not line.startswith(("say", "|"))] == [
        *("ps b4", "pw b4", "pc b4"),
        "ps d2",
    ]


@pytest.mark.parametrize(
    ("who", "words"),
    combined(
        [ADA, BEN],
        [
            "flat b4",
            "please, I would like to place a flat stone of mine at b4",  # wider than what is left of the line before it
            "flat b4, " + "so " * 16 + "ok",
        ],
    ),
)
def test_the_line_with_say_is_one_line_to_send(game: MemoryHarness, who: str, words: str) -> None:
    (answer,) = write(game, who, words)
    line = indented(answer.text)[-1]
    assert line == f"  say {words}"
    _, news = write(game, who, line.strip())
    assert f"  | {words}\n" in news.text


def test_the_line_with_say_has_no_address(game: MemoryHarness) -> None:
    (answer,) = write(game, BEN, "What a game!\n\nb4\n\nI write from ben@example.org, as ever.")
    assert "  say b4" in indented(answer.text)
    line = indented(answer.text)[-1]
    assert line.startswith("  say What a game! I write from ")
    assert BEN not in line


@pytest.mark.parametrize("who", [ADA, BEN])
def test_words_that_are_too_long_for_a_line_are_not_repeated(game: MemoryHarness, who: str) -> None:
    (answer,) = write(game, who, "flat b4, " + "so " * 100)
    assert 'send it again with "say" before it, on the first line.' in " ".join(answer.text.split())
    assert "  say" not in answer.text


@pytest.mark.parametrize("who", [ADA, BEN])
def test_in_a_relay_game_nobody_knows_what_can_be_played(harness: MemoryHarness, who: str) -> None:
    harness.begin("5 relay")
    (answer,) = write(harness, who, "Sb4")
    assert "as a move, this can't be played now" not in answer.text
    assert "not your turn" not in answer.text
    assert offered(answer.text)[-1] == "say Sb4"
