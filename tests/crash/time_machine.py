"""Move the stored times of a game into the past, so that something is due in it now."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from sqlmodel import Session, col, select

from takmail.config.loading import load as load_settings
from takmail.runtime import parts
from takmail.store import due
from takmail.store.causes import with_retries
from takmail.store.database import Store
from takmail.store.games import Replays
from takmail.store.machine_time import utc_now
from takmail.store.queries import SqlQueries
from takmail.store.tables import AddressRow, DueRow, GameRow, OutboxRow, PlayerRow, TurnRow
from takmail.world import Game, GameNumber, LetterState, PendingKind, TimeOff
from takmail.world.clock import AlarmKind, alarms_of, clock_of
from tests.crash.post import PATIENCE

_MARGIN = timedelta(seconds=1)
T = TypeVar("T")


class TimeMachine:
    """Works on the database of a service, which may run. `config` are the service's settings."""

    def __init__(self) -> None:
        self._store: Store | None = None

    def open(self, config: Path) -> None:
        """Use the database of these settings, which need not exist yet."""
        self._config = config

    def close(self) -> None:
        """Close the database."""
        if self._store is not None:
            self._store.close()

    async def pass_time(self, number: int, kind: AlarmKind, *, takes_holidays: bool) -> None:
        """Let time pass in a game until its next alarm of a kind is due. Wait until it is handled.

        If `takes_holidays` is false, both players announce their holidays themselves.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                await self._is_true(lambda session: self._moves(session, number, kind, takes_holidays))
                await self._is_true(lambda session: self._has_handled(session, number))
        except TimeoutError:
            raise AssertionError(f"game {number}: the {kind.value} was not handled in time") from None

    def questions(self, number: int) -> int:
        """Return how many questions of a game ask what follows from the end of a player's time."""
        return self.done(
            lambda session: sum(one.kind is PendingKind.TIME for one in self._table(session, number).offers)
        )

    async def digest(self, who: str) -> None:
        """Let the time of a player's digest come, once something is held for it."""
        await self.until(lambda session: _is_due(session, who), f"what is held for {who}")

    async def until(self, happened: Callable[[Session], bool], what: str) -> None:
        """Wait until something is stored."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self._is_true(happened)
        except TimeoutError:
            raise AssertionError(f"{what} has not come within {PATIENCE:.0f} seconds") from None

    async def _is_true(self, work: Callable[[Session], bool]) -> None:
        while not self.done(work):  # noqa: ASYNC110 - a database tells nobody
            await asyncio.sleep(0.1)

    def done(self, work: Callable[[Session], T]) -> T:
        """Return what `work` finds or does in a transaction."""
        if self._store is None:
            self._settings = load_settings(self._config)
            self._services = parts.services(
                self._settings, parts.seat_key(self._settings, parts.keys(self._settings), utc_now)
            )
            self._store = Store.open_read_only(self._settings.store.url)
        return with_retries(self._store, work, durable=False)

    def _table(self, session: Session, number: int) -> Game:
        queries = SqlQueries(session, self._services, Replays(), utc_now())
        queries.with_turn_times = True
        table = queries.game(GameNumber(number))
        assert table is not None
        return table

    def _moves(self, session: Session, number: int, kind: AlarmKind, takes_holidays: bool) -> bool:
        """Move a game's times. Return False, and do nothing, while the letter about the turn has not left."""
        table, now = self._table(session, number), utc_now()
        if clock_of(table).began_at is None:
            return False
        at = next(alarm.at for alarm in alarms_of(table, now) if alarm.kind is kind)
        assert at > now, "nothing may be due yet"
        span = at - now + _MARGIN
        for row, names in _rows(session, number):
            for name in names:
                if (time := getattr(row, name)) is not None:
                    setattr(row, name, time - span)
            session.add(row)
        for player in table.players:
            owner = session.get_one(PlayerRow, player.id)
            owner.announces_holidays = not takes_holidays
            owner.time_off = tuple(
                TimeOff(off.began_at - span, off.ended_at - span, off.is_automatic) for off in owner.time_off
            )
            session.add(owner)
        return True

    def _has_handled(self, session: Session, number: int) -> bool:
        now = utc_now()
        return not [alarm for alarm in alarms_of(self._table(session, number), now) if alarm.at <= now]


def _is_due(session: Session, who: str) -> bool:
    """Let a player's digest be due now. Return False if nothing is held for it."""
    player = session.exec(select(AddressRow.player_id).where(AddressRow.address == who)).one()
    row = session.get(DueRow, (player, due.DIGEST))
    if row is None:
        return False
    if not row.claimed_by:
        row.due_at = utc_now()
        session.add(row)
    return True


def _rows(session: Session, number: int) -> Sequence[tuple[Any, Sequence[str]]]:
    """Return the rows of a game that have times on which its clock depends, and the names of these times."""
    sent = select(OutboxRow).where(col(OutboxRow.game_id) == number, col(OutboxRow.state) == LetterState.SENT)
    return [
        (session.get_one(GameRow, number), ("created_at", "turn_since", "alarmed_until", "rested_at")),
        *((row, ("played_at",)) for row in session.exec(select(TurnRow).where(TurnRow.game_id == number))),
        *((row, ("due_at",)) for row in session.exec(sent)),
        *((row, ("due_at",)) for row in session.exec(select(DueRow).where(DueRow.subject == number))),
    ]
