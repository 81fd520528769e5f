"""Players' names differ from all others, contain no address, and are harmless wherever they are shown."""

import pytest

from takmail.limits.words import MAX_NAME_CHARS
from tests.support.memory_harness import MemoryHarness
from tests.support.players import ADA, BEN, Received, said

OTHER = "other@example.org"
SOMEONE = "someone@example.net"


def names(harness: MemoryHarness) -> list[str]:
    """Return the names of all players, in the order of registration."""
    return [one.name for one in harness.memory.players.values()]


def ada(harness: MemoryHarness, words: str) -> Received:
    return harness.send(f"Ada <{ADA}>", words, harness.last(ADA))[0]


def test_a_new_name_is_in_the_next_letter_to_the_opponent_and_the_subject_stays(
    harness: MemoryHarness,
) -> None:
    harness.begin()
    game = harness.last(ADA)
    answer = ada(harness, "name Countess")
    assert "you are called Countess from now on" in said(answer)
    harness.send(f"Ada <{ADA}>", "ps b4", game)
    news = harness.last(BEN)
    assert "Countess (White): 21 stones" in news.text
    assert news.subject == "[tak #1] Ada – Ben, 5x5"
    assert names(harness) == ["Countess", "Ben"]


def test_a_name_that_somebody_has_is_refused_with_one_that_is_free(harness: MemoryHarness) -> None:
    harness.begin()
    for name in ("Ben", "BÉN", "b e n"):
        assert f"You could be {name} 2." in said(ada(harness, f"name {name}"))
    assert names(harness) == ["Ada", "Ben"]


def test_one_s_own_name_may_be_written_anew(harness: MemoryHarness) -> None:
    harness.begin()
    assert "you are called ADA from now on" in said(ada(harness, "name ADA"))


def test_who_has_no_name_is_a_friend_until_there_is_one(harness: MemoryHarness) -> None:
    harness.send(ADA, f"new 5 vs {BEN} first=me")
    harness.send(SOMEONE, f"new 5 vs {OTHER}")
    assert names(harness) == ["A friend", "Ben", "A friend 2", "Other"]
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    ada(harness, "rs")
    assert names(harness)[0] == "Ada"


def test_a_name_that_was_chosen_is_kept_whatever_the_mails_say(harness: MemoryHarness) -> None:
    harness.begin()
    ada(harness, "name Countess")
    ada(harness, "rs")
    assert names(harness) == ["Countess", "Ben"]


def test_somebody_new_may_begin_with_a_name(harness: MemoryHarness) -> None:
    (answer,) = harness.send(f"Someone <{SOMEONE}>", "name Other")
    assert "you are called Other from now on" in said(answer)
    assert names(harness) == ["Other"]


@pytest.mark.parametrize("words", ["Hello\nname Countess", f"name {'of the game ' * 9}"])
def test_a_sentence_that_begins_with_name_is_chat(harness: MemoryHarness, words: str) -> None:
    harness.begin()
    harness.send(f"Ada <{ADA}>", words, harness.last(ADA))
    assert names(harness) == ["Ada", "Ben"]


def test_a_name_that_is_too_long_is_refused_and_nobody_else_hears_it(harness: MemoryHarness) -> None:
    harness.begin()
    before = len(harness.box)
    for length in (MAX_NAME_CHARS + 1, 90):
        answer = ada(harness, f"/name {'Countess of the north ' * 5}"[: length + len("/name ")])
        assert f"Not done: a name has at most {MAX_NAME_CHARS} characters." in said(answer)
    assert names(harness) == ["Ada", "Ben"]
    assert {letter.to for letter in harness.box[before:]} == {ADA}


def test_name_alone_says_what_is_missing(harness: MemoryHarness) -> None:
    harness.begin()
    assert 'Write "name" and a name, on the first line: name Ada' in said(ada(harness, "name"))


@pytest.mark.parametrize(
    "name",
    [
        "Ada, Lady",
        "Ada (the first)",
        "O'Neil & Co",
        "山田 太郎",
        "נועה",
        "Ada Tak+1",
        "x" * MAX_NAME_CHARS,
        "Zoë d'Été",
    ],
)
def test_a_name_with_odd_signs_is_whole_in_the_header_and_nothing_else_is(
    harness: MemoryHarness, name: str
) -> None:
    harness.begin()
    letter = ada(harness, f"name {name}")
    (to,) = letter.mail["To"].addresses
    assert (to.display_name, to.addr_spec) == (name, ADA)
    assert letter.mail.defects == []
