"""The outbox: letters to one recipient are claimed in order, each under a lease."""

import hashlib
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from sqlalchemy.exc import IntegrityError

from takmail.limits.letters import SendingLimits
from takmail.store import dispatch, outbox
from takmail.store.database import Store
from takmail.store.tables import OutboxRow
from takmail.world.kinds import DeliveryClass, LetterState
from tests.store.plans import is_scan, noted, plans

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
ADA, BEN = "ada@example.org", "ben@example.org"


class Queue:
    """The outbox of a store. Each step is a transaction."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._names = count(1)

    def add(
        self,
        reader: str,
        due: datetime = NOW,
        message_id: str | None = None,
        state: LetterState = LetterState.QUEUED,
        text: str = "",
        purge_after_send: bool = False,
        drawings: str = "",
        delivery_class: DeliveryClass = DeliveryClass.GAMES,
    ) -> int:
        row = OutboxRow(
            message_id=message_id or f"<{next(self._names)}@example.test>",
            mail_from="tak@example.test",
            mail_to=reader,
            raw=text.encode(),
            text=text,
            due_at=due,
            created_at=NOW,
            state=state,
            purge_after_send=purge_after_send,
            drawings=drawings,
            delivery_class=int(delivery_class),
        )
        with self.store.transaction() as session:
            session.add(row)
            session.flush()
            assert row.id is not None
            return row.id

    def claim(self, now: datetime = NOW, by: str = dispatch.SERVICE) -> int | None:
        with self.store.transaction() as session:
            return next((letter.id for letter in dispatch.claim(session, now, by)), None)

    def sent(self, number: int) -> None:
        with self.store.transaction() as session:
            dispatch.sent(session, [number])

    def failed(self, number: int) -> None:
        with self.store.transaction() as session:
            dispatch.failed(session, number, "no such user")

    def later(self, number: int, due: datetime) -> None:
        with self.store.transaction() as session:
            dispatch.later(session, number, due, 1, "busy")

    def release(self, now: datetime, by: str = dispatch.SERVICE) -> None:
        with self.store.transaction() as session:
            dispatch.release(session, now, by)

    def row(self, number: int) -> OutboxRow:
        with self.store.transaction() as session:
            return session.get_one(OutboxRow, number)


@pytest.fixture
def queue(store: Store) -> Queue:
    return Queue(store)


def test_the_oldest_letter_leaves_first(queue: Queue) -> None:
    first, second = queue.add(ADA), queue.add(BEN)
    assert [queue.claim(), queue.claim(), queue.claim()] == [first, second, None]


def test_the_letter_that_has_been_due_the_longest_leaves_first(queue: Queue) -> None:
    queue.add(ADA)
    longest = queue.add(BEN, due=NOW - HOUR)
    assert queue.claim() == longest


def test_the_letter_of_the_first_class_leaves_first_however_long_the_others_are_due(queue: Queue) -> None:
    other = queue.add(ADA, due=NOW - HOUR, delivery_class=DeliveryClass.OTHERS)
    again = queue.add(ADA, due=NOW - HOUR, state=LetterState.BOUNCED, delivery_class=DeliveryClass.PLAYERS)
    of_game = queue.add(BEN)
    assert [queue.claim(), queue.claim(), queue.claim(), queue.claim()] == [of_game, again, other, None]


@pytest.mark.sqlite("PostgreSQL sorts what is so little")
def test_a_claim_does_not_sort_all_letters_that_wait(queue: Queue) -> None:
    with noted(queue.store) as found:
        queue.claim()
    ordered = "ORDER BY outbox.delivery_class, outbox.due_at"
    steps = [step for statement, step in plans(queue.store, found) if ordered in statement]
    assert any("ix_outbox_due (state=? AND delivery_class<?)" in step for step in steps)
    assert not any("TEMP B-TREE" in step for step in steps)
    # The first letter to each reader is found by the reader, not among all that wait.
    assert any("ix_outbox_reader (mail_to=? AND state=?)" in step for step in steps)


def test_letters_to_one_reader_never_overtake_each_other(queue: Queue) -> None:
    first, second, other = queue.add(ADA), queue.add(ADA), queue.add(BEN)
    assert [queue.claim(), queue.claim(), queue.claim()] == [first, other, None]
    queue.sent(other)
    queue.later(first, NOW + HOUR)
    assert queue.claim() is None
    assert queue.claim(NOW + HOUR) == first
    queue.sent(first)
    assert queue.claim() == second


def test_those_of_the_last_class_hold_up_only_each_other(queue: Queue) -> None:
    others = [queue.add(ADA, delivery_class=DeliveryClass.OTHERS) for _ in range(3)]
    offer = queue.add(ADA, delivery_class=DeliveryClass.PLAYERS)
    of_game, last = queue.add(ADA), queue.add(ADA, delivery_class=DeliveryClass.OTHERS)
    assert [queue.claim(), queue.claim(), queue.claim()] == [offer, others[0], None]
    queue.sent(offer)
    assert [queue.claim(), queue.claim()] == [of_game, None]
    for one, after in zip(others, [*others[1:], None], strict=True):
        queue.sent(one)
        assert queue.claim() == after
    queue.sent(of_game)
    assert queue.claim() == last


def test_one_of_a_later_portion_holds_up_none_that_is_due(queue: Queue) -> None:
    queue.add(ADA, due=NOW + HOUR)
    due = queue.add(ADA)
    assert [queue.claim(), queue.claim()] == [due, None]


def test_a_letter_refused_for_good_holds_up_nobody(queue: Queue) -> None:
    first, second = queue.add(ADA), queue.add(ADA)
    queue.claim()
    queue.failed(first)
    assert queue.claim() == second
    assert (queue.row(first).state, queue.row(first).error) == ("failed", "no such user")


def test_a_letter_is_not_claimed_before_it_is_due(queue: Queue) -> None:
    letter = queue.add(ADA, due=NOW + HOUR)
    assert queue.claim(NOW + HOUR - timedelta(microseconds=1)) is None
    assert queue.claim(NOW + HOUR) == letter


def test_a_claimed_letter_is_left_alone_until_its_lease_ends(queue: Queue) -> None:
    letter = queue.add(ADA)
    assert queue.claim() == letter
    assert queue.claim(NOW + dispatch.LEASE - timedelta(seconds=1), "deliver") is None
    assert queue.claim(NOW + dispatch.LEASE, "deliver") == letter
    assert (queue.row(letter).attempts, queue.row(letter).claimed_by) == (0, "deliver")


def test_after_a_crash_the_service_takes_up_at_once_what_it_had_begun(queue: Queue) -> None:
    letter = queue.add(ADA)
    queue.claim()
    queue.release(NOW + timedelta(seconds=1))
    assert queue.claim(NOW + timedelta(seconds=1)) == letter


def test_what_another_process_has_claimed_is_not_released(queue: Queue) -> None:
    queue.add(ADA)
    queue.claim(by="deliver")
    queue.release(NOW + timedelta(seconds=1))
    assert queue.claim(NOW + timedelta(seconds=1)) is None


def test_a_letter_that_another_process_has_claimed_meanwhile_is_not_given_back(queue: Queue) -> None:
    queue.add(ADA)
    with queue.store.transaction() as session:
        late = dispatch.claim(session, NOW)
    letter = queue.claim(NOW + dispatch.LEASE, "deliver")
    with queue.store.transaction() as session:
        dispatch.unclaim(session, late, NOW + dispatch.LEASE, dispatch.SERVICE)
    assert [one.id for one in late] == [letter]
    assert queue.claim(NOW + dispatch.LEASE) is None


def test_a_letter_that_waits_for_a_later_time_goes_on_waiting_after_a_crash(queue: Queue) -> None:
    letter = queue.add(ADA)
    queue.claim()
    queue.later(letter, NOW + HOUR)
    queue.release(NOW)
    assert (queue.claim(NOW), queue.claim(NOW + HOUR)) == (None, letter)


def test_a_letter_that_was_sent_is_not_released(queue: Queue) -> None:
    letter = queue.add(ADA)
    queue.claim()
    queue.sent(letter)
    queue.release(NOW)
    assert queue.claim(NOW + HOUR) is None


@pytest.mark.parametrize("state", ["failed", "bounced", "withdrawn"])
def test_a_letter_that_has_ended_otherwise_is_neither_sent_nor_given_back(queue: Queue, state: str) -> None:
    letter = queue.add(ADA)
    with queue.store.transaction() as session:
        late = dispatch.claim(session, NOW)
        session.get_one(OutboxRow, letter).state = LetterState(state)
    before = queue.row(letter).due_at
    queue.sent(letter)
    with queue.store.transaction() as session:
        dispatch.unclaim(session, late, NOW, dispatch.SERVICE)
    assert (queue.row(letter).state, queue.row(letter).due_at) == (state, before)


def test_a_letter_that_was_refused_before_it_left_is_not_overtaken(queue: Queue) -> None:
    first, second = queue.add(ADA), queue.add(ADA)
    queue.claim()
    with queue.store.transaction() as session:
        dispatch.later(session, first, NOW + HOUR, 1, "busy", held_before="")
    assert [queue.claim(), queue.claim(NOW + HOUR), queue.claim(NOW + HOUR)] == [None, first, None]
    queue.sent(first)
    assert queue.claim(NOW + HOUR) == second


def test_a_letter_of_a_class_that_may_not_leave_today_holds_up_no_letter_of_a_game(queue: Queue) -> None:
    queue.add(ADA, delivery_class=DeliveryClass.PLAYERS)
    of_game = queue.add(ADA)
    with queue.store.transaction() as session:
        claimed = dispatch.claim(session, NOW, most=9, limits=SendingLimits(per_day=1))
    assert [letter.id for letter in claimed] == [of_game]


def test_a_letter_that_was_put_off_while_the_clock_was_ahead_leaves_at_once(queue: Queue) -> None:
    queue.add(BEN, due=NOW + dispatch.LONGEST_DELAY)
    late = queue.add(ADA, due=NOW + dispatch.LONGEST_DELAY + HOUR)
    assert [queue.claim(), queue.claim()] == [late, None]


def test_what_leaves_next_is_looked_for_letter_by_letter(store: Store) -> None:
    """A join of all letters with all letters to their readers would take a minute for ten thousand."""
    with noted(store) as found, store.transaction() as session:
        dispatch.claim(session, NOW)
    steps = [step for statement, step in plans(store, found) if "FROM outbox" in statement]
    assert steps
    assert [step for step in steps if "Join" in step or is_scan(step)] == []


def test_a_moment_comes_back_with_its_zone(queue: Queue) -> None:
    assert queue.row(queue.add(ADA)).due_at.utcoffset() == timedelta()


def test_a_moment_without_a_zone_is_refused(queue: Queue) -> None:
    with pytest.raises(Exception, match="a datetime needs a time zone"):
        queue.add(ADA, due=NOW.replace(tzinfo=None))


def test_a_message_id_is_given_to_one_letter_only(queue: Queue) -> None:
    queue.add(ADA, message_id="<one@example.test>")
    with pytest.raises(IntegrityError):
        queue.add(BEN, message_id="<one@example.test>")


def test_what_is_not_kept_of_a_letter_stays_until_it_can_leave_no_more(queue: Queue) -> None:
    number = queue.add(ADA, text="my data", purge_after_send=True)
    queue.claim()
    with queue.store.transaction() as session:
        session.get_one(
            OutboxRow, number
        ).state = LetterState.BOUNCED  # a report that it came back was quicker
    with queue.store.transaction() as session:
        assert not dispatch.failed(session, number, "550 nobody here")
        assert (session.get_one(OutboxRow, number).text, session.get_one(OutboxRow, number).error) == (
            "my data",
            "",
        )
        session.get_one(OutboxRow, number).state = LetterState.QUEUED
    with queue.store.transaction() as session:
        assert dispatch.failed(session, number, "550 nobody here")
        assert session.get_one(OutboxRow, number).text == ""


def test_the_hash_of_a_letters_bytes_is_made_once(queue: Queue) -> None:
    number = queue.add(ADA, text="a letter", drawings='{"game": "tak"}')
    hashes = []
    for _ in range(2):
        with queue.store.transaction() as session:
            letter = session.get_one(OutboxRow, number)
            outbox.reduce_letter(letter)
            hashes.append((letter.sha256, letter.raw, letter.drawings))
            session.add(letter)
    assert hashes == [(hashlib.sha256(b"a letter").hexdigest(), b"", "")] * 2


def test_the_names_of_the_pictures_are_claimed_with_the_letter(queue: Queue) -> None:
    queue.add(ADA, text="a letter", drawings='{"game": "tak"}')
    with queue.store.transaction() as session:
        assert [one.drawings for one in dispatch.claim(session, NOW, dispatch.SERVICE)] == ['{"game": "tak"}']
