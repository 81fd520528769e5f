"""Count letters to somebody when a decision relies on it, and again when its letters are written."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from sqlalchemy import bindparam, func
from sqlmodel import Session, col

from takmail.pipeline.process import Conflict
from takmail.store import people
from takmail.store.statements import run, select
from takmail.store.tables import OutboxRow

_DAY = timedelta(days=1)
# Also those of causes that began later: they may be stored first.
_COUNT = (
    select(OutboxRow.mail_to, func.count())
    .where(
        col(OutboxRow.mail_to).in_(bindparam("addresses", expanding=True)),
        col(OutboxRow.created_at) > bindparam("day"),
    )
    .group_by(OutboxRow.mail_to)
)


class LetterCounts:
    """The letters to addresses within a day of one cause. It protects limits on letters between two processes.

    SQLite has one writer at a time, so nothing is counted there.
    """

    def __init__(self, session: Session, now: datetime) -> None:
        self._session = session
        self._day = now - _DAY
        self._is_needed = session.get_bind().dialect.name != "sqlite"
        self._known: dict[str, int] = {}
        self._relied_on: dict[str, Collection[str]] = {}

    def note(self, addresses: Iterable[str]) -> None:
        """Count the letters to addresses before their budgets are read, unless that was done before."""
        missing = {*addresses} - self._known.keys() if self._is_needed else ()
        if missing:
            self._known |= self._counted(missing)

    def rely_on(self, whose: str, addresses: Collection[str]) -> None:
        """Remember that the decision relies on how many letters somebody got. `whose` is as in `people.lock_count`."""
        if self._is_needed:
            self._relied_on[whose] = addresses

    def check(self) -> None:
        """Lock the counts that were relied on until the commit, in one order. Raise Conflict if one has changed."""
        if not self._relied_on:
            return
        for whose in sorted(self._relied_on):
            people.lock_count(self._session, whose)
        addresses = {address for of_person in self._relied_on.values() for address in of_person}
        current = self._counted(addresses)
        if any(current[address] != self._known.get(address) for address in addresses):
            raise Conflict("letters to somebody")

    def _counted(self, addresses: Collection[str]) -> dict[str, int]:
        rows = run(self._session, _COUNT, addresses=sorted(addresses), day=self._day)
        return {**dict.fromkeys(addresses, 0), **{row[0]: row[1] for row in rows}}
