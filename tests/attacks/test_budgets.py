"""Attacks that use up others' limits. Their letters are still sent, and their questions are still asked."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from takmail.games.interface import Reason
from takmail.games.tak.state import TakState
from takmail.limits.letters import RateLimits
from takmail.limits.questions import MAX_KEPT_QUESTIONS, MAX_OPEN_QUESTIONS
from takmail.world.kinds import LetterPurpose, LetterState, MessageId
from takmail.world.pending import LIFETIME, Pending
from tests.support.memory_harness import PLAIN, MemoryHarness, turns
from tests.support.players import ADA, BEN, TAK, Received, said
from tests.support.scenes import played_once
from tests.support.width import combined

ADA_AS, BEN_AS, ME = f"Ada <{ADA}>", f"Ben <{BEN}>", "Someone <someone@example.net>"
NEW_MAIL = {"to": TAK, "subject": "Re: [tak #1] Tak"}
FEW = replace(PLAIN, rates=RateLimits(10, 4, 2, letters_per_day=12, chat_letters_per_hour=3))


@pytest.fixture
def harness() -> MemoryHarness:
    return MemoryHarness()


@pytest.fixture
def few() -> MemoryHarness:
    """A takmail with low limits."""
    return played(MemoryHarness(services=FEW))


@pytest.fixture
def game(harness: MemoryHarness) -> MemoryHarness:
    return played(harness)


@played_once
def played(harness: MemoryHarness) -> None:
    """Ada and Ben have played a turn each. Players do not confirm questions automatically."""
    harness.begin_and_play("ps a1", "ps e5")
    harness.play("ps b2")
    harness.confirms = False
    harness.now += timedelta(hours=2)


def questions(harness: MemoryHarness) -> list[Pending]:
    """Return all stored questions, oldest first."""
    return harness.memory.pending


def leaves_at_once(harness: MemoryHarness, letter: Received) -> bool:
    return harness.memory.outbox[MessageId(letter.id)].state is LetterState.QUEUED


def looks(harness: MemoryHarness, number: int) -> list[Received]:
    return harness.send(ADA_AS, ("rs", "log", "games", "ptn")[number % 4])


def holds(harness: MemoryHarness, number: int) -> list[Received]:
    return harness.send(ADA_AS, f"say {number}", **NEW_MAIL)


def asks(harness: MemoryHarness, number: int) -> list[Received]:
    return harness.send(ADA_AS, f"new {number % 6 + 3} komi={number // 6} vs {BEN}")


def leaks(harness: MemoryHarness, number: int) -> list[Received]:
    """The attacker has obtained one of Ada's letters."""
    return harness.send(ME, f"say {number}", harness.last(ADA))


@pytest.mark.parametrize(("how", "pace"), combined([looks, holds, asks, leaks], [(8, 1), (16, 20)]))
def test_i_forge_as_many_mails_as_are_let_through_and_then_ben_moves(
    few: MemoryHarness, how: Callable[[MemoryHarness, int], list[Received]], pace: tuple[int, int]
) -> None:
    """The attacker sends the mails within an hour, or within a day."""
    mails, every = pace
    heard = []
    for number in range(mails):
        heard += how(few, number)
        few.now += timedelta(minutes=every)
    assert {one.to for one in heard} == {ADA}
    assert len(heard) < mails
    (answer, letter) = few.send(BEN_AS, "ps d4", few.last(BEN))
    assert (answer.to, letter.to) == (BEN, ADA)
    assert letter.lines[0] == "ps d4"
    assert leaves_at_once(few, letter)
    assert leaves_at_once(few, few.send(ADA_AS, "rs", letter)[0])


def test_i_have_her_letter_and_she_is_asked_no_more_often_than_the_hour_allows(few: MemoryHarness) -> None:
    heard = [one for number in range(8) for one in leaks(few, number)]
    assert len(heard) == FEW.rates.unproven_answers_per_hour
    assert {one.to for one in heard} == {ADA}


def test_i_play_her_and_talk_without_end_and_ben_moves(few: MemoryHarness) -> None:
    other = "Other <other@example.org>"
    few.confirms = True
    few.send(other, f"new 5 vs {ADA} first=me")
    few.send(ADA_AS, "accept", few.last(ADA))
    for number in range(9):
        few.send(other, f"word {number}", few.last("other@example.org"))
    (_, letter) = few.send(BEN_AS, "ps d4", few.last(BEN))
    assert leaves_at_once(few, letter)
    chats = Counter(one.state for one in few.memory.outbox.values() if one.purpose is LetterPurpose.CHAT)
    assert (chats[LetterState.QUEUED], chats[LetterState.POSTPONED]) == (3, 1)


class TestNewcomer:
    """I write in the name of somebody who is about to write for the first time."""

    def forge(self, harness: MemoryHarness, *sizes: int) -> list[Received]:
        return [one for size in sizes for one in harness.send(ADA_AS, f"new {size} vs g{size}@example.net")]

    @pytest.fixture
    def harness(self) -> MemoryHarness:
        return MemoryHarness(confirms=False)

    def test_their_own_new_is_asked_about_all_the_same(self, harness: MemoryHarness) -> None:
        self.forge(harness, 3, 4, 5)
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        assert "new 6 vs" in own.text
        assert "6x6" in said(harness.send(ADA_AS, "yes", own)[0])

    def test_what_was_replaced_can_be_answered_until_its_days_are_over(self, harness: MemoryHarness) -> None:
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        self.forge(harness, 3, 4, 5)
        harness.now += LIFETIME
        assert "6x6" in said(harness.send(ADA_AS, "yes", own)[0])

    def test_and_not_any_later(self, harness: MemoryHarness) -> None:
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        self.forge(harness, 3, 4, 5)
        harness.now += LIFETIME + timedelta(seconds=1)
        assert 'nothing is waiting for a "yes"' in said(harness.send(ADA_AS, "yes", own)[0])

    def test_what_was_replaced_is_no_longer_open(self, harness: MemoryHarness) -> None:
        """Only one question stays open, and a `yes` that names no letter answers that question."""
        asked = self.forge(harness, 3, 4, 5, 6)
        for one in asked[1:3]:
            harness.send(ADA_AS, "yes", one)
        harness.send(ADA_AS, "yes", asked[3], threaded=False, quoting=False, subject="yes")
        assert "6x6" in said(harness.last("g6@example.net"))
        harness.send(ADA_AS, "yes", asked[0])
        assert "3x3" in said(harness.last("g3@example.net"))

    def test_no_drops_what_was_replaced_as_well(self, harness: MemoryHarness) -> None:
        asked = self.forge(harness, 3, 4, 5, 6)
        harness.send(ADA_AS, "no", asked[3])
        assert 'nothing is waiting for a "yes"' in said(harness.send(ADA_AS, "yes", asked[0])[0])

    def test_so_many_are_kept_and_their_own_is_asked_about_all_the_same(self, harness: MemoryHarness) -> None:
        forged = [letter for number in range(25) for letter in self.forge_later(harness, number)]
        assert len(forged) == 25
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        assert "new 6 vs" in own.text
        self.check_kept(harness)
        assert "it is game #1" in said(harness.send(ADA_AS, "yes", own)[-1])
        for one in forged[2:6]:
            assert 'nothing is waiting for a "yes"' in said(harness.send(ADA_AS, "yes", one)[0])

    def test_their_own_can_be_answered_while_so_many_are_kept(self, harness: MemoryHarness) -> None:
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        for number in range(MAX_KEPT_QUESTIONS - 1):
            self.forge_later(harness, number)
        assert "it is game #1" in said(harness.send(ADA_AS, "yes", own)[-1])

    def forge_later(self, harness: MemoryHarness, number: int) -> list[Received]:
        harness.now += timedelta(hours=3)
        return harness.send(ADA_AS, f"new 5 komi={number} vs {BEN}")

    def check_kept(self, harness: MemoryHarness) -> None:
        found = [one.is_replaced for one in questions(harness)]
        assert found == [True] * (MAX_KEPT_QUESTIONS - MAX_OPEN_QUESTIONS) + [False] * MAX_OPEN_QUESTIONS

    def test_an_unclear_answer_is_asked_about_even_then(self, harness: MemoryHarness) -> None:
        for number in range(MAX_KEPT_QUESTIONS):
            harness.send(ADA_AS, f"new 5 komi={number} vs {BEN}")
            harness.now += timedelta(hours=3)
        (again,) = harness.send(ADA_AS, "I think that was me.", harness.last(ADA))
        harness.send(ADA_AS, "yes", again)
        assert "it is game #1" in said(harness.last(ADA))

    def test_they_are_told_which_answer_is_the_last_for_now(self, harness: MemoryHarness) -> None:
        letters = self.forge(harness, 3, 4, 5, 6, 7, 8)
        assert ["Within an hour I answer again" in said(one) for one in letters] == [False] * 4 + [True]

    def test_also_for_the_day(self, harness: MemoryHarness) -> None:
        letters = []
        for number in range(12):
            letters += harness.send(ADA_AS, f"rules\n{number}")
            harness.now += timedelta(hours=1)
        assert ["Tomorrow I answer again" in said(one) for one in letters] == [False] * 9 + [True]


class TestSeat:
    """I write in Ada's name about her game."""

    def test_her_own_mail_is_asked_about_and_what_it_replaces_can_be_answered(
        self, game: MemoryHarness
    ) -> None:
        game.send(BEN_AS, "ps d4", game.last(BEN))
        (own,) = game.send(ADA_AS, "ps c3", **NEW_MAIL)
        forged = [holds(game, number)[0] for number in range(6)]
        assert len({one.id for one in forged}) == 6
        assert [one.is_replaced for one in questions(game)] == [True] * 4 + [False] * 3
        game.send(ADA_AS, "yes", own)
        assert turns(game)[-1] == "ps c3"

    def test_so_many_are_kept_and_her_own_is_asked_about_all_the_same(self, game: MemoryHarness) -> None:
        game.send(BEN_AS, "ps d4", game.last(BEN))
        forged = [letter for number in range(25) for letter in holds(game, number)]
        assert len(forged) == 25
        (own,) = game.send(ADA_AS, "ps c3", **NEW_MAIL)
        found = [one.is_replaced for one in questions(game)]
        assert found == [True] * (MAX_KEPT_QUESTIONS - MAX_OPEN_QUESTIONS) + [False] * MAX_OPEN_QUESTIONS
        for one in forged[:6]:
            assert 'nothing is waiting for a "yes"' in said(game.send(ADA_AS, "yes", one)[0])
        game.send(ADA_AS, "yes", own)
        assert turns(game)[-1] == "ps c3"

    def test_a_yes_from_elsewhere_to_one_that_was_replaced_is_asked_about(self, game: MemoryHarness) -> None:
        first = holds(game, 0)[0]
        for number in range(1, 7):
            holds(game, number)
        (again,) = game.send("Other <other@example.org>", "yes", first)
        assert again.to == ADA
        assert "| say 0" in again.text

    def test_she_is_told_which_answer_is_the_last_for_now(self, few: MemoryHarness) -> None:
        letters = [one for number in range(6) for one in looks(few, number)]
        assert ["Within an hour I answer again" in said(one) for one in letters] == [False] * 3 + [True]


def test_what_can_never_work_is_refused_at_once(harness: MemoryHarness) -> None:
    harness.confirms = False
    for words, says in (
        (f"new 9 vs {BEN}", "sizes go from 3 to 8"),
        ("seek 12", "sizes go from 3 to 8"),
        (f"new 5 komi=99 vs {BEN}", "can't be a komi"),
        (f"new 5 vs {TAK}", "this is my own address"),
        (f"new 5 vs {ADA}", "that is you"),
        ("name www.example.org", "a name may not"),
    ):
        (letter,) = harness.send(ADA_AS, words)
        assert (letter.to, letter.asks_who) == (ADA, False), words
        assert says in said(letter)
        harness.now += timedelta(hours=1)
    assert questions(harness) == []


def test_what_she_asked_for_herself_is_asked_about_apart(game: MemoryHarness) -> None:
    (own,) = game.send(ADA_AS, "name Adalyn", game.last(ADA))
    for number in range(MAX_KEPT_QUESTIONS + 1):
        game.now += timedelta(minutes=3)
        game.send(ADA_AS, f"name Nora {'abcdefghijklmnopqrstuvwxyz'[number]}", to=TAK, subject="Hello")
    assert sum(not one.is_replaced for one in questions(game)) == 1 + MAX_OPEN_QUESTIONS
    game.send(ADA_AS, "yes", own)
    assert game.table().players[0].name == "Adalyn"


@pytest.mark.parametrize("forged", ["say {}", "yes"])
def test_a_turn_that_is_doubted_is_asked_about_apart(
    game: MemoryHarness, monkeypatch: pytest.MonkeyPatch, forged: str
) -> None:
    reason = Reason("nothing-there", {"square": "d4"})
    monkeypatch.setattr(TakState, "asks_before", lambda _, text: reason if text == "ps d4" else None)
    (asked,) = game.send(BEN_AS, "ps d4", game.last(BEN))
    for number in range(MAX_KEPT_QUESTIONS + 1):
        game.now += timedelta(minutes=3)
        game.send(BEN_AS, forged.format(number), **NEW_MAIL)
    game.send(BEN_AS, "yes", asked)
    assert turns(game)[-1] == "ps d4"
