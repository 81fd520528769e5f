"""Seeks: who opens one, who sees it, who joins, and which game begins."""

import re
from datetime import timedelta

import pytest

from takmail.limits.games import MAX_SEEKS
from takmail.store.queries import SqlQueries
from takmail.world.kinds import Standing
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, said

OTHER = "other@example.org"
_ADA, _BEN, _OTHER = f"Ada <{ADA}>", f"Ben <{BEN}>", f"Other <{OTHER}>"


def sought(harness: MemoryHarness) -> list[tuple[int | None, str, str | None, int | None]]:
    return [
        (one.number, one.setup, one.first, one.timing.pace) for one in harness.memory.look(SqlQueries.seeks)
    ]


def seeking(harness: MemoryHarness, words: str = "seek 5") -> Received:
    """Ada seeks a game. Return the answer."""
    harness.now += timedelta(hours=1)
    (answer,) = harness.send(_ADA, words)
    assert answer.to == ADA
    return answer


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("seek 5", ("5", None, None)),
        ("Seek 5x5.", ("5", None, None)),
        ("seek 6 komi=2.5 first=them days=3", ("6 komi=2.5", "them", "days=3")),
        ("seek first=random 4 score=tarway", ("4 score=tarway", "random", None)),
        ("Hello,\nseek 5", ("5", None, None)),
        ("/seek 5", ("5", None, None)),
    ],
)
def test_a_seek_is_read_in_every_order(
    harness: MemoryHarness, line: str, expected: tuple[str, str | None, int | None]
) -> None:
    assert "anybody can join you now" in said(seeking(harness, line))
    assert sought(harness) == [(1, *expected)]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("seek", 'this is not how "seek" is written. "seek 5" lets anybody join'),
        ("seek 9", 'there is no board of size "9"'),
        ("seek 5 quickly", 'I do not know what "quickly" means here'),
        ("seek 5 first=ada", 'I can\'t read "..."'),
        ("seek 5 days=0", 'I can\'t read "..."'),
        ("seek 5 days=2 days=3", 'I can\'t read "..."'),
        ("seek 5 vs ben", 'this is not how "seek" is written'),
        ("join", 'this is not how "join" is written'),
        ("join 3rd", 'this is not how "join" is written'),
        ("/join us", 'this is not how "join" is written'),
        ("unseek 3rd", 'this is not how "unseek" is written'),
        ("join 31", "seek #31 is not open"),
        ("unseek", "you seek no game"),
        ("unseek 31", "none of the games that you seek has the number 31"),
    ],
)
def test_what_cannot_be_done_is_answered_and_seeks_nothing(
    harness: MemoryHarness, line: str, answer: str
) -> None:
    assert answer in said(seeking(harness, line))
    assert sought(harness) == []
    assert harness.memory.tables == {}


@pytest.mark.parametrize(
    "line", ["seek and you shall find", "join us on Sunday", "unseek that idea", "seeks a way out"]
)
def test_a_sentence_that_begins_like_a_command_is_chat(harness: MemoryHarness, line: str) -> None:
    harness.begin()
    _, news = harness.send(_ADA, line, harness.last(ADA))
    assert f"  | {line}\n" in news.text


def test_the_list_shows_anybody_who_seeks_what_and_marks_one_s_own(harness: MemoryHarness) -> None:
    seeking(harness, "seek 6 komi=2 score=tarway first=me days=1")
    harness.send(_BEN, "seek 5 first=random")
    (letter,) = harness.send("Someone <someone@example.net>", "seeks")
    assert (
        "join 1 with Ada: 6x6, komi 2, points by the Tarway Rules, Ada has the first turn, 1 day for each turn"
        in (said(letter))
    )
    assert "join 2 with Ben: 5x5, the first turn by lot" in said(letter)
    assert ADA not in letter.text
    (letter,) = harness.send(_ADA, "seeks")
    assert "yours, #1: 6x6, komi 2, points by the Tarway Rules, you have the first turn" in said(letter)


def test_an_empty_list_says_how_to_begin_one(harness: MemoryHarness) -> None:
    (letter,) = harness.send(_ADA, "seeks")
    assert "Nobody seeks a game at the moment. Be the first, and write: seek 5" in said(letter)


def test_who_joins_begins_the_game_at_once_and_both_are_told(harness: MemoryHarness) -> None:
    seeking(harness, "seek 5 first=me days=3")
    answer, news = harness.send(_BEN, "join 1\n\nHello Ada!")
    assert (answer.to, news.to) == (BEN, ADA)
    assert answer.subject == news.subject == "[tak #1] Ada – Ben, 5x5"
    assert "the game with Ada begins; it is game #1. You play Black" in said(answer)
    assert "Ben has joined you in the game that you seek (#1), and it begins. You play White" in said(news)
    assert "This game has a clock: 3 days for each turn." in said(news)
    assert "  | Hello Ada!" in news.text
    assert sought(harness) == []
    harness.play("ps a1", "ps e5")
    assert turns(harness) == ["ps a1", "ps e5"]


def test_who_has_joined_finds_the_game_in_their_list(harness: MemoryHarness) -> None:
    seeking(harness)
    harness.send(_BEN, "join #1")
    for who in (_ADA, _BEN):
        assert re.search(r"game #1 with (Ada|Ben) \(5x5\): ", said(harness.send(who, "games")[-1]))


def test_who_joins_in_answer_to_another_game_gets_a_letter_of_the_new_one(harness: MemoryHarness) -> None:
    harness.begin()
    harness.send(_OTHER, "seek 4 first=them")
    letters = harness.send(_BEN, "join 1", harness.last(BEN))
    assert sorted(letter.to for letter in letters) == [BEN, BEN, OTHER]
    begun = next(one for one in letters if one.to == BEN and one.subject.startswith("[tak #2]"))
    answer = next(one for one in letters if one.to == BEN and one.subject.startswith("[tak #1]"))
    news = harness.last(OTHER)
    assert "You have joined Other, and the game begins. You play White" in said(begun)
    assert "It is game #2, and a letter of its own brings it" in said(answer)
    assert "Ben has joined you" in said(news)
    harness.send(_BEN, "ps a1", begun)
    assert turns(harness, 2) == ["ps a1"]
    assert turns(harness, 1) == []


def test_nobody_joins_themselves(harness: MemoryHarness) -> None:
    seeking(harness)
    assert "it is you who seeks this game" in said(seeking(harness, "join 1"))
    assert len(sought(harness)) == 1


def test_the_same_again_is_no_fault_and_no_second_seek(harness: MemoryHarness) -> None:
    seeking(harness)
    assert "you seek this game already (5x5). It is seek #1" in said(seeking(harness))
    assert len(sought(harness)) == 1


def test_one_player_seeks_three_games_at_a_time(harness: MemoryHarness) -> None:
    for size in range(3, 3 + MAX_SEEKS):
        seeking(harness, f"seek {size}")
    answer = said(seeking(harness, "seek 7"))
    assert "you seek 3 games already" in answer
    assert "- #1: 3x3 - #2: 4x4 - #3: 5x5" in answer
    assert len(sought(harness)) == MAX_SEEKS


def test_a_seek_is_taken_back_one_or_all(harness: MemoryHarness) -> None:
    for size in (3, 4, 5):
        seeking(harness, f"seek {size}")
    assert "seek #2 is taken back" in said(seeking(harness, "unseek 2"))
    assert "seeks #1 and #3 are taken back" in said(seeking(harness, "unseek"))
    assert sought(harness) == []


def test_no_letter_shows_an_address_of_the_other_one(harness: MemoryHarness) -> None:
    seeking(harness)
    harness.send(_BEN, "seeks\njoin 1")
    for letter in harness.box:
        others = {ADA, BEN} - {letter.to}
        assert not any(other in letter.mail.as_string() for other in others)
    assert harness.table().record.standing is Standing.OPEN
    assert TAK in harness.last(BEN).mail["From"]
