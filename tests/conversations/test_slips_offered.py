"""The answer to an attempt: the legal lines that it suggests, and how to send the text as chat."""

import pytest

from takmail.commands.attempts import playable
from takmail.games.interface import Attempt, Interpretation, State
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN
from tests.support.relays import write
from tests.support.scenes import played_once
from tests.support.tak import start, state

# White to move: an own stack of five at b2, one piece at d4, a wall at e5, Black's stack of two at a5.
MIDDLE = state("x5/x,21211,x3/x5/x3,1,x/12,x3,2S 1 12")
# White to move: its flat at a1 is enclosed by walls.
SHUT_IN = state("x5/x5/x5/2S,x4/1,2S,x3 1 5")
PLACED = "ps {0} pw {0} pc {0}"


@pytest.mark.parametrize(
    ("game", "text", "by_mail", "by_ptn"),
    [
        # Both squares are free.
        (MIDDLE, "flat c1", "ps c1", "ps c5"),
        # One square is taken, or the stack is another player's.
        (MIDDLE, "flat b4", "ps b4", ""),
        (MIDDLE, "flat b2", "", "ps b4"),
        (MIDDLE, "flat a1", "ps a1", ""),
        (MIDDLE, "Sb4", "ps b4 pw b4", ""),
        (MIDDLE, "a5", "", PLACED.format("a1")),
        (MIDDLE, "b4", PLACED.format("b4"), "mn b2 me b2 ms b2 mw b2"),
        # Moves of stacks, with and without counts.
        (MIDDLE, "d4 north", "mn d4", ""),
        (MIDDLE, "b2 up", "mn b2", ""),
        (MIDDLE, "3b2-21", "ms b2 p3 2 1", ""),
        (MIDDLE, "3b4-21", "", "ms b2 p3 2 1"),
        (MIDDLE, "move d2 up", "", "mn d4"),
        # A direction can tell which square is meant.
        (MIDDLE, "put my stone on b4 (the left one)", PLACED.format("b4"), ""),
        (MIDDLE, "my stone at c1, the left one", PLACED.format("c1"), PLACED.format("c5")),
        (MIDDLE, "flat c1 left", "ps c1", "ps c5"),
        (MIDDLE, "flat d4 north", "mn d4", "ps d2"),
        (MIDDLE, "b4 left", PLACED.format("b4"), "mw b2"),
        # Two squares.
        (MIDDLE, "flat b4 wall c3", "ps b4 pw c3", "pw c3"),
        (MIDDLE, "flat c1, b2", "ps c1", "ps c5 ps b4"),
        # In the first turns only a flat can be placed, and nothing moves.
        (start(5), "Sb4", "ps b4", ""),
        (start(5), "b4 left", "ps b4", "ps b2"),
        # If nothing is legal, everything is suggested.
        (MIDDLE, "flat b2 wall d4", "", "ps b4 pw d2"),
        (MIDDLE, "flat d4, a5", "", "ps d2 ps a1"),
        (MIDDLE, "move c3 up", "mn c3", None),
        (MIDDLE, "9c3>", "me c3", None),
        (start(5), "wall b4", "pw b4", "pw b2"),
        (start(3), "wall b2", "pw b2", None),
        (SHUT_IN, "a5 up", "mn a5", "mn a1"),
    ],
)
def test_of_the_readings_those_that_can_be_played_are_offered(
    game: State, text: str, by_mail: str, by_ptn: str | None
) -> None:
    tried = game.attempt(text)
    assert tried is not None
    offered = {one.how: " ".join(one.lines) for one in playable(tried, game).meant}
    assert offered == {how: lines for how, lines in (("mail", by_mail), ("ptn", by_ptn)) if lines}


def test_without_any_line_a_try_stays_as_it_is() -> None:
    tried = MIDDLE.attempt("z9")
    assert tried is not None
    assert playable(tried, MIDDLE) == tried
    foreign = Attempt((Interpretation("mail", ("good morning",)),))
    assert playable(foreign, MIDDLE) == foreign


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game of three turns; it is Ben's turn."""
    harness.begin()
    harness.play("ps a1", "ps e5", "ps c3")


def indented(text: str) -> list[str]:
    return [line for line in text.split("\nA B C D E")[0].splitlines() if line.startswith("  ")]


def test_what_is_offered_is_played_as_it_stands(game: MemoryHarness) -> None:
    (answer,) = write(game, BEN, "flat at c3, your turn")
    assert indented(answer.text) == ["  ps c3", "  say flat at c3, your turn"]
    (answer,) = write(game, BEN, "flat a1 wall d2")
    assert indented(answer.text) == ["  pw d2", "  ps a5   pw d4", "  say flat a1 wall d2"]
    write(game, BEN, indented(answer.text)[0].strip())
    assert turns(game)[-1] == "pw d2"


def test_the_reading_as_ptn_is_told_where_it_is_the_only_one(game: MemoryHarness) -> None:
    (answer,) = write(game, BEN, "flat a1")
    assert "If you mean it as in PTN" in answer.text
    assert indented(answer.text) == ["  ps a5", "  say flat a1"]
    (answer,) = write(game, BEN, "ptn: flat on b4")
    assert "To play it, answer with this line alone:" in answer.text


@pytest.mark.parametrize("who", [ADA, BEN])
@pytest.mark.parametrize(
    "words",
    [
        "flat b4",
        "please, I would like to place a flat stone of mine at b4",  # wider than what is left of the line before it
        "flat b4, " + "so " * 16 + "ok",
    ],
)
def test_the_line_with_say_is_one_line_to_send(game: MemoryHarness, who: str, words: str) -> None:
    (answer,) = write(game, who, words)
    line = indented(answer.text)[-1]
    assert line == f"  say {words}"
    _, news = write(game, who, line.strip())
    assert f"  | {words}\n" in news.text


@pytest.mark.parametrize("who", [ADA, BEN])
def test_words_that_are_too_long_for_a_line_are_not_repeated(game: MemoryHarness, who: str) -> None:
    (answer,) = write(game, who, "flat b4, " + "so " * 40)
    assert 'write "say" before them, on the first line.' in " ".join(answer.text.split())
    assert "  say" not in answer.text


@pytest.mark.parametrize("who", [ADA, BEN])
def test_in_a_relay_game_nobody_knows_what_can_be_played(harness: MemoryHarness, who: str) -> None:
    harness.begin("5 relay")
    (answer,) = write(harness, who, "Sb4")
    assert indented(answer.text) == ["  ps b4   pw b4", "  pw b2", "  say Sb4"]
    assert "not your turn" not in answer.text
