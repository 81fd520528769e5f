"""Mails of strangers that the operator's mail server has found out get no answer, and nobody else is silenced."""

from dataclasses import replace

import pytest

from tests.support.memory_harness import PLAIN, MemoryHarness, turns
from tests.support.players import ADA, BEN, Received
from tests.support.scenes import played_once
from tests.support.width import combined

NEW = "Someone <someone@example.net>"
RESULTS = "Authentication-Results"
FAIL = {RESULTS: "mx.example.test; dmarc=fail (p=none) header.from=example.net"}
REFUTED = {RESULTS: "mx.example.test; dmarc=fail (p=reject) header.from=example.net"}
PASS = {RESULTS: "mx.example.test; dmarc=pass header.from=example.net"}
SPAM = {"X-Spam-Flag": "YES"}
MARKS = [FAIL, REFUTED, SPAM, {"X-Spam-Status": "Yes, score=9"}, {"X-MS-Exchange-Organization-SCL": "6"}]
WORDS = [
    "help",
    "hello",
    "new 5 vs ben@example.org",
    "new 9 vs ben@example.org",
    "stop",
    "#1 rs",
    "/say hello",
]


VOUCHED = replace(PLAIN, authserv_id="mx.example.test")


@pytest.fixture
def harness() -> MemoryHarness:
    """Ada and Ben play, and Ada has invited somebody who has never written."""
    harness = invited(MemoryHarness(services=VOUCHED))
    harness.confirms = False
    return harness


@played_once
def invited(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", "new 4 vs guest@example.net", harness.last(ADA))


@pytest.mark.parametrize(("mark", "words", "who"), combined(MARKS, WORDS, [NEW, "guest@example.net"]))
def test_a_stranger_with_a_mark_gets_no_answer(
    harness: MemoryHarness, who: str, words: str, mark: dict[str, str]
) -> None:
    assert harness.send(who, words, **mark) == []
    assert harness.notes[-1][0] == "rejected"
    assert harness.notes[-1][1].startswith("a stranger's mail")


@pytest.mark.parametrize("words", WORDS)
def test_the_same_without_a_mark_is_answered(harness: MemoryHarness, words: str) -> None:
    assert harness.send(NEW, words) != []


@pytest.mark.parametrize(("mark", "threaded"), combined(MARKS, [True, False]))
def test_an_answer_to_a_letter_is_never_silenced(
    harness: MemoryHarness, mark: dict[str, str], threaded: bool
) -> None:
    (letter,) = harness.send(NEW, "hello")
    assert harness.send(NEW, "help", letter, threaded=threaded, **mark) != []
    invitation = harness.last("guest@example.net")
    assert harness.send("guest@example.net", "accept", invitation, threaded=threaded, **mark) != []


@pytest.mark.parametrize("mark", MARKS)
def test_who_has_provably_written_is_never_silenced(harness: MemoryHarness, mark: dict[str, str]) -> None:
    (letter,) = harness.send(NEW, "hello")
    harness.send(NEW, "help", letter)
    assert harness.send(NEW, "rules", **mark) != []
    assert harness.send(f"Ada <{ADA}>", "games", **mark) != []


@pytest.mark.parametrize("mark", [SPAM, FAIL])
def test_players_play_on_whatever_a_filter_says(harness: MemoryHarness, mark: dict[str, str]) -> None:
    for who, move in ((ADA, "ps a1"), (BEN, "ps e5"), (ADA, "ps b2")):
        harness.send(f"{who[:3]} <{who}>", move, game_letter(harness, who), **mark)
    assert turns(harness) == ["ps a1", "ps e5", "ps b2"]


@pytest.mark.parametrize(
    ("mark", "words", "who"), combined(MARKS, ["ps a1", "hello", "👍"], [NEW, "guest@example.net"])
)
def test_the_token_of_somebody_else_s_seat_excuses_no_stranger(
    harness: MemoryHarness, who: str, words: str, mark: dict[str, str]
) -> None:
    """Who plays has a token, and forges the names of strangers, who would be told what the address is."""
    for threaded in (True, False):
        assert harness.send(who, words, game_letter(harness, ADA), threaded=threaded, **mark) == []
        assert harness.notes[-1][1].startswith("a stranger's mail")


@pytest.mark.parametrize("words", ["ps a1", "hello"])
def test_the_player_or_a_friend_with_such_a_token_is_answered_without_a_mark(
    harness: MemoryHarness, words: str
) -> None:
    assert harness.send(NEW, words, game_letter(harness, ADA)) != []


def test_a_first_mail_that_is_proven_is_answered_though_a_filter_doubts_it(harness: MemoryHarness) -> None:
    assert harness.send(NEW, "help", **{**PASS, **SPAM}) != []


def test_a_fail_that_another_server_writes_silences_nobody(harness: MemoryHarness) -> None:
    other = {RESULTS: FAIL[RESULTS].replace("mx.example.test", "mx.example.net")}
    assert harness.send(NEW, "help", **other) != []


def game_letter(harness: MemoryHarness, who: str) -> Received:
    """Return the newest letter to a player about the first game."""
    return next(one for one in reversed(harness.box) if one.to == who and "#1]" in one.subject)
