"""How many letters have left within a period is counted from the outbox, through an index."""

from datetime import UTC, datetime, timedelta

import pytest

from takmail.pipeline.returned import AGAIN_AFTER
from takmail.store import dispatch
from takmail.store.database import Store
from takmail.store.tables import OutboxRow
from takmail.world.kinds import DeliveryClass, LetterState
from tests.store.plans import noted, scanned
from tests.support import rows

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def letters(
    store: Store, *readers: str, due: datetime = NOW, of: DeliveryClass = DeliveryClass.GAMES
) -> None:
    with store.transaction() as session:
        for reader in readers:
            rows.add_letter(session, rows.new_letter(f"{reader}@example.org", due, of))


def send(store: Store, now: datetime, most: int = 100) -> list[int]:
    with store.transaction() as session:
        numbers = [letter.id for letter in dispatch.claim(session, now, most=most)]
        dispatch.sent(session, numbers)
    return numbers


def total(store: Store, now: datetime, period: timedelta = DAY) -> int:
    with store.transaction() as session:
        return dispatch.sent_within(session, period, now).total()


def test_letters_count_for_a_day_by_their_class(store: Store) -> None:
    letters(store, "a", "b")
    letters(store, "c", of=DeliveryClass.OTHERS)
    assert len(send(store, NOW)) == 3
    letters(store, "d")
    with store.transaction() as session:
        left = dispatch.sent_within(session, DAY, NOW)
    assert left == {DeliveryClass.GAMES: 2, DeliveryClass.OTHERS: 1}
    send(store, NOW + HOUR)
    seconds = timedelta(seconds=1)
    assert [total(store, NOW + it) for it in (DAY - seconds, DAY, DAY + HOUR - seconds, DAY + HOUR)] == [
        4,
        1,
        1,
        0,
    ]
    assert total(store, NOW + HOUR, period=timedelta(minutes=1)) == 1


def test_what_waits_has_not_left(store: Store) -> None:
    letters(store, "a", "b", "c")
    with store.transaction() as session:
        first, *_ = dispatch.claim(session, NOW)
        dispatch.later(session, first.id, NOW + HOUR, 1, "busy")
    assert total(store, NOW) == 0


def test_a_letter_that_is_put_off_or_whose_claim_has_ended_has_not_left(store: Store) -> None:
    letters(store, "a", due=NOW + HOUR)
    letters(store, "b")
    with store.transaction() as session:
        assert len(dispatch.claim(session, NOW)) == 1
    assert [total(store, NOW), total(store, NOW + dispatch.LEASE)] == [1, 0]


@pytest.mark.parametrize("state", [LetterState.FAILED, LetterState.BOUNCED])
def test_a_letter_that_came_back_has_left(store: Store, state: LetterState) -> None:
    letters(store, "a")
    [number] = send(store, NOW)
    with store.transaction() as session:
        row = session.get_one(OutboxRow, number)
        row.state = state
        if state == LetterState.BOUNCED:
            row.due_at = NOW + AGAIN_AFTER
    assert total(store, NOW) == total(store, NOW + DAY - HOUR) == 1
    assert total(store, NOW + DAY) == total(store, NOW - DAY) == 0


def test_letters_from_the_future_do_not_count(store: Store) -> None:
    letters(store, "a")
    send(store, NOW)
    assert total(store, NOW - HOUR) == total(store, NOW - timedelta(days=400)) == 0


def test_the_count_reads_no_letter_of_another_time(store: Store) -> None:
    letters(store, "a")
    with noted(store) as statements:
        assert total(store, NOW) == 0
    assert scanned(store, statements) == []
