"""A forged mail makes takmail write to its victim: the letter is short, text only, and helps whoever really wrote."""

from collections.abc import Callable

import pytest

from tests.support.memory_harness import BOTH_SIDES, MemoryHarness
from tests.support.players import ADA, BEN, Received, said
from tests.support.width import combined, some_of

VICTIM = "someone@example.net"
MOST_BYTES, MOST_LINES = 3_000, 20
WORDS = (
    "help",
    "help coins",
    "help no such word",
    "rules",
    "rules tzaar",
    "seeks",
    "games",
    "match Ben",
    "view",
    "rs",
    "ptn",
    "mydata",
    "ps a1",
    "0 0 0\n0 0 0\n0 0 0",
    "Hello, what is this?",
    "",
    "stop",
    "forget me",
    "name Buy Now",
    "yes",
    "acept",
    "new 9 vs ben@example.org",
    "new 5 komi=99 vs ben@example.org",
    "seek",
    "propose",
    "help\nrules\nseeks\nhelp tzaar\nrules coins",
    "\n".join(f"new 5 komi={number} vs ben{'x' * 40}@example.org" for number in range(30)),
    "\n".join(["new 5", "acept", "seek 12", "join x", "view x", "help x"] * 5),
)


@pytest.fixture
def both() -> MemoryHarness:
    """A takmail whose letters have pictures. Nobody answers its questions."""
    harness = MemoryHarness(services=BOTH_SIDES)
    harness.send(f"Ada <{ADA}>", "seek 5")
    harness.confirms = False
    return harness


def check(letter: Received) -> None:
    """Check a letter to somebody who has never provably written."""
    assert len(letter.mail.as_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")) <= MOST_BYTES
    assert letter.mail.get_content_type() == "text/plain"
    assert len(letter.lines) <= MOST_LINES


@pytest.mark.parametrize("words", some_of(WORDS, 9))
def test_whatever_i_write_the_victim_gets_little(both: MemoryHarness, words: str) -> None:
    letters = both.send(VICTIM, words)
    assert [one.to for one in letters] == [VICTIM]
    check(letters[0])


@pytest.mark.parametrize("words", ["help", "hello", f"new 5 vs {BEN}"])
def test_not_even_if_my_mail_has_long_headers(both: MemoryHarness, words: str) -> None:
    long = [f"<{number}{'x' * 240}@{'y' * 240}.example>" for number in range(40)]
    mail = {"message_id": long[0], "References": " ".join(long), "subject": "z" * 5_000}
    (letter,) = both.send(f"{'n' * 3_000} <{VICTIM}>", words, **mail)
    check(letter)


@pytest.mark.parametrize("words", some_of(["help", "hello", f"new 5 vs {BEN}", "rules\n1"], 2))
def test_the_last_answer_of_the_hour_is_as_short(both: MemoryHarness, words: str) -> None:
    letters = [one for number in range(8) for one in both.send(VICTIM, f"{words} {number}")]
    assert letters
    for letter in letters:
        check(letter)


def accepts(harness: MemoryHarness) -> list[Received]:
    return harness.send(VICTIM, "accept")


def looks(harness: MemoryHarness) -> list[Received]:
    return harness.send(VICTIM, "#1 rs")


def talks(harness: MemoryHarness) -> list[Received]:
    return harness.send(VICTIM, f"#1 {'Hello! ' * 900}")


def forwards(harness: MemoryHarness) -> list[Received]:
    """Somebody to whom the guest has forwarded the invitation answers it."""
    return harness.send("friend@example.com", "accept\n" * 12, harness.last(VICTIM))


@pytest.mark.parametrize(
    ("how", "game"),
    combined([accepts, looks, talks, forwards], ["5", "tzaar", "5 rules=university", "8 komi=2 days=3"]),
)
def test_nor_does_a_guest_who_has_never_written(
    both: MemoryHarness, how: Callable[[MemoryHarness], list[Received]], game: str
) -> None:
    both.confirms = True
    both.send(f"Ada <{ADA}>", f"new {game} vs {VICTIM}")
    both.confirms = False
    letters = how(both)
    assert letters[0].to == VICTIM
    for letter in letters:
        check(letter)


def test_it_begins_with_what_somebody_without_an_opponent_can_do(both: MemoryHarness) -> None:
    (letter,) = both.send(VICTIM, "help")
    head = letter.text[: letter.text.index("new 5 vs")]
    assert [head.index(word) for word in ("seek 5", "seeks")] == sorted(
        head.index(word) for word in ("seek 5", "seeks")
    )
    assert len(head.splitlines()) <= 6


@pytest.mark.parametrize(
    ("words", "brings"),
    [
        ("help", "Ends all mail to you but answers"),
        ("help all", "What you can write, each on a line of its own"),
        ("rules", "capstone"),
        ("seeks", "join 1"),
        ("help new", "komi"),
    ],
)
def test_an_answer_with_the_same_word_brings_everything(both: MemoryHarness, words: str, brings: str) -> None:
    (letter,) = both.send(VICTIM, words)
    assert brings not in said(letter)
    (answer,) = both.send(VICTIM, words, letter)
    assert brings in said(answer)
    assert answer.html


@pytest.mark.parametrize("words", ["seek 5", "join 1", f"new 5 vs {BEN}"])
def test_an_answer_with_a_line_of_the_letter_does_it(both: MemoryHarness, words: str) -> None:
    (letter,) = both.send(VICTIM, "help")
    letters = both.send(VICTIM, words, letter)
    assert any(one.to == VICTIM and "Not done" not in said(one) for one in letters)


def test_what_can_not_be_done_is_told_at_once(both: MemoryHarness) -> None:
    (letter,) = both.send(VICTIM, f"new 9 vs {BEN}\nhelp\nrules")
    assert "sizes go from 3 to 8" in said(letter)
    assert "Not tried" not in letter.text
