"""`im` and `why` tell the verdict first, and all that they tell of a turn is short, even on the largest board."""

import pytest

from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received
from tests.support.scenes import played_once
from tests.support.width import combined

MAX_LINES = 40
"""The maximum number of lines of a verdict with all that belongs to it."""

TALL = """propose board white
csSsSsSsSsSsS S s 0 0 s S W
sS sSs W sSs sSsS sS sSs sS
0 0 0 0 0 0 0 S
0 0 0 0 0 0 0 S
0 0 0 0 0 0 0 S
0 0 0 0 0 0 0 S
0 0 0 0 0 0 0 S
0 0 0 0 0 0 0 0"""

LONGEST = "me a1 p8 1 1 1 1 1 1 2"
"""A move that crosses the whole board, up to a wall that two pieces can't flatten."""
FLATTENING = "me a1 p8 2 1 1 1 1 1 1"
"""A move that crosses the whole board and flattens the wall at its end."""


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """A game on 8x8 between players with long names, with tall stacks; it is Ada's turn."""
    harness.send(ADA, f"/name {'Ada ' * 9}A")
    harness.begin_and_play("ps a1", "ps h8", words="8")
    harness.send(BEN, f"/name {'Ben ' * 9}B", harness.last(BEN))
    harness.send(ADA, TALL, harness.last(ADA))
    harness.send(BEN, "agree", harness.last(BEN))


def told(letter: Received) -> list[str]:
    """Return the lines of a letter above its board, without the blank line between."""
    return letter.lines[: letter.lines.index("Now the board is:") - 1]


def answers(harness: MemoryHarness, who: str, words: str) -> list[Received]:
    return harness.send(who, words, harness.last(who))


@pytest.mark.parametrize(
    ("move", "who"), combined([LONGEST, FLATTENING, "ps a1", "me a1 p9 9", "mn a1 p8 8"], [ADA, BEN])
)
def test_an_attempt_begins_with_the_verdict_and_is_short(game: MemoryHarness, who: str, move: str) -> None:
    (answer,) = answers(game, who, f"why {move}")
    lines = told(answer)
    assert lines[1].startswith(f"As turn 4, {move} would ")
    assert any(line.startswith("Tak rules, ") for line in lines[3:7])
    assert len(lines) <= MAX_LINES


def test_a_disputed_turn_begins_with_the_verdict_and_is_short(game: MemoryHarness) -> None:
    game.play(FLATTENING, start=2)
    letters = [*answers(game, BEN, "im that was no move"), *answers(game, ADA, "im my slip")]
    letters += [*answers(game, ADA, "why"), *answers(game, BEN, "why 4")]
    assert len(letters) == 6
    for letter in letters:
        lines = told(letter)
        assert lines[1 if lines[0].startswith("You wrote") else 2].startswith("Turn 4 by Ada Ada")
        assert any(line.startswith("Tak rules, Flattening Walls") for line in lines[:6])
        assert len(lines) <= MAX_LINES


def test_an_older_turn_is_short_too(game: MemoryHarness) -> None:
    game.play(FLATTENING, "ps h2", start=2)
    for letter in (*answers(game, ADA, "why 4"), *answers(game, BEN, "im #4 what is that?")):
        assert "The board before it:" in letter.lines
        assert len(told(letter)) <= MAX_LINES
