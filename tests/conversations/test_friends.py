"""Two friends who answer each other at once, with words beside each move: nothing is asked, held or lost."""

from datetime import timedelta
from itertools import cycle

import pytest

from takmail.limits.letters import RateLimits
from takmail.limits.words import MAX_TEXTS_IN_A_ROW
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.width import tenth_of

NAMES = {ADA: "Ada", BEN: "Ben"}
OTHER = {ADA: BEN, BEN: ADA}


def moves(count: int) -> list[str]:
    """Return turns of a long game on 6x6: placements, then stones that walk back and forth in opposite corners."""
    places = ["ps a1", "ps f6", "ps e6", "ps b1"]
    white, black = cycle(["mw e6 p1 1", "me d6 p1 1"]), cycle(["me b1 p1 1", "mw c1 p1 1"])
    return [*places, *(next(one) for _ in range(count) for one in (white, black))][:count]


WORDS = {
    "the same beside each move": lambda _: "Your turn :)",
    "a few": lambda number: ("ok", "Thanks!", "haha", "Good one.")[number % 4],
    "always others": lambda number: f"That was a nice move, and this is my answer number {number}.",
    "none": lambda _: "",
}
NONE, OWN, PHONES = "", "\n-- \nAda & Ben\nThe two of us", "\n\nSent from my iPhone"


@pytest.mark.parametrize(("words", "signature"), tenth_of(zip(WORDS, [OWN, PHONES, NONE, OWN], strict=True)))
def test_many_moves_with_words_beside_them(harness: MemoryHarness, words: str, signature: str) -> None:
    harness.change(rates=RateLimits(unproven_answers_per_hour=6, chat_letters_per_hour=6))
    harness.begin("6")
    played = moves(24)
    for number, move in enumerate(played):
        who = (ADA, BEN)[number % 2]
        harness.now += timedelta(seconds=7)
        said_now = WORDS[words](number)
        text = f"Hi {NAMES[OTHER[who]]},\n\n{move}\n\n{said_now}{signature}"
        answer, news = harness.send(f"{NAMES[who]} <{who}>", text, harness.last(who))
        assert (answer.to, news.to) == (who, OTHER[who])
        assert news.lines[0] == move
        assert said_now in said(news)
    assert turns(harness) == played
    assert {state for state, _ in harness.notes[3:]} == {"played"}


def chat(harness: MemoryHarness, who: str, words: str) -> list[Received]:
    harness.now += timedelta(seconds=7)
    return harness.send(f"{NAMES[who]} <{who}>", f"Hi {NAMES[OTHER[who]]},\n\n{words}", harness.last(who))


def test_words_without_a_move_between_the_moves(harness: MemoryHarness) -> None:
    harness.begin("6")
    for number, move in enumerate(moves(MAX_TEXTS_IN_A_ROW // 2 + 1)):
        who = (ADA, BEN)[number % 2]
        for writer in (who, OTHER[who]):
            _, news = chat(harness, writer, f"Thought {number} while I wait")
            assert f"Thought {number}" in said(news)
        harness.send(f"{NAMES[who]} <{who}>", move, harness.last(who))
        harness.now += timedelta(minutes=4)
    assert turns(harness) == moves(MAX_TEXTS_IN_A_ROW // 2 + 1)


@pytest.mark.parametrize("words", tenth_of(["ok", "Thanks!", "your turn :)"]))
def test_friendly_words_may_come_again(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    for move in ("ps a1", "ps e5", "ps b1", "ps d5"):
        who = harness.table().to_move
        writer = (ADA, BEN)[who]
        harness.send(f"{NAMES[writer]} <{writer}>", move, harness.last(writer))
        for _ in range(2):
            letters = chat(harness, OTHER[writer], words)
            assert [one.to for one in letters] == [OTHER[writer], writer]
            assert f"| {words}" in letters[1].text
            assert "automatic" not in letters[0].text + letters[1].text
    assert "| Something else" in chat(harness, ADA, "Something else")[1].text
