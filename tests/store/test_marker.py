"""What the database knows of the marker, step by step."""

from datetime import UTC, datetime

from takmail.mail.marker import Marker, Owner, Ownership, digest, owner_of
from takmail.store import leases, marker
from takmail.store.database import Store

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def as_written(ours: Ownership) -> Marker:
    return Marker(digest("INBOX"), ours.database, ours.generation, ours.token)


def raised(store: Store, seen: Marker | None) -> Ownership:
    """Take the mailbox over, as a process does that dies right after that."""
    with store.transaction() as session:
        ours = marker.take_over(session, marker.made(session).ours, seen)
    assert ours is not None
    return ours


def test_whatever_dies_between_the_two_steps_the_marker_is_known(store: Store) -> None:
    seen = None
    for number in range(1, 6):
        ours = raised(store, seen)
        assert ours.generation == number
        assert owner_of(seen, ours) in (Owner.OURS, Owner.NOBODY)
        if number % 2:  # else it dies before it writes the marker
            seen = as_written(ours)


def test_of_two_processes_one_takes_over(store: Store) -> None:
    with store.transaction() as session:
        before = marker.made(session).ours
    ours = raised(store, None)
    with store.transaction() as session:
        assert marker.take_over(session, before, None) is None
        assert not marker.taken(session, before)
        assert marker.taken(session, ours)


def test_a_stop_is_known_until_the_mailbox_is_taken_over(store: Store) -> None:
    with store.transaction() as session:
        assert marker.state(session) is None
        foreign = Marker(digest("INBOX"), "b" * 16, 40, "3" * 16)
        assert owner_of(foreign, marker.made(session).ours).forbids
        marker.stop(session, "why", NOON)
        assert marker.stopped(session) == "why"
        marker.allow_take_over(session)
        assert marker.made(session).takes_over
    ours = raised(store, foreign)
    assert ours.generation == 41
    with store.transaction() as session:
        assert marker.taken(session, ours)
        known = marker.state(session)
        assert known is not None
        assert (known.stopped, known.takes_over, known.has_moved) == ("", False, False)


def test_other_workers_know_that_one_reads_the_mailbox(store: Store) -> None:
    def is_read() -> bool:
        with store.transaction() as session:
            return marker.is_read_elsewhere(session, "two", lambda _: False)

    ours = raised(store, None)
    with store.transaction() as session:
        assert leases.take(session, marker.READING, "one", lambda _: False)
    assert not is_read()  # the marker is not in the mailbox yet
    with store.transaction() as session:
        marker.taken(session, ours)
    assert is_read()
    with store.transaction() as session:
        marker.stop(session, "why", NOON)
    assert not is_read()
