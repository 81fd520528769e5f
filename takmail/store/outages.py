"""Note when takmail was well, and store the times in which it was not: no player's clock runs then."""

from datetime import datetime, timedelta

from sqlmodel import Session

from takmail.store.tables import ClockRow, OutageRow
from takmail.world import GRACE, Outage


def note_well(session: Session, now: datetime, ran: timedelta | None) -> Outage | None:
    """Note that takmail is well. If it was not for more than GRACE, store that as an outage, and return it.

    `ran` is for how long this process has run since it last noted that, by a clock that can't leap, None if it never
    did. An outage is never longer. `clock.believed` must have been called in this transaction, and have said `now`.
    """
    row = session.get_one(ClockRow, 1)
    silent = timedelta(0) if row.well_at is None else now - row.well_at
    silent = silent if ran is None else min(silent, ran)
    row.well_at = now
    session.add(row)
    if silent <= GRACE:
        return None
    session.add(OutageRow(began_at=now - silent, ended_at=now))
    return Outage(now - silent, now)
