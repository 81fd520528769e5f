"""`turn`: whose turn it is, since when, and what the last turn was."""

from datetime import timedelta

import pytest

from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, said
from tests.support.proposals import ada, ben


@pytest.fixture
def harness() -> MemoryHarness:
    harness = MemoryHarness()
    harness.begin()
    return harness


def test_nobody_has_played_yet(harness: MemoryHarness) -> None:
    (answer,) = ada(harness, "turn")
    assert "You wrote: turn It is your turn. No turn has been played yet." in said(answer)
    (answer,) = ben(harness, "turn")
    assert "You wrote: turn It is Ada's turn. No turn has been played yet." in said(answer)


def test_it_says_since_when_and_what_was_played(harness: MemoryHarness) -> None:
    harness.play("ps a1", "ps e5")
    harness.now += timedelta(days=3)
    since = "since Saturday 21 November, 12:00 UTC. The last turn was turn 2,"
    (answer,) = ada(harness, "turn")
    assert f"It is your turn, {since} Ben's (ps e5)." in said(answer)
    (answer,) = ben(harness, "turn")
    assert f"It is Ada's turn, {since} yours (ps e5)." in said(answer)


def test_a_turn_of_the_same_mail_was_played_now(harness: MemoryHarness) -> None:
    harness.play("ps a1", "ps e5")
    harness.now += timedelta(days=3)
    ada(harness, "ps c3\nturn")
    assert "since Tuesday 24 November, 12:00 UTC. The last turn was turn 3, yours (ps c3)." in said(
        harness.last(ADA)
    )


def test_a_turn_that_was_taken_back_counts(harness: MemoryHarness) -> None:
    harness.play("ps a1", "ps e5")
    harness.now += timedelta(days=3)
    ben(harness, "undo")
    ada(harness, "agree")
    harness.now += timedelta(days=1)
    ada(harness, "turn")
    told = "It is Ben's turn, since Tuesday 24 November, 12:00 UTC. The last turn was turn 1, yours (ps a1)."
    assert told in said(harness.last(ADA))


def test_the_opponent_hears_nothing_of_it(harness: MemoryHarness) -> None:
    before = len(harness.box)
    ada(harness, "turn")
    assert [one.to for one in harness.box[before:]] == [ADA]


def test_it_is_nobodys_turn_in_a_game_that_is_over(harness: MemoryHarness) -> None:
    harness.play("ps a1", "ps e5")
    ada(harness, "resign")
    ada(harness, "yes")
    ben(harness, "turn")
    assert "The last turn was turn 2, yours (ps e5). The game is over. You win" in said(harness.last(BEN))


def test_a_relay_can_not_be_sure(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 relay vs {BEN} first=me")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    ada(harness, "ps a1")
    ada(harness, "turn")
    assert "It is Ben's turn, as far as I can tell, since Saturday 21 November" in said(harness.last(ADA))


@pytest.mark.parametrize("line", ["turn", "Turn?", "turn, please", "turn, and greetings to Nora"])
def test_it_is_asked_in_many_ways(harness: MemoryHarness, line: str) -> None:
    ada(harness, line)
    assert "No turn has been played yet." in said(harness.last(ADA))


@pytest.mark.parametrize("line", ["whose turn is it?", "Whose turn?", "чей ход?", "轮到谁了？"])
def test_other_words_for_it_are_understood(harness: MemoryHarness, line: str) -> None:
    ada(harness, line)
    assert "No turn has been played yet." in said(harness.last(ADA))


def test_it_needs_a_game_that_has_begun() -> None:
    harness = MemoryHarness()
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    (answer,) = ada(harness, "turn")
    assert "Not done" in said(answer)
