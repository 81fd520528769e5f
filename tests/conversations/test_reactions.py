"""Mails that are only a reaction: shown with the next letter, answered by none, and never an order."""

import pytest

from takmail.world.kinds import Standing
from tests.support.memory_harness import MemoryHarness, turns
from tests.support.players import ADA, BEN, Received, said

REACTIONS = {
    "👍": "👍",
    "[heart] Ben reacted to your message:": "❤️",
    "Loved “ps a1”": "❤️",
    "Reacted 🎉 to “ps a1”": "🎉",
}


@pytest.fixture
def begun(harness: MemoryHarness) -> MemoryHarness:
    """Return a game in which it is Ben's turn."""
    harness.begin_and_play("ps a1")
    return harness


def react(
    harness: MemoryHarness, words: str, answers: Received | None = None, **how: object
) -> list[Received]:
    return harness.send(f"Ben <{BEN}>", words, answers or harness.last(BEN), **how)


@pytest.mark.parametrize("words", REACTIONS)
def test_it_comes_with_the_next_letter(begun: MemoryHarness, words: str) -> None:
    assert react(begun, words) == []
    assert begun.notes[-1] == ("rejected", "only a reaction")
    assert react(begun, words) == []
    _, news = begun.send(f"Ben <{BEN}>", "ps e5", begun.last(BEN))
    assert news.lines[0] == "ps e5"
    assert news.text.count(f"| {REACTIONS[words]}\n") == 1
    assert turns(begun) == ["ps a1", "ps e5"]


def test_another_letter_may_get_the_same(begun: MemoryHarness) -> None:
    for move, answer in (("ps e5", "ps b1"), ("ps d5", "ps c1")):
        react(begun, "👍")
        _, news = begun.send(f"Ben <{BEN}>", move, begun.last(BEN))
        assert "| 👍" in news.text
        begun.send(f"Ada <{ADA}>", answer, begun.last(ADA))


def test_one_that_is_taken_back_shows_nothing(begun: MemoryHarness) -> None:
    assert react(begun, "Removed a like from “ps a1”") == []
    assert not begun.table().correspondence.waiting_chat


def test_it_answers_no_offer(begun: MemoryHarness) -> None:
    begun.send(f"Ada <{ADA}>", "draw", begun.last(ADA))
    assert react(begun, "👍") == []
    assert begun.table().offers


@pytest.mark.parametrize("words", ["👍", "👍🏽", "[like] Ben reacted to your message:"])
def test_a_thumb_to_a_question_has_it_asked_again(begun: MemoryHarness, words: str) -> None:
    (question,) = begun.send(f"Ben <{BEN}>", "resign", begun.last(BEN))
    (again,) = react(begun, words, question)
    assert "Do you want to give this game up?" in said(again)
    assert begun.table().record.standing is Standing.OPEN
    begun.send(f"Ben <{BEN}>", "yes", again)
    assert begun.table().record.standing is Standing.OVER


def test_a_thumb_to_the_letter_that_asks_who_wrote_a_mail_has_it_asked_again(harness: MemoryHarness) -> None:
    harness.confirms = False
    (question,) = harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    (again,) = harness.send(f"Ada <{ADA}>", "👍", question)
    assert again.asks_who
    assert not harness.memory.tables
    harness.send(f"Ada <{ADA}>", "yes", again)
    assert harness.memory.tables


def test_a_thumb_to_an_invitation_is_asked_about(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    (answer,) = react(harness, "👍")
    assert "answer with that line: accept" in said(answer)
    assert harness.table().record.standing is Standing.INVITED


def test_another_reaction_to_an_invitation_is_none(harness: MemoryHarness) -> None:
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    assert react(harness, "🎉") == []
    assert harness.table().record.standing is Standing.INVITED


def test_one_without_proof_is_kept_from_the_opponent(begun: MemoryHarness) -> None:
    begun.send(f"Someone <{BEN}>", "👍", subject="Re: [tak #1] Ada – Ben, 5x5")
    begun.send("Someone <someone@example.net>", "👍", begun.last(BEN))
    assert not begun.table().correspondence.waiting_chat


def test_who_is_blocked_reaches_nobody(begun: MemoryHarness) -> None:
    begun.send(f"Ada <{ADA}>", "block Ben", begun.last(ADA))
    assert react(begun, "👍") == []
    assert not begun.table().correspondence.waiting_chat


def test_a_stranger_s_gets_no_welcome(harness: MemoryHarness) -> None:
    assert harness.send("Someone <someone@example.net>", "👍") == []
