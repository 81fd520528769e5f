"""Threads of letters that are quoted without markers."""

from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN


def begun(harness: MemoryHarness) -> tuple[str, str]:
    """Play three turns. Return the text of Ben's newest letter, and of the one before that reported a move."""
    harness.begin_and_play("ps a1")
    older = harness.last(BEN).text
    harness.play("ps c3", "ps b4", start=1)
    return harness.last(BEN).text, older


def test_an_older_letter_below_the_answered_one_is_not_heard(harness: MemoryHarness) -> None:
    newest, older = begun(harness)
    letters = harness.send(f"Ben <{BEN}>", f"ps d4\n\n{newest}\n\n{older}", harness.last(BEN), quoting=False)
    assert turns(harness)[3:] == ["ps d4"]
    assert all(" writes:" not in letter.text for letter in letters)


def test_with_nothing_typed_above_them_nothing_is_played(harness: MemoryHarness) -> None:
    newest, older = begun(harness)
    harness.send(f"Ben <{BEN}>", f"{newest}\n\n{older}", harness.last(BEN), quoting=False)
    assert len(turns(harness)) == 3


def test_a_letter_is_known_by_the_seat_too(harness: MemoryHarness) -> None:
    newest, _ = begun(harness)
    last = harness.last(BEN)
    letters = harness.send(f"Ben <{BEN}>", f"ps d4\nHello\n\n{newest}", last, quoting=False, threaded=False)
    assert turns(harness)[3:] == ["ps d4"]
    news = next(letter for letter in letters if letter.to == ADA)
    assert "Hello" in news.text
    assert news.text.count("A B C D E") == 1
