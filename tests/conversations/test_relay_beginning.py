"""How a relay game begins: by the word in an invitation or a seek."""

import pytest

from takmail.commands.grammar.invitation_forms import New, SeekGame
from takmail.world.pace import NO_TIMING
from tests.support.memory_harness import MemoryHarness
from tests.support.orders import line_as
from tests.support.players import ADA, BEN, said
from tests.support.relays import write
from tests.support.scenes import played_once


@pytest.fixture
@played_once
def relay(harness: MemoryHarness) -> None:
    """Ada, White, and Ben have begun a relay game on 5x5."""
    harness.begin("5 relay")


@pytest.mark.parametrize(
    "line",
    [
        "new 5 relay vs ben@example.org",
        "New Relay 5 vs Ben <ben@example.org>",
        "new 5 vs ben@example.org, relay",
        "challenge ben@example.org 5 relay",
        "/new relay vs ben@example.org 5",
    ],
)
def test_relay_may_stand_anywhere_among_the_words_of_an_invitation(line: str) -> None:
    command = line_as(line)
    assert command == New(("5",), None, is_relay=True, opponent=BEN, kind="tak")


@pytest.mark.parametrize("line", ["new relay 5 vs ben", "new 5 vs ben relay", "new 5 relay vs ben"])
def test_it_may_stand_beside_a_name(line: str) -> None:
    assert line_as(line) == New(("5",), None, is_relay=True, opponent="ben", kind="tak")


@pytest.mark.parametrize("line", ["seek 5 relay", "seek relay 5"])
def test_a_relay_game_can_be_sought(line: str) -> None:
    assert line_as(line) == SeekGame(("5",), None, NO_TIMING, is_relay=True, kind="tak")


@pytest.mark.parametrize("line", ["new relay for the car vs the old one", "seek relay race"])
def test_a_sentence_with_the_word_in_it_is_chat(line: str) -> None:
    assert line_as(line) is None


def test_who_is_invited_reads_in_plain_words_what_a_relay_game_is(harness: MemoryHarness) -> None:
    invitation, answer = harness.send(f"Ada <{ADA}>", f"new 5 relay vs {BEN}")
    assert "each of you keeps a board of your own" in said(invitation)
    assert "each of you keeps a board of your own" in said(answer)
    assert invitation.subject.endswith(", 5x5 relay")
    assert harness.table().record.is_relay


def test_a_rematch_is_a_relay_game_again(relay: MemoryHarness) -> None:
    write(relay, ADA, "resign")
    write(relay, ADA, "yes")
    (invitation, _) = write(relay, ADA, "rematch")
    assert "each of you keeps a board of your own" in said(invitation)
    assert relay.table(2).record.is_relay


def test_a_relay_game_is_found_and_joined_as_any_other(harness: MemoryHarness) -> None:
    harness.send(f"Ben <{BEN}>", "seek 5 relay")
    (seeks,) = harness.send(f"Ada <{ADA}>", "seeks")
    assert "5x5 relay, everything passed on and nothing checked" in said(seeks)
    harness.send(f"Ada <{ADA}>", "join 1")
    assert harness.table().record.is_relay


def test_the_invitation_says_once_that_a_board_is_needed(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 relay vs {BEN}")
    invitation = said(harness.last(BEN))
    assert "You need nothing but a board and this mail program" in invitation
    assert "each of you keeps a board of your own" in invitation
