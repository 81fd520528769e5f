"""A game against a bot through the database: its turn is a task that a process does beside the mails."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from takmail.games.bots import Bot, Bots
from takmail.runtime.bot_worker import BotWorker
from takmail.runtime.delivery_worker import Delivery
from takmail.runtime.fair_queue import FairQueue
from takmail.runtime.mail_worker import MailWorker
from takmail.store.due import CLOCK
from takmail.store.tables import DueRow, OutboxRow
from takmail.world import LetterState
from tests.support.harness import ADA, Harness, said, turns

MINUTE = timedelta(minutes=1)


@pytest.fixture
def playing(harness: Harness) -> Harness:
    """Ada has begun a game against a bot, and has to move."""
    harness.change(bots=Bots((Bot("easy"), Bot("gentle"))))
    harness.send(f"Ada <{ADA}>", "new 5 vs bot easy first=me")
    return harness


def worker(harness: Harness) -> BotWorker:
    return BotWorker(harness.store, harness.causes, Delivery(), "one", FairQueue(), {})


def tasks(harness: Harness) -> list[str]:
    with harness.store.transaction() as session:
        return list(session.exec(select(DueRow.work).where(DueRow.work != CLOCK)).all())


async def test_each_turn_of_the_person_is_answered_by_one_letter_with_both_turns(playing: Harness) -> None:
    bots = worker(playing)
    for number in range(1, 4):
        move = next(
            f"ps {square}" for square in ("a1", "c3", "c4", "d2") if square not in str(turns(playing))
        )
        playing.send(f"Ada <{ADA}>", move, playing.last(ADA))
        assert tasks(playing) == ["move"]
        assert await bots.work() == 1
        assert tasks(playing) == []
        assert len(turns(playing)) == 2 * number
        playing.now += MINUTE
        (letter,) = playing.collect()
        assert move in said(letter)
        assert turns(playing)[-1] in said(letter)
    bots.close()
    with playing.store.transaction() as session:
        states = session.exec(select(OutboxRow.state).order_by(col(OutboxRow.id))).all()
    assert states.count(LetterState.WITHDRAWN) == 3


async def test_the_worker_is_woken_by_a_mail_that_hands_the_turn_to_a_bot(playing: Harness) -> None:
    woken: list[str] = []
    playing.mail_worker = MailWorker(playing.store, playing.causes, on_tasks=lambda: woken.append("bots"))
    playing.send(f"Ada <{ADA}>", "show", playing.last(ADA))
    assert woken == []
    playing.send(f"Ada <{ADA}>", "ps a1", playing.last(ADA))
    assert woken == ["bots"]


async def test_a_turn_that_is_taken_back_while_the_bot_thinks_is_not_answered(playing: Harness) -> None:
    playing.send(f"Ada <{ADA}>", "ps a1", playing.last(ADA))
    playing.send(f"Ada <{ADA}>", "undo", playing.last(ADA))
    bots = worker(playing)
    assert await bots.work() == 0
    assert (turns(playing), tasks(playing)) == ([], [])
    playing.send(f"Ada <{ADA}>", "ps b2", playing.last(ADA))
    assert await bots.work() == 1
    assert turns(playing)[0] == "ps b2"
    bots.close()
