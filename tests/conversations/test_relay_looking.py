"""What a relay game shows on request: how far its moves are legal."""

import pytest

from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.relays import write
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def relay(harness: MemoryHarness) -> None:
    """Ada, White, and Ben have begun a relay game on 5x5."""
    harness.begin("5 relay")


def test_show_tells_how_far_the_moves_keep_the_rules_to_who_asks(relay: MemoryHarness) -> None:
    relay.play("ps a1", "ps e5", "pw a1", "ps c3")
    (answer,) = write(relay, ADA, "show")
    assert "up to turn 2; turn 3 (pw a1, by Ada) breaks them: A1 is not empty" in said(answer)
    assert "S 0 0 0 0 0 0 0 0 0 0 0 0 0 0" in said(answer)
    (answer,) = write(relay, ADA, "show 2")
    assert "All moves up to there keep the rules" in said(answer)
    (answer,) = write(relay, ADA, "show 9")
    assert "there is no turn 9" in said(answer)


@pytest.mark.parametrize("line", ["why", "why 2", "why ps b1", "moves", "moves c3"])
def test_no_single_move_is_judged(relay: MemoryHarness, line: str) -> None:
    relay.play("ps a1", "ps e5", "pw a1")
    (answer,) = write(relay, BEN, line)
    assert "I can't tell what can be played, or whether a move is right" in said(answer)
    assert "A1 is not empty" not in said(answer)


def test_of_two_moves_in_a_row_the_later_counts(relay: MemoryHarness) -> None:
    write(relay, ADA, "pw a1")
    write(relay, ADA, "ps a1")
    write(relay, BEN, "ps e5")
    (answer,) = write(relay, ADA, "show")
    assert "All moves keep the rules" in said(answer)
    (answer,) = write(relay, ADA, "ptn")
    assert "1. a5 e1 {Turn 1, given up as another one was sent in its place: Sa5}" in said(answer)


def test_who_begins_out_of_turn_breaks_the_rules_and_nothing_else(relay: MemoryHarness) -> None:
    write(relay, BEN, "ps e5")
    (answer,) = write(relay, BEN, "show\nptn\nlog")
    assert "Turn 1 (ps e5, by Ben) breaks the rules: by them it was the other one's turn" in said(answer)
    assert "the one who plays second began" in said(answer)


def test_moves_that_no_rule_allows_are_still_written_down(relay: MemoryHarness) -> None:
    relay.play("pc a1", "mn e5 p9 9", "pw a1 t")
    (answer,) = write(relay, ADA, "ptn")
    assert "1. Ca5 9e1+" in said(answer)


def test_a_list_of_games_says_who_is_to_write(relay: MemoryHarness) -> None:
    write(relay, ADA, "ps a1")
    (answer,) = write(relay, BEN, "games")
    assert "with Ada (5x5 relay): you are to write" in said(answer)
