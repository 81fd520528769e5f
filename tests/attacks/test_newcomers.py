"""I forge mails in the name of somebody who has just begun to write: their own mails are answered all the same."""

from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.limits.letters import RateLimits
from tests.support.memory_harness import PLAIN, MemoryHarness
from tests.support.players import ADA, Received, said
from tests.support.width import combined

NEW = "Someone <someone@example.net>"
ADDRESS = "someone@example.net"
FEW = replace(PLAIN, rates=RateLimits(unproven_answers_per_hour=8))
WORDS = ("help", "rules", "hello", "seeks", "new 5 vs ben@example.org")


@pytest.fixture
def harness() -> MemoryHarness:
    """A takmail to which the newcomer has written nothing."""
    return MemoryHarness(services=FEW, confirms=False)


KINDS = {"nobody": ["help"], "player": ["name Nora"], "seeks": ["help", "seek 5"]}
"""What a newcomer of each kind has written."""


@pytest.fixture(params=KINDS)
def newcomer(harness: MemoryHarness, request: pytest.FixtureRequest) -> MemoryHarness:
    """The newcomer has answered a letter, and is a player or not."""
    (letter,) = harness.send(NEW, "hello")
    for words in KINDS[request.param]:
        (letter,) = harness.send(NEW, words, letter)
    harness.now += timedelta(hours=2)
    return harness


def forge(harness: MemoryHarness, mails: int) -> list[Received]:
    """Send forged mails within half an hour, and return the letters to the newcomer."""
    found = []
    for number in range(mails):
        found += harness.send(NEW, f"{WORDS[number % len(WORDS)]}\n{number}")
        harness.now += timedelta(minutes=30) / mails
    return found


@pytest.mark.parametrize(
    ("newcomer", "words", "mails"),
    combined(KINDS, ["help", "rules", "seeks", "hello", "new 5 vs nora@example.org", "seek 6"], [5, 12]),
    indirect=["newcomer"],
)
def test_an_answer_to_a_letter_is_answered_whatever_i_forge(
    newcomer: MemoryHarness, mails: int, words: str
) -> None:
    own = newcomer.last(ADDRESS)
    newcomer.now += timedelta(days=1)  # nobody has heard anything from here today
    forge(newcomer, mails)
    assert ADDRESS in [one.to for one in newcomer.send(NEW, words, own)]


@pytest.mark.parametrize(
    ("newcomer", "words"),
    combined(KINDS, ["help", "rules", "seeks", "new 5 vs nora@example.org", "seek 6"]),
    indirect=["newcomer"],
)
def test_a_new_mail_is_answered_after_five_forged_ones(newcomer: MemoryHarness, words: str) -> None:
    forge(newcomer, 5)
    assert [one.to for one in newcomer.send(NEW, words)] == [ADDRESS]


def test_a_new_mail_brings_everything_to_who_has_answered_once(newcomer: MemoryHarness) -> None:
    (answer,) = newcomer.send(NEW, "help all")
    assert "What you can write, each on a line of its own" in said(answer)


def test_who_looks_around_is_answered_each_time(harness: MemoryHarness) -> None:
    (letter,) = harness.send(NEW, "help")
    for number in range(FEW.rates.unproven_answers_per_hour):
        (letter,) = harness.send(NEW, f"{WORDS[number % 2]}\n{number}", letter)
        assert "Many mails have come" not in said(letter)


def test_before_any_answer_five_an_hour_are_answered(harness: MemoryHarness) -> None:
    """Nothing tells the newcomer's mails from mine, but each of the letters can be answered."""
    heard = forge(harness, 8)
    assert len(heard) == 5
    (answer,) = harness.send(NEW, "help all", heard[0])
    assert "What you can write, each on a line of its own" in said(answer)


def test_what_i_forge_after_they_have_answered_is_limited_like_a_player_s(newcomer: MemoryHarness) -> None:
    assert len(forge(newcomer, 14)) <= newcomer.services.rates.unproven_answers_per_hour


def test_a_robot_that_answers_without_a_command_gets_four_letters(harness: MemoryHarness) -> None:
    letters = harness.send(NEW, "I read mails on Monday.")
    for number in range(10):
        letters += harness.send(NEW, f"I read mails on Monday. {number}", letters[-1])
        harness.now += timedelta(hours=6)
    assert len(letters) == 4


def test_a_robot_with_other_words_each_time_gets_four_letters_a_day(harness: MemoryHarness) -> None:
    letters = harness.send(NEW, "Your case is open.")
    for word in "abcdefghijklmnopqrst":
        harness.now += timedelta(hours=1)
        letters += harness.send(NEW, f"Our agent {word * 5} has read of {word * 7}.", letters[-1])
    assert len(letters) == 4
    assert [one.says("only_lines_are_answered_today") for one in letters] == [False] * 3 + [True]
    assert harness.send(NEW, "help all", letters[-1])


def test_what_i_write_in_their_name_brings_one_welcome_a_day(harness: MemoryHarness) -> None:
    assert [len(harness.send(NEW, words)) for words in ("hello", "yes", "ok more please")] == [1, 0, 0]


def test_what_is_remembered_names_nobody_and_goes_with_what_i_forge(newcomer: MemoryHarness) -> None:
    forge(newcomer, 10)
    assert all(len(one.digest) == 64 for one in newcomer.memory.remembered)
    assert ADDRESS not in str(newcomer.memory.remembered)
    assert len(newcomer.memory.remembered) <= 1


def test_it_helps_no_other_address(newcomer: MemoryHarness) -> None:
    (letter,) = newcomer.send(f"Ada <{ADA}>", "help")
    assert letter.wants_it_again
