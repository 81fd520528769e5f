"""The HTML side of every letter is short, or the letter has only text."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from takmail.letters import written
from takmail.limits.letters import MAX_HTML_BYTES, MAX_SHOWN_IN_ANSWER, MOST_BOARDS
from takmail.world.kinds import LetterView
from tests.support.examples import examples
from tests.support.links import links
from tests.support.memory_harness import BOTH_SIDES, PLAIN, MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once
from tests.support.width import IS_WIDE, tenth_of

CHAT = {
    "Chinese": "雨在下，我们下棋。" * 500,
    "Russian": "добрый день, " * 400,
    "marks": "\"<&>' " * 800,
    "lines": "ab\n" * 1_500,
}
ASKED = st.one_of(
    st.sampled_from(["log", "ptn", "rs", "rules", "moves", "match", "games", "help", "draw", "me a1"]),
    st.builds("{} {}".format, st.sampled_from(["show", "why"]), st.integers(0, 242)),
    st.builds("moves {}{}".format, st.sampled_from("abcdefgh"), st.integers(1, 8)),
    st.sampled_from(sorted(CHAT.values())),
)


SQUARES = [f"{letter}{row}" for row in range(1, 9) for letter in "abcdefgh"]
PLACED = [f"p{'s' if at < 2 or at % 3 else 'w'} {square}" for at, square in enumerate(SQUARES[:48])]
TO_AND_FRO = ["ps a8", "ps h8", *(["mn a8 p1 1", "mn h8 p1 1", "ms a7 p1 1", "ms h7 p1 1"] * 60)]
TURNS = (PLACED + TO_AND_FRO)[:240]


@played_once
def long_game(harness: MemoryHarness) -> None:
    """A game of Ada's on 8x8 with 240 turns. Most squares are full, and two flats move back and forth."""
    harness.begin("8")
    harness.put_turns(TURNS)


def answer_to(harness: MemoryHarness, words: str) -> Received:
    """Return the answer to Ada, and check its length."""
    harness.send(ADA, words, harness.last(ADA))
    short(harness)
    return harness.last(ADA)


def boards(letter: Received) -> int:
    """Return the number of boards that a letter shows as tables of pictures."""
    return letter.html.count('alt="A1: ')


def short(harness: MemoryHarness) -> None:
    for letter in harness.box:
        assert len(letter.html.encode()) <= MAX_HTML_BYTES
        assert boards(letter) <= MOST_BOARDS[0].pictures
        assert {f"cid:{cid}" for cid in letter.pictures} == set(re.findall(r'src="([^"]*)"', letter.html))
        assert letter.text


@pytest.mark.parametrize("words", ["show", "why"])
def test_many_boards_are_a_short_letter_with_a_few_pictures(words: str) -> None:
    asked = "\n".join(f"{words} {turn}" for turn in range(200, 240))
    answer = answer_to(long_game(MemoryHarness(services=BOTH_SIDES)), asked)
    assert boards(answer) == MOST_BOARDS[0].pictures
    assert said(answer).count("You wrote:") == 40
    assert said(answer).count("in another mail") == 40 - MAX_SHOWN_IN_ANSWER
    assert len(answer.text) < 60_000


@pytest.mark.parametrize("words", ["log", "moves\nmoves d4", "moves\nmoves d1\nmoves e1", "rules\nlog"])
def test_what_is_long_is_a_short_letter(words: str) -> None:
    answer = answer_to(long_game(MemoryHarness(services=BOTH_SIDES)), words)
    assert answer.text.count("You wrote:") == len(words.splitlines())


@played_once
def opened(harness: MemoryHarness) -> None:
    harness.begin_and_play("ps a1", "ps h8", words="8")


@pytest.mark.parametrize("chat", tenth_of(CHAT))
def test_long_words_take_from_the_links(chat: str) -> None:
    harness = opened(MemoryHarness(services=BOTH_SIDES))
    few = len(links(harness.last(ADA)))
    harness.send(BEN, CHAT[chat], harness.last(BEN))
    harness.send(ADA, "ps d4", harness.last(ADA))
    harness.send(BEN, f"ps e5\n\n{CHAT[chat]}", harness.last(BEN))
    short(harness)
    letter = harness.last(ADA)
    assert 4 < len(links(letter)) <= few
    assert CHAT[chat][:2] in letter.text


@pytest.mark.parametrize("view", [LetterView.HTML, LetterView.BOTH])
def test_what_is_too_long_without_links_is_text_alone(
    view: LetterView, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness = MemoryHarness(services=replace(PLAIN, letter_view=view))
    harness.begin("5")
    monkeypatch.setattr(written, "MAX_HTML_BYTES", 4_000)
    (answer,) = harness.send(ADA, "show", harness.last(ADA))
    assert (answer.html, answer.pictures) == ("", {})
    assert "The board after turn 0" in said(answer)


@settings(max_examples=examples(15 if IS_WIDE else 4, 150))
@given(st.lists(ASKED, min_size=1, max_size=20))
def test_any_mixture_is_a_short_letter(words: list[str]) -> None:
    answer_to(long_game(MemoryHarness(services=BOTH_SIDES)), "\n".join(words))
