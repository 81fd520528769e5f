"""Outages: the times in which takmail was not well, by clocks that are set and that run."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select

from takmail.games.interface import Seat
from takmail.store import dispatch, machine_time, turn_times
from takmail.store.database import Store
from takmail.store.tables import MachineTimeRow, OutageRow
from takmail.world import GRACE, Outage, TurnLetter
from tests.store.plans import inner, noted, scanned
from tests.store.scene import Scene

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
NEVER, NOTHING = None, timedelta(0)


def note(store: Store, after: timedelta, ran: timedelta | None) -> Outage | None:
    """Note that takmail is well, so long after NOW. `ran` is for how long the process has run since the last note."""
    with store.transaction() as session:
        assert machine_time.believed(session, NOW + after, ran or NOTHING) == NOW + after
        return machine_time.note_well(session, NOW + after, ran)


def stored(store: Store) -> Sequence[Outage]:
    with store.transaction() as session:
        rows = session.exec(select(OutageRow).order_by(col(OutageRow.id))).all()
        return [Outage(row.began_at, row.ended_at) for row in rows]


def test_the_first_note_is_no_outage(store: Store) -> None:
    assert note(store, NOTHING, NEVER) is None
    assert stored(store) == []
    with store.transaction() as session:
        assert session.get_one(MachineTimeRow, 1).well_at == NOW


@pytest.mark.parametrize(
    ("passed", "ran", "length"),
    [
        (MINUTE, MINUTE, None),
        (GRACE, GRACE, None),
        (GRACE + MINUTE, GRACE + MINUTE, GRACE + MINUTE),
        (GRACE, NEVER, None),
        (9 * HOUR, NEVER, 9 * HOUR),
        # The clock leapt forward, and was set back.
        (9 * HOUR, MINUTE, None),
        (9 * HOUR, HOUR, HOUR),
        (-9 * HOUR, MINUTE, None),
        (-9 * HOUR, HOUR, None),
        (-9 * HOUR, NEVER, None),
        (HOUR, 3 * HOUR, HOUR),
    ],
)
def test_a_silence_of_more_than_the_grace_is_an_outage(
    store: Store, passed: timedelta, ran: timedelta | None, length: timedelta | None
) -> None:
    note(store, NOTHING, NEVER)
    outage = None if length is None else Outage(NOW + passed - length, NOW + passed)
    assert note(store, passed, ran) == outage
    assert stored(store) == ([] if outage is None else [outage])
    assert note(store, passed + MINUTE, MINUTE) is None


def test_while_another_process_is_well_there_is_no_outage(store: Store) -> None:
    note(store, NOTHING, NEVER)
    for minute in range(1, 60):
        assert note(store, minute * MINUTE, MINUTE) is None
    assert note(store, HOUR, HOUR) is None


def test_the_outages_since_a_turn_are_loaded_by_an_index(store: Store) -> None:
    note(store, NOTHING, NEVER)
    note(store, HOUR, NEVER)
    note(store, 3 * HOUR, NEVER)
    before = tuple(stored(store))
    with noted(store) as found, store.transaction() as session:
        assert turn_times.outages(session, NOW, NOW + 3 * HOUR + GRACE) == before
        assert turn_times.outages(session, NOW + HOUR, NOW + 3 * HOUR) == before[1:]
    assert scanned(store, inner(found)) == []


def test_an_outage_counts_before_takmail_is_well_again(store: Store) -> None:
    with store.transaction() as session:
        assert turn_times.outages(session, NOW, NOW + HOUR) == ()
    note(store, NOTHING, NEVER)
    with store.transaction() as session:
        assert turn_times.outages(session, NOW, NOW + GRACE) == ()
        assert turn_times.outages(session, NOW + HOUR, NOW + 2 * HOUR) == (Outage(NOW, NOW + 2 * HOUR),)
    note(store, 2 * HOUR, NEVER)
    with store.transaction() as session:
        assert turn_times.outages(session, NOW, NOW + 2 * HOUR + MINUTE) == (Outage(NOW, NOW + 2 * HOUR),)


def test_the_letter_about_a_turn_is_found_by_an_index(scene: Scene) -> None:
    scene.joined("Ada", "Ben").begun()
    scene.do(letters=[scene.letter(Seat.FIRST)])
    with noted(scene.store) as found, scene.store.transaction() as session:
        assert turn_times.turn_letter(session, 1, Seat.FIRST, 0, NOW) is not None
    assert scanned(scene.store, inner(found)) == []


def test_a_turn_begins_when_the_letter_about_it_left(scene: Scene) -> None:
    scene.joined("Ada", "Ben").begun()
    scene.do(letters=[scene.letter(Seat.FIRST)])
    left = scene.now + HOUR
    with scene.store.transaction() as session:
        (letter,) = dispatch.claim(session, left)
        assert turn_times.turn_letter(session, 1, Seat.FIRST, 0, NOW) == TurnLetter(None)
        dispatch.sent(session, [letter.id])
        assert turn_times.turn_letter(session, 1, Seat.FIRST, 0, NOW) == TurnLetter(left)
