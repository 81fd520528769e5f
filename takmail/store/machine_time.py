"""The machine's clock, and what is known of it: a wrong one deletes nothing, and no player's runs in an outage."""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from sqlmodel import Session

from takmail.store.tables import MachineTimeRow, OutageRow
from takmail.world import GRACE, Outage

TimeSource = Callable[[], datetime]
"""Returns the time as a UTC-aware datetime."""

LEAP = timedelta(days=3)
"""The longest time for which takmail may have been off without its clock being doubted."""

_STANDS = timedelta(days=1)
"""How long takmail must have run with a clock before its time is known."""


def utc_now() -> datetime:
    """Return the machine's time. All of takmail that isn't given another time source has this one."""
    return datetime.now(UTC)  # noqa: TID251 - nothing else reads it


def machine_seconds() -> float:
    """Return for how long the machine has run, also while it was suspended, in seconds."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def believed(session: Session, now: datetime, ran: timedelta) -> datetime:
    """Return the time by which something may be deleted or closed: `now`, or the last known time after a leap.

    `now` becomes known once the clock has stood for a day. That is a day of running, summed up over restarts and
    processes, by clocks that can't leap: `ran` is for how long this process has run since it last called this.
    """
    row = session.get(MachineTimeRow, 1, with_for_update=True) or MachineTimeRow(known_at=now, read_at=now)
    passed = now - row.read_at
    if abs(passed) > ran + LEAP:
        row.stood_seconds = 0
    else:  # another process may have read the clock meanwhile, and counted what has passed until then
        row.stood_seconds += max(timedelta(0), min(ran, passed)).total_seconds()
    row.read_at = now
    if row.stood_seconds >= _STANDS.total_seconds() or row.known_at > now:
        row.known_at, row.stood_seconds = now, 0
    session.add(row)
    return now if now - row.known_at <= LEAP else row.known_at


def note_well(session: Session, now: datetime, ran: timedelta | None) -> Outage | None:
    """Note that takmail is well. If it was not for more than GRACE, store that as an outage, and return it.

    `ran` is for how long this process has run since it last noted that, by a clock that can't leap, None if it never
    did. An outage is never longer. `believed` must have been called in this transaction, and have said `now`.
    """
    row = session.get_one(MachineTimeRow, 1)
    silent = timedelta(0) if row.well_at is None else now - row.well_at
    silent = silent if ran is None else min(silent, ran)
    row.well_at = now
    if silent <= GRACE:
        return None
    session.add(OutageRow(began_at=now - silent, ended_at=now))
    return Outage(now - silent, now)
