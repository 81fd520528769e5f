"""A player who hears of an event without a seat in its game reads what the players did, each by name."""

import pytest

from takmail.world import PlayerId, World, events
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, said

GUS = "gus@example.org"


@pytest.fixture
def harness(harness: MemoryHarness, monkeypatch: pytest.MonkeyPatch) -> MemoryHarness:
    """Let Gus hear of each turn in all games."""
    harness.send(f"Gus <{GUS}>", "seek 5")
    (gus,) = {owner for owner in harness.memory.players if harness.memory.players[owner].addresses == (GUS,)}
    told = events.TurnPlayed.audience

    def audience(event: events.TurnPlayed, world: World) -> tuple[PlayerId, ...]:
        return (*told(event, world), gus)

    monkeypatch.setattr(events.TurnPlayed, "audience", audience)
    return harness


def news(harness: MemoryHarness, *moves: str, words: str = "5") -> list[str]:
    """Play these moves. Return what Gus hears of each."""
    harness.begin(words)
    heard = []
    for number, move in enumerate(moves):
        who = (ADA, BEN)[number % 2]
        letters = harness.send(f"{who[:3].capitalize()} <{who}>", move, harness.last(who))
        heard += [said(letter) for letter in letters if letter.to == GUS]
    return heard


def test_turns_of_tak(harness: MemoryHarness) -> None:
    moves = ("ps a1", "ps e5", "ps b1", "pw b2", "pc c2", "ps a2", "mw c2", "ms a2", "ps c1", "mn a3")
    told = (
        "Ada places a flat of Ben's (Black) on A1.",
        "Ben places a flat of Ada's (White) on E5.",
        "Ada places a flat on B1.",
        "Ben places a wall on B2.",
        "Ada places a capstone on C2.",
        "Ben places a flat on A2.",
        "Ada's capstone moves C2 to B2 and flattens Ben's wall.",
        "Ben's flat moves A2 to A3.",
        "Ada places a flat on C1.",
        "Ben's flat moves A3 to A2.",
    )
    letters = news(harness, *moves)
    assert [words for words, letter in zip(told, letters, strict=True) if words not in letter] == []
    assert "Ben (Black): 1" in letters[-1]
    assert "Ada (White), to move: 1" in letters[-1]


def test_a_road_is_whose_it_is(harness: MemoryHarness) -> None:
    moves = ("ps a1", "ps e5", "ps e4", "ps a2", "ps e3", "ps a3", "ps e2", "ps a4", "ps e1")
    assert "Ada wins with a road. Result: R-0" in news(harness, *moves)[-1]


def test_a_capture_of_tzaar(harness: MemoryHarness) -> None:
    capture, both = news(harness, "c a5 a4", "c a3 a4\ns a2 b3", words="tzaar fixed")
    assert "Ada captures Ben's Tott on A4 from A5." in capture
    assert "Ben captures Ada's Tott on A4 from A3. Then Ben stacks A2 on B3, now a Tott of height 2." in both


def test_moves_that_are_passed_on(harness: MemoryHarness) -> None:
    told = news(harness, "ps a1", words="5 relay")
    assert [words in told[0] for words in ('Ada sends "ps a1" as turn 1', "White: Ada. Black: Ben.")] == [
        True,
        True,
    ]


def test_a_move_in_an_answer_is_played_in_no_other_game(harness: MemoryHarness) -> None:
    harness.send(f"Gus <{GUS}>", "new 5 vs ben@example.org first=me")
    harness.send(f"Ben <{BEN}>", "yes", harness.last(BEN))
    news(harness, "ps a1")
    (answer,) = harness.send(f"Gus <{GUS}>", "ps b4", harness.last(GUS))
    assert answer.to == GUS
    assert "you have no game #2" in said(answer)
