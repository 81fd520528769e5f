"""Letters over the limit of a day or an hour are sent later."""

from datetime import timedelta

import pytest
from sqlmodel import select

from takmail.limits.letters import RateLimits
from takmail.store import dispatch
from takmail.store.tables import OutboxRow
from tests.support.harness import ADA, BEN, Harness, Received, said

AS_ADA, AS_BEN = f"Ada <{ADA}>", f"Ben <{BEN}>"
FEW = RateLimits(300, 30, 5, letters_per_day=4, stranger_letters_per_day=3, chat_letters_per_hour=3)
MOMENT = timedelta(seconds=1)


def states(harness: Harness, to: str, *kinds: str) -> list[str]:
    with harness.store.transaction() as session:
        found = session.exec(select(OutboxRow).where(OutboxRow.mail_to == to).order_by("id")).all()
        return [str(row.state) for row in found if row.purpose in kinds]


def leave(harness: Harness) -> None:
    """Send all that is due."""
    with harness.store.transaction() as session:
        while letters := dispatch.claim(session, harness.now):
            dispatch.sent(session, [letter.id for letter in letters])


@pytest.fixture
def few(harness: Harness) -> Harness:
    """Ada and Ben have a game, and few letters are allowed."""
    harness.begin()
    harness.change(rates=FEW)
    harness.now += MOMENT
    return harness


def of_game(harness: Harness, who: str) -> Received:
    return next(one for one in reversed(harness.box) if one.to == who and one.subject.startswith("[tak #1]"))


def offer(harness: Harness, times: int) -> None:
    """Let Ada offer Ben a draw and withdraw it, until there are this many letters."""
    for number in range(times):
        harness.send(AS_ADA, "withdraw" if number % 2 else "draw", of_game(harness, ADA))


def say(harness: Harness, *words: str) -> list[str]:
    """Let Ada write several chat messages. Return her answers."""
    return [said(harness.send(AS_ADA, one, of_game(harness, ADA))[0]) for one in words]


def test_a_letter_that_was_postponed_leaves_on_the_next_day(few: Harness) -> None:
    offer(few, 6)
    few.now += timedelta(days=1)
    leave(few)
    assert states(few, BEN, "news") == ["sent"] * 6


def test_no_more_is_freed_at_once_than_a_day_allows(few: Harness) -> None:
    offer(few, 13)
    few.send(AS_BEN, "games", of_game(few, BEN))
    assert states(few, BEN, "news").count("postponed") == 5


def test_words_that_wait_leave_when_the_hour_allows(few: Harness) -> None:
    say(few, "first", "second", "third")
    few.now += timedelta(minutes=20)
    say(few, "fourth")
    leave(few)
    few.now += timedelta(minutes=39)
    leave(few)
    assert states(few, BEN, "chat") == ["sent"] * 3 + ["postponed"]
    few.now += timedelta(minutes=1)
    leave(few)
    assert states(few, BEN, "chat") == ["sent"] * 4
    assert "so yours wait" not in say(few, "fifth")[0]


def test_once_words_have_left_they_are_not_brought_again(few: Harness) -> None:
    say(few, "first", "second", "third", "fourth")
    few.now += timedelta(hours=1)
    leave(few)
    say(few, "ps a1")
    assert "fourth" not in few.last(BEN).text


@pytest.mark.parametrize("words", ["#1 show", "show", "#1 rs"])
def test_words_that_are_postponed_leave_once_with_the_answer_to_a_mail_that_answers_no_letter_of_their_game(
    few: Harness, words: str
) -> None:
    few.send(AS_BEN, "seeks")
    outside = few.last(BEN)
    say(few, "first", "second", "third", "fourth")
    (answer,) = few.send(AS_BEN, words, outside)
    assert answer.text.count("fourth") == 1
    few.now += timedelta(hours=1)
    leave(few)
    assert states(few, BEN, "chat") == ["sent"] * 3 + ["withdrawn"]
