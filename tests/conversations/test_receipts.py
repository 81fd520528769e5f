"""`receipts`: each player chooses whether a mail that is only a move is answered."""

import pytest

from takmail.commands.grammar.commands import Receipts, Unclear
from takmail.commands.grammar.forms import read
from takmail.games.registry import GAMES
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received

SOMEONE = "someone@example.net"


def said(letter: Received) -> str:
    return " ".join(letter.text.split())


def ada(harness: MemoryHarness, words: str) -> Received:
    return harness.send(f"Ada <{ADA}>", words, harness.last(ADA))[0]


def wants_none(harness: MemoryHarness, address: str) -> bool:
    player = harness.memory.player_by_address(address)
    return player is not None and player.wants_no_receipts


@pytest.mark.parametrize("word", ["off", "OFF"])
def test_what_a_player_wants_is_remembered_for_them_alone(harness: MemoryHarness, word: str) -> None:
    harness.begin()
    assert "Done: from now on a move that was played gets no answer" in said(ada(harness, f"receipts {word}"))
    assert (wants_none(harness, ADA), wants_none(harness, BEN)) == (True, False)
    assert "Done: from now on you get an answer" in said(ada(harness, "receipts on"))
    assert not wants_none(harness, ADA)


@pytest.mark.parametrize(
    ("first", "told"), [("receipts off", "gets no answer if your mail"), ("receipts on", "You get an answer")]
)
def test_receipts_alone_tells_what_holds_and_what_can_be_chosen(
    harness: MemoryHarness, first: str, told: str
) -> None:
    harness.begin()
    ada(harness, first)
    answer = said(ada(harness, "receipts"))
    assert told in answer
    assert '"receipts on" brings an answer to each of your moves, and "receipts off"' in answer


@pytest.mark.parametrize("words", ["receipts never", "/receipts off and on"])
def test_what_is_neither_is_answered_with_what_can_be_chosen(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    answer = said(ada(harness, words))
    assert f'Not done: I know no "{words.removeprefix("/")}". "receipts on" brings' in answer
    assert not wants_none(harness, ADA)


def test_a_mistyped_one_is_answered_with_what_is_meant(harness: MemoryHarness) -> None:
    harness.begin()
    answer = said(ada(harness, "reciepts off"))
    assert "receipts off" in answer
    assert not wants_none(harness, ADA)


@pytest.mark.parametrize(
    ("line", "first", "expected"),
    [
        ("receipts", False, Receipts(None)),
        ("Receipts OFF", False, Receipts(False)),
        ("/receipts on", False, Receipts(True)),
        ("receipts never", True, Unclear("receipts_what", "never")),
        ("receipts never", False, None),
        ("Receipts from the shop", True, None),
    ],
)
def test_a_line_is_meant_or_it_is_chat(line: str, first: bool, expected: object) -> None:
    assert read(line, first, GAMES) == expected


def test_a_mail_that_anybody_may_have_written_changes_nothing_before_the_yes(harness: MemoryHarness) -> None:
    harness.begin()
    harness.confirms = False
    (asked,) = harness.send(f"Ada <{ADA}>", "receipts off")
    assert asked.asks_who
    assert not wants_none(harness, ADA)
    harness.send(f"Ada <{ADA}>", "yes", asked)
    assert wants_none(harness, ADA)


def test_to_ask_what_holds_needs_no_yes(harness: MemoryHarness) -> None:
    harness.begin()
    harness.confirms = False
    (answer,) = harness.send(f"Ada <{ADA}>", "receipts")
    assert "You get an answer to each of your moves." in said(answer)


def test_who_has_never_played_can_say_it_too(harness: MemoryHarness) -> None:
    (answer,) = harness.send(f"Someone <{SOMEONE}>", "receipts off")
    assert "Done: from now on a move that was played gets no answer" in said(answer)
    assert wants_none(harness, SOMEONE)


def test_who_leaves_for_good_leaves_it_behind(harness: MemoryHarness) -> None:
    harness.begin()
    ada(harness, "receipts off")
    ada(harness, "forget me")
    ada(harness, "yes")
    assert not any(one.wants_no_receipts for one in harness.memory.players.values())
