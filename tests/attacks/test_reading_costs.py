"""No kind of line makes a mail much more costly to read than a mail of words, whoever writes it."""

from functools import cache

import pytest

from takmail.limits.words import MAX_CAREFUL_LINES
from tests.support.costly import KINDS, ORDINARY, SITUATIONS, Situation, mail_of
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA
from tests.support.tables import each_row
from tests.support.width import combined, some_of

MOST_CALLS = 600_000
"""The maximum number of function calls for 16,000 characters. A player's mail of one move takes some 2,000."""


@cache
def situation_of(name: str) -> Situation:
    situation = Situation(name)
    situation.calls(ORDINARY)  # tables and templates are made on their first use
    return situation


@each_row(("situation", "kind"), combined(some_of(SITUATIONS, 2), some_of(KINDS, 2)))
def test_reading_costs_little(situation: str, kind: str) -> None:
    read, mail = situation_of(situation), mail_of(KINDS[kind]())
    # What is made once for all mails, and kept, counts in the first of them.
    assert read.calls(mail) < MOST_CALLS or read.calls(mail) < MOST_CALLS


@pytest.mark.parametrize("kind", ["chinese run", "orders and chinese words"])
def test_what_is_answered_costs_little_more(kind: str) -> None:
    situation, mail = situation_of("Tak"), mail_of(KINDS[kind]())
    assert any(situation.all_calls(mail) < 2 * MOST_CALLS for _ in range(2))


@pytest.fixture
def begun() -> MemoryHarness:
    harness = MemoryHarness()
    harness.begin()
    return harness


def test_below_many_lines_an_order_in_its_exact_form_is_done(begun: MemoryHarness) -> None:
    words = "It is a fine day.\n" * (2 * MAX_CAREFUL_LINES)
    begun.send(f"Ada <{ADA}>", f"{words}ps a1", begun.last(ADA))
    assert turns(begun) == ["ps a1"]


def test_below_many_lines_a_faulty_order_behind_a_mark_is_answered(begun: MemoryHarness) -> None:
    words = "It is a fine day.\n" * (2 * MAX_CAREFUL_LINES)
    begun.send(f"Ada <{ADA}>", f"{words}/name {'x' * 60}", begun.last(ADA))
    assert "a name has at most 40 characters" in begun.last(ADA).text


@pytest.mark.parametrize(("lines", "is_asked"), [(1, True), (2 * MAX_CAREFUL_LINES, False)])
def test_below_many_lines_what_is_like_an_order_is_words(
    begun: MemoryHarness, lines: int, *, is_asked: bool
) -> None:
    words = "It is a fine day.\n" * lines
    begun.send(f"Ada <{ADA}>", f"{words}flat a1", begun.last(ADA))
    assert ("MeaningAsked" in begun.happened) is is_asked
    assert turns(begun) == []
