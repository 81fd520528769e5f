"""Postponed and queued letters to the same recipient: which ones are claimed, and when the next one is due."""

import pytest

from takmail.limits.letters import LONGEST_POSTPONEMENT
from takmail.store import dispatch
from takmail.store.database import Store
from takmail.store.tables import OutboxRow
from takmail.world.kinds import LetterState
from tests.store.test_outbox import ADA, BEN, HOUR, NOW, Queue

POSTPONED = [LetterState.BOUNCED, LetterState.POSTPONED]


@pytest.fixture
def queue(store: Store) -> Queue:
    return Queue(store)


def claimed(queue: Queue, most: int) -> list[int]:
    with queue.store.transaction() as session:
        return [letter.id for letter in dispatch.claim(session, NOW, most=most)]


@pytest.mark.parametrize("state", POSTPONED)
def test_one_and_the_next_one_to_its_reader_are_never_claimed_together(
    queue: Queue, state: LetterState
) -> None:
    first, second = queue.add(ADA, state=state), queue.add(ADA)
    assert claimed(queue, most=4) == [first]
    queue.sent(first)
    assert claimed(queue, most=4) == [second]


@pytest.mark.parametrize("state", POSTPONED)
def test_one_does_not_overtake_a_letter_in_transit(queue: Queue, state: LetterState) -> None:
    first = queue.add(ADA)
    assert claimed(queue, most=4) == [first]
    queue.add(ADA, state=state)
    assert claimed(queue, most=4) == []


@pytest.mark.parametrize("state", POSTPONED)
def test_one_that_came_back_and_waits_for_tomorrow_holds_up_none_that_is_due(
    queue: Queue, state: LetterState
) -> None:
    back = queue.add(ADA, due=NOW + 20 * HOUR, state=LetterState.BOUNCED)
    with queue.store.transaction() as session:
        session.get_one(OutboxRow, back).claimed_by = "serve 1"
    due = queue.add(ADA, state=state)
    assert claimed(queue, most=4) == [due]


def test_one_that_was_written_while_the_clock_was_ahead_leaves_at_once(queue: Queue) -> None:
    late = queue.add(ADA, due=NOW + LONGEST_POSTPONEMENT + HOUR, state=LetterState.POSTPONED)
    queue.add(BEN, due=NOW + LONGEST_POSTPONEMENT, state=LetterState.POSTPONED)
    assert claimed(queue, most=4) == [late]


@pytest.mark.parametrize("state", POSTPONED)
def test_no_more_are_claimed_than_were_asked_for(queue: Queue, state: LetterState) -> None:
    for number in range(2):
        queue.add(f"queued{number}@example.org")
        queue.add(f"off{number}@example.org", state=state)
    assert len(claimed(queue, most=3)) == 3


@pytest.mark.parametrize("state", POSTPONED)
def test_one_that_is_due_leaves_however_many_are_in_the_queue(queue: Queue, state: LetterState) -> None:
    for number in range(4):
        queue.add(f"queued{number}@example.org", due=NOW - HOUR)
    late = queue.add(BEN, state=state)
    assert late in claimed(queue, most=4)
