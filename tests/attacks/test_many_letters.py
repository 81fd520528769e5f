"""One mail of mine leads to very many letters."""

from datetime import timedelta

import pytest
from sqlmodel import col, select

from takmail.letters import letter
from takmail.limits.letters import PORTION_PAUSE
from takmail.store import dispatch
from takmail.store.tables import OutboxRow
from tests.support.harness import ADA, BEN, Harness
from tests.support.memory_harness import PLAIN, MemoryHarness

AT_ONCE = 3
OTHERS = 2 * AT_ONCE + 1
ADA_AS = f"Ada <{ADA}>"


def opponent(number: int) -> str:
    return f"player{number}@club{number}.example"


def with_many_games(harness: Harness) -> None:
    """Let Ada begin a game with each of many opponents, who are proven players."""
    own = harness.services.key.personal_address
    for number in range(OTHERS):
        other = opponent(number)
        harness.deliver(harness.mail(other, f"new 5 vs {ADA}", to=own(other)).as_bytes())
        harness.deliver(harness.mail(ADA_AS, "accept", harness.last(ADA)).as_bytes())
    due(harness)


def due(harness: Harness) -> list[str]:
    """Send all letters that are due, and return their recipients in order."""
    sent: list[str] = []
    while True:
        with harness.store.transaction() as session:
            letters = dispatch.claim(session, harness.now, most=100)
            dispatch.sent(session, [one.id for one in letters])
        if not letters:
            return sent
        sent += [one.mail_to for one in letters]


@pytest.fixture
def harness(harness: Harness, monkeypatch: pytest.MonkeyPatch) -> Harness:
    """A takmail with small portions. Ada plays with many people."""
    monkeypatch.setattr(letter, "MAX_LETTERS_AT_ONCE", AT_ONCE)
    harness.confirms = False
    with_many_games(harness)
    return harness


def stop(harness: Harness) -> None:
    own = harness.services.key.personal_address(ADA)
    (asked,) = harness.deliver(harness.mail(ADA_AS, "stop", to=own).as_bytes())
    due(harness)
    harness.deliver(harness.mail(ADA_AS, "yes", asked).as_bytes())


def test_my_stop_tells_my_opponents_in_portions(harness: Harness) -> None:
    stop(harness)
    first = due(harness)
    assert ADA in first, "the answer never waits"
    told = [one for one in first if one != ADA]
    assert len(told) == AT_ONCE
    harness.now += PORTION_PAUSE - timedelta(seconds=1)
    assert due(harness) == []
    harness.now += timedelta(seconds=1)
    second = due(harness)
    assert len(second) == AT_ONCE
    harness.now += PORTION_PAUSE
    told += second + due(harness)
    assert sorted(told) == sorted(map(opponent, range(OTHERS))), "each is told once"


def test_a_later_letter_to_who_waits_for_a_portion_does_not_wait_for_it(harness: Harness) -> None:
    stop(harness)
    waiting = {one.mail_to for one in _waiting(harness)} - {*due(harness)}
    reader = min(waiting)
    own = harness.services.key.personal_address(reader)
    harness.deliver(harness.mail(reader, "help", to=own).as_bytes())
    assert due(harness) == [reader]
    harness.now += 2 * PORTION_PAUSE
    assert reader in due(harness)


def _waiting(harness: Harness) -> list[OutboxRow]:
    with harness.store.transaction() as session:
        query = select(OutboxRow).where(OutboxRow.state == "queued").order_by(col(OutboxRow.id))
        rows = list(session.exec(query).all())
        session.expunge_all()
        return rows


def test_few_letters_leave_at_once() -> None:
    harness = MemoryHarness(services=PLAIN)
    harness.begin()
    harness.send(ADA_AS, "ps a1", harness.last(ADA))
    assert all(one.due_at == harness.now for one in harness.memory.outbox.values())
    assert BEN in {one.mail_to for one in harness.memory.outbox.values()}
