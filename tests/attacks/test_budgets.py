"""I use up what others may write or hear: their letters leave all the same, and their own questions are asked."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlmodel import col, select

from takmail.commands.asking import MOST_ASKED, MOST_KEPT
from takmail.commands.kinds import LetterState
from takmail.commands.records import ASKED_FOR
from takmail.keeper import Keeper
from takmail.store import leaving
from takmail.store.database import Store
from takmail.store.tables import OutboxRow, Question
from tests.support.harness import ADA, BEN, TAK, Harness, Received, said, turns

ADA_AS, BEN_AS, ME = f"Ada <{ADA}>", f"Ben <{BEN}>", "Someone <someone@example.net>"
NEW_MAIL = {"to": TAK, "subject": "Re: [tak #1] Tak"}


@pytest.fixture
def game(harness: Harness) -> Harness:
    """Ada and Ben have played a turn each; people answer no question by themselves."""
    harness.begin()
    harness.play("ps a1", "ps e5")
    harness.play("ps b2")
    harness.confirms = False
    harness.now += timedelta(hours=2)
    return harness


@pytest.fixture
def harness(store: Store) -> Harness:
    return Harness(store)


def leaves_at_once(harness: Harness, letter: Received) -> bool:
    """Whether a letter is among those that leave now."""
    with harness.store.transaction() as session:
        while letters := leaving.claim(session, harness.now, most=20):
            leaving.sent(session, [one.id for one in letters])
        row = session.exec(select(OutboxRow).where(OutboxRow.message_id == letter.id)).one()
        return row.state == LetterState.SENT


def looks(harness: Harness, number: int) -> list[Received]:
    return harness.send(ADA_AS, ("rs", "log", "games", "ptn")[number % 4])


def holds(harness: Harness, number: int) -> list[Received]:
    return harness.send(ADA_AS, f"say {number}", **NEW_MAIL)


def asks(harness: Harness, number: int) -> list[Received]:
    return harness.send(ADA_AS, f"new {number % 6 + 3} komi={number // 6} vs {BEN}")


def leaks(harness: Harness, number: int) -> list[Received]:
    """Her letter has been passed on to me."""
    return harness.send(ME, f"say {number}", harness.last(ADA))


@pytest.mark.parametrize("how", [looks, holds, asks, leaks])
@pytest.mark.parametrize("hours", [1, 24])
def test_i_forge_as_many_mails_as_are_let_through_and_then_ben_moves(
    game: Harness, how: Callable[[Harness, int], list[Received]], hours: int
) -> None:
    heard = []
    for number in range(hours * 40 if hours == 1 else hours * 9):
        heard += how(game, number)
        game.now += timedelta(minutes=1) if hours == 1 else timedelta(minutes=6)
    assert {one.to for one in heard} == {ADA}
    (answer, letter) = game.send(BEN_AS, "ps d4", game.last(BEN))
    assert (answer.to, letter.to) == (BEN, ADA)
    assert letter.lines[0] == "ps d4"
    assert leaves_at_once(game, letter)
    assert leaves_at_once(game, game.send(ADA_AS, "rs", letter)[0])


def test_i_have_her_letter_and_she_is_asked_no_more_often_than_the_hour_allows(game: Harness) -> None:
    heard = [one for number in range(40) for one in leaks(game, number)]
    assert len(heard) == game.services.rates.unproven_answers_per_hour
    assert {one.to for one in heard} == {ADA}


def test_i_play_her_and_talk_without_end_and_ben_moves(game: Harness) -> None:
    other = "Other <other@example.org>"
    game.confirms = True
    game.send(other, f"new 5 vs {ADA} first=me")
    game.send(ADA_AS, "accept", game.last(ADA))
    for number in range(120):
        game.send(other, f"word {number}", game.last("other@example.org"))
    (_, letter) = game.send(BEN_AS, "ps d4", next(one for one in reversed(game.box) if one.to == BEN))
    assert leaves_at_once(game, letter)
    with game.store.transaction() as session:
        sent = session.exec(select(OutboxRow.state).where(OutboxRow.answers == "chat")).all()
        assert (sent.count("sent"), sent.count("postponed")) == (30, 1)


class TestNewcomer:
    """I write in the name of somebody who is about to write for the first time."""

    def forge(self, harness: Harness, *sizes: int) -> list[Received]:
        return [one for size in sizes for one in harness.send(ADA_AS, f"new {size} vs g{size}@example.net")]

    @pytest.fixture
    def harness(self, store: Store) -> Harness:
        return Harness(store, confirms=False)

    def test_their_own_new_is_asked_about_all_the_same(self, harness: Harness) -> None:
        self.forge(harness, 3, 4, 5)
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        assert "new 6 vs" in own.text
        assert "6x6" in said(harness.send(ADA_AS, "yes", own)[0])

    def test_what_was_replaced_can_be_answered_until_its_days_are_over(self, harness: Harness) -> None:
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        self.forge(harness, 3, 4, 5)
        harness.now += ASKED_FOR
        assert "6x6" in said(harness.send(ADA_AS, "yes", own)[0])

    def test_and_not_any_later(self, harness: Harness) -> None:
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        self.forge(harness, 3, 4, 5)
        harness.now += ASKED_FOR + timedelta(seconds=1)
        assert 'nothing is waiting for a "yes"' in said(harness.send(ADA_AS, "yes", own)[0])
        Keeper(harness.store, harness.causes, 30).work()
        with harness.store.transaction() as session:
            assert session.exec(select(Question)).all() == []

    def test_what_was_replaced_is_no_longer_open(self, harness: Harness) -> None:
        """Only one question is: a `yes` that names no letter is about that."""
        asked = self.forge(harness, 3, 4, 5, 6)
        for one in asked[1:3]:
            harness.send(ADA_AS, "yes", one)
        harness.send(ADA_AS, "yes", asked[3], threaded=False, quoting=False, subject="yes")
        assert "6x6" in said(harness.last("g6@example.net"))
        harness.send(ADA_AS, "yes", asked[0])
        assert "3x3" in said(harness.last("g3@example.net"))

    def test_no_drops_what_was_replaced_as_well(self, harness: Harness) -> None:
        asked = self.forge(harness, 3, 4, 5, 6)
        harness.send(ADA_AS, "no", asked[3])
        assert 'nothing is waiting for a "yes"' in said(harness.send(ADA_AS, "yes", asked[0])[0])

    def test_the_same_words_are_asked_about_again_once_they_are_replaced(self, harness: Harness) -> None:
        self.forge(harness, 6)
        assert self.forge(harness, 6) == []
        self.forge(harness, 3, 4, 5)
        assert len(self.forge(harness, 6)) == 1

    def test_so_many_are_kept_and_their_own_is_asked_about_all_the_same(self, harness: Harness) -> None:
        forged = [letter for number in range(25) for letter in self.forge_later(harness, number)]
        assert len(forged) == 25
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        assert "new 6 vs" in own.text
        self.check_kept(harness)
        assert "it is game #1" in said(harness.send(ADA_AS, "yes", own)[-1])
        for one in forged[2:6]:
            assert 'nothing is waiting for a "yes"' in said(harness.send(ADA_AS, "yes", one)[0])

    def test_their_own_can_be_answered_while_so_many_are_kept(self, harness: Harness) -> None:
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        for number in range(MOST_KEPT - 1):
            self.forge_later(harness, number)
        assert "it is game #1" in said(harness.send(ADA_AS, "yes", own)[-1])

    def forge_later(self, harness: Harness, number: int) -> list[Received]:
        harness.now += timedelta(hours=3)
        return harness.send(ADA_AS, f"new 5 komi={number} vs {BEN}")

    def check_kept(self, harness: Harness) -> None:
        with harness.store.transaction() as session:
            open_ = select(Question).where(col(Question.is_replaced).is_(False))
            assert (len(session.exec(select(Question)).all()), len(session.exec(open_).all())) == (20, 3)

    def test_an_unclear_answer_is_about_the_question_that_it_answers(self, harness: Harness) -> None:
        (own,) = harness.send(ADA_AS, f"new 6 vs {BEN}")
        self.forge(harness, 3, 4, 5)
        (again,) = harness.send(ADA_AS, "Yes please, that was me.", own)
        assert "| new 6 vs" in again.text

    def test_an_unclear_answer_is_asked_about_even_then(self, harness: Harness) -> None:
        for number in range(MOST_KEPT):
            harness.send(ADA_AS, f"new 5 komi={number} vs {BEN}")
            harness.now += timedelta(hours=3)
        (again,) = harness.send(ADA_AS, "Yes please, that was me.", harness.last(ADA))
        harness.send(ADA_AS, "yes", again)
        assert "it is game #1" in said(harness.last(ADA))

    def test_they_are_told_which_answer_is_the_last_for_now(self, harness: Harness) -> None:
        letters = self.forge(harness, 3, 4, 5, 6, 7, 8)
        assert ["Within an hour I answer again" in said(one) for one in letters] == [False] * 4 + [True]

    def test_also_for_the_day(self, harness: Harness) -> None:
        letters = []
        for number in range(12):
            letters += harness.send(ADA_AS, f"rules\n{number}")
            harness.now += timedelta(hours=1)
        assert ["Tomorrow I answer again" in said(one) for one in letters] == [False] * 9 + [True]


class TestSeat:
    """I write in Ada's name about her game."""

    def test_her_own_mail_is_asked_about_and_what_it_replaces_can_be_answered(self, game: Harness) -> None:
        game.send(BEN_AS, "ps d4", game.last(BEN))
        (own,) = game.send(ADA_AS, "ps c3", **NEW_MAIL)
        forged = [holds(game, number)[0] for number in range(6)]
        assert len({one.id for one in forged}) == 6
        with game.store.transaction() as session:
            found = session.exec(select(Question)).all()
            assert [one.is_replaced for one in found] == [True] * 4 + [False] * 3
        game.send(ADA_AS, "yes", own)
        assert turns(game)[-1] == "ps c3"

    def test_so_many_are_kept_and_her_own_is_asked_about_all_the_same(self, game: Harness) -> None:
        game.send(BEN_AS, "ps d4", game.last(BEN))
        forged = [letter for number in range(25) for letter in holds(game, number)]
        assert len(forged) == 25
        (own,) = game.send(ADA_AS, "ps c3", **NEW_MAIL)
        with game.store.transaction() as session:
            found = session.exec(select(Question)).all()
            assert [one.is_replaced for one in found] == [True] * (MOST_KEPT - MOST_ASKED) + [
                False
            ] * MOST_ASKED
        for one in forged[:6]:
            assert 'nothing is waiting for a "yes"' in said(game.send(ADA_AS, "yes", one)[0])
        game.send(ADA_AS, "yes", own)
        assert turns(game)[-1] == "ps c3"

    def test_a_yes_from_elsewhere_to_one_that_was_replaced_is_asked_about(self, game: Harness) -> None:
        first = holds(game, 0)[0]
        for number in range(1, 7):
            holds(game, number)
        (again,) = game.send("Other <other@example.org>", "yes", first)
        assert again.to == ADA
        assert "| say 0" in again.text

    def test_she_is_told_which_answer_is_the_last_for_now(self, game: Harness) -> None:
        letters = [one for number in range(32) for one in looks(game, number)]
        assert ["Within an hour I answer again" in said(one) for one in letters] == [False] * 29 + [True]


def test_what_can_never_work_is_refused_at_once(harness: Harness) -> None:
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
    with harness.store.transaction() as session:
        assert session.exec(select(Question)).all() == []
