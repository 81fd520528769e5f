"""`address add` and `address remove`: both addresses are notified, and nobody learns who owns an address."""

from datetime import timedelta

import pytest

from takmail.limits.games import MAX_ADDRESSES
from takmail.world.waiting import PendingKind
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said
from tests.support.scenes import played_once

AWAY = "ada.away@example.org"
AS_ADA = f"Ada <{ADA}>"
AS_AWAY = f"Ada <{AWAY}>"


@pytest.fixture
@played_once
def game(harness: MemoryHarness) -> None:
    """Ada, who plays White, is to move."""
    harness.begin()


def own(harness: MemoryHarness) -> list[str]:
    player = harness.memory.player_by_address(ADA)
    return [] if player is None else sorted(player.addresses)


def add(harness: MemoryHarness) -> list[Received]:
    """Ada adds her other address and answers `yes` there. Return the letters after the `yes`."""
    letters = harness.send(AS_ADA, f"address add {AWAY}", harness.last(ADA))
    assert [letter.to for letter in letters] == [AWAY, ADA]
    return harness.send(AS_AWAY, "yes", letters[0])


def test_an_address_is_added_by_a_yes_from_there_and_both_are_told(game: MemoryHarness) -> None:
    letters = add(game)
    assert own(game) == [AWAY, ADA]
    assert [letter.to for letter in letters] == [ADA, AWAY]
    assert f'"address remove {AWAY}"' in said(letters[0])
    assert "this address is yours as well" in said(letters[1])


def test_one_can_play_from_the_new_address_and_letters_follow(game: MemoryHarness) -> None:
    board = game.last(ADA)
    add(game)
    game.send(AS_AWAY, "ps a1", board)
    assert turns(game) == ["ps a1"]
    assert game.box[-2].to == AWAY
    game.send(f"Ben <{BEN}>", "ps e5", game.last(BEN))
    assert game.box[-1].to == AWAY
    game.now += timedelta(minutes=1)
    game.send(AS_ADA, "ps c3", board, threaded=False)
    assert game.box[-2].to == ADA


def test_a_question_to_the_new_address_outlives_another_one_of_the_same_mail(game: MemoryHarness) -> None:
    game.send(AS_ADA, f"address add {AWAY}\nresign\nps a1", game.last(ADA))
    assert turns(game) == ["ps a1"]
    assert own(game) == [ADA]
    game.send(AS_AWAY, "yes", game.last(AWAY))
    assert own(game) == [AWAY, ADA]


def test_without_the_yes_nothing_is_added(game: MemoryHarness) -> None:
    game.send(AS_ADA, f"address add {AWAY}", game.last(ADA))
    assert own(game) == [ADA]


def test_a_mail_that_anybody_may_have_written_adds_nothing(game: MemoryHarness) -> None:
    game.confirms = False
    letters = game.send(AS_ADA, f"address add {AWAY}")
    assert [letter.to for letter in letters] == [ADA]
    assert letters[0].asks_who


def test_the_answer_is_the_same_whose_address_it_is(game: MemoryHarness) -> None:
    known, unknown = (
        said(game.send(AS_ADA, f"address add {address}", game.last(ADA))[-1]) for address in (BEN, AWAY)
    )
    assert known.replace("ben@...", "X@...") == unknown.replace("ada.away@...", "X@...")
    game.send(f"Ben <{BEN}>", "yes", game.last(BEN))
    assert "belongs to somebody who plays here" in said(game.last(BEN))
    assert own(game) == [ADA]


def test_an_address_is_taken_away_and_both_are_told(game: MemoryHarness) -> None:
    add(game)
    letters = game.send(AS_ADA, f"address remove {AWAY}", game.last(ADA))
    assert [letter.to for letter in letters] == [AWAY, ADA]
    assert own(game) == [ADA]
    assert "no longer one of yours" in said(letters[0])


def test_the_last_address_stays(game: MemoryHarness) -> None:
    (answer,) = game.send(AS_ADA, f"address remove {ADA}", game.last(ADA))
    assert "it is your only address" in said(answer)
    assert own(game) == [ADA]


@pytest.mark.parametrize("words", [f"address remove {BEN}", "address remove other@example.org"])
def test_what_is_not_one_s_own_stays_where_it_is(game: MemoryHarness, words: str) -> None:
    (answer,) = game.send(AS_ADA, words, game.last(ADA))
    assert "no address of yours" in said(answer)
    assert game.memory.player_by_address(BEN) is not None


def test_so_many_addresses_are_enough(game: MemoryHarness) -> None:
    for number in range(MAX_ADDRESSES + 2):
        game.send(AS_ADA, f"address add ada{number}@example.org", game.last(ADA))
        game.send(f"Ada <ada{number}@example.org>", "yes", game.box[-2])
    assert len(own(game)) == MAX_ADDRESSES
    assert f"{MAX_ADDRESSES} addresses are enough" in said(game.last(ADA))


@pytest.mark.parametrize("words", ["address add", "address add nobody", "/address"])
def test_what_is_no_address_is_told_so(game: MemoryHarness, words: str) -> None:
    (answer,) = game.send(AS_ADA, words, game.last(ADA))
    assert 'Write "address add" and a mail address behind it' in said(answer)


def test_a_line_about_an_address_is_chat(game: MemoryHarness) -> None:
    letters = game.send(AS_ADA, "address of the club: ask me", game.last(ADA))
    assert letters[-1].to == BEN


def test_a_stop_below_a_question_leaves_it_open(game: MemoryHarness) -> None:
    add(game)
    oldest = game.last(ADA)
    game.send(AS_ADA, f"address remove {ADA}\nstop", oldest)
    assert [asked.address for asked in game.memory.questions if asked.kind is PendingKind.REMOVAL] == [ADA]
