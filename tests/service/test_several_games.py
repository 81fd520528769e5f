"""Mails for several games, while processes die between their parts, and while parts fail."""

from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import cast

import pytest
from sqlmodel import select

from takmail.pipeline import process
from takmail.runtime.delivery_worker import DeliveryWorker
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.scheduler import Scheduler
from takmail.store.database import Store
from takmail.store.tables import DueRow, InboxRow
from takmail.world.kinds import MailState
from tests.runtime.test_scheduler import Delivery
from tests.support.deaths import Deaths, Killed, restarted
from tests.support.harness import ADA, BEN, Harness, Received, turns
from tests.support.scenes import played_once
from tests.support.width import some_of

MOVES = "#1 ps a1\n#2 ps b2\n#3 ps c3"


@pytest.fixture
def listed(harness: Harness) -> Received:
    """The letter that lists the three games of Ada and Ben."""
    return with_three_games(harness).last(ADA)


@played_once
def with_three_games(harness: Harness) -> None:
    for _ in range(3):
        harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN} first=me")
        harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))
    harness.send(f"Ada <{ADA}>", "games")


async def scheduled(harness: Harness) -> None:
    """Let the scheduler of a new process run once."""
    harness.now += timedelta(minutes=1)
    scheduler = Scheduler(
        harness.store, harness.causes, cast(DeliveryWorker, Delivery()), "new", None, lambda: 60.0
    )
    await scheduler.work_in_turns()


@pytest.mark.parametrize("handled", some_of(range(5), 2))
async def test_a_process_that_dies_between_two_parts_loses_none(
    harness: Harness, listed: Received, monkeypatch: pytest.MonkeyPatch, handled: int
) -> None:
    passed = []

    def dies(worker: MailWorker, mail: int) -> None:
        passed.append(mail)
        if len(passed) == handled:
            raise Killed
        answer(worker, mail)

    answer = MailWorker._answer_parts
    monkeypatch.setattr(MailWorker, "_answer_parts", dies)
    harness.mail_worker.keep_one(harness.mail(ADA, MOVES, listed).as_bytes())
    if 0 < handled < 4:
        with pytest.raises(Killed):
            harness.mail_worker.work()
    restarted(harness)
    await scheduled(harness)
    letters = harness.collect()
    assert [turns(harness, number) for number in (1, 2, 3)] == [["ps a1"], ["ps b2"], ["ps c3"]]
    assert [one.to for one in letters if one.to == BEN] == [BEN] * 3
    (told,) = (one for one in letters if one.to == ADA)
    assert told.says("parts_told", moves=3, others=0, failed=0, is_later=False)
    with harness.store.transaction() as session:
        assert [row.work for row in session.exec(select(DueRow)) if row.work == "parts"] == []


@pytest.mark.parametrize("seed", some_of(range(60), 2))
async def test_nothing_is_lost_or_done_twice_however_often_processes_die(
    harness: Harness, listed: Received, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    deaths = Deaths(Random(seed))
    monkeypatch.setattr(Store, "transaction", deaths.transaction(Store.transaction))
    harness.mail_worker.keep_one(harness.mail(ADA, f"{MOVES}\nHello!\n#4 ps e5", listed).as_bytes())
    for _ in range(12):
        deaths.left = deaths.random.randrange(1, 8)
        with suppress(Killed):
            restarted(harness)
            await scheduled(harness)
    deaths.left = 0
    restarted(harness)
    await scheduled(harness)
    letters = harness.collect()
    assert deaths.count > 3, seed
    assert [turns(harness, number) for number in (1, 2, 3)] == [["ps a1"], ["ps b2"], ["ps c3"]]
    assert sorted(one.subject for one in letters if one.to == BEN) == [
        f"[tak #{number}] Ada – Ben, 5x5" for number in (1, 2, 3)
    ]
    assert ["Hello!" in one.text for one in letters if one.to == BEN].count(True) == 1
    (told,) = (one for one in letters if one.to == ADA)
    assert told.says("parts_told", moves=3, others=0, failed=1, is_later=False)


def test_a_part_that_fails_hinders_no_other(
    harness: Harness, listed: Received, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = process.interpret

    def fails(*what: object) -> object:
        found = original(*what)  # type: ignore[arg-type]
        if "ps b2" in found.typed and found.context.game_number == 2:
            raise ZeroDivisionError
        return found

    monkeypatch.setattr(process, "interpret", fails)
    harness.mail_worker.keep_one(harness.mail(ADA, MOVES, listed).as_bytes())
    harness.mail_worker.work()
    (told,) = (one for one in harness.collect() if one.to == ADA)
    assert [turns(harness, number) for number in (1, 2, 3)] == [["ps a1"], [], ["ps c3"]]
    assert told.says("part_has_broken", number=2)
    monkeypatch.undo()
    with harness.store.transaction() as session:
        row = session.exec(select(InboxRow).where(InboxRow.state == MailState.SHUNTED)).one()
        assert (row.part, row.is_told) == (2, True)
