"""A database in memory, and what tests read of it and change in it without a mail."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar
from weakref import finalize

from sqlmodel import SQLModel, col, delete, select, update

from takmail.games.interface import Seat
from takmail.letters.letter import About, Letter, Rendered
from takmail.limits.letters import WAIT_FOR_THOUGHT
from takmail.pipeline.process import Outcome
from takmail.store import due, inbox
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.queries import SqlQueries
from takmail.store.records import PENDING
from takmail.store.statements import run
from takmail.store.tables import (
    DueRow,
    GameRow,
    InboxRow,
    OperatorLogRow,
    OutboxRow,
    PendingRow,
    PlayerRow,
    RememberedAddressRow,
)
from takmail.store.write import write
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, LetterState, MessageId, PlayerId, SeekNumber
from takmail.world.pending import Pending
from takmail.world.players import Mailbox, Player, Seek
from takmail.world.reading import Reading
from takmail.world.tasks import Task, TaskKind
from takmail.world.world import Cause, Snapshot, World
from tests.support.empty import empty_file
from tests.support.scenes import driver

T = TypeVar("T")


Rows = Mapping[str, Sequence[tuple[object, ...]]]
"""The rows of all tables, by name. Tables to which others refer come first."""
_TABLES = ("sqlite_sequence", *(table.name for table in SQLModel.metadata.sorted_tables))
_free: list[Store] = []
"""The databases that nobody uses any more. A new connection would have to prepare every statement again."""
_when_emptied: dict[sqlite3.Connection, int] = {}
"""How many rows each connection had changed when it had deleted all."""


def store_of(owner: object) -> Store:
    """Return an empty SQLite database in memory for as long as `owner` is used. Only this thread can use it."""
    store = _free.pop() if _free else _new_store()
    fill(store, {})
    finalize(owner, _free.append, store).atexit = False
    return store


def _new_store() -> Store:
    store = Store.open_read_only("sqlite://?cached_statements=1000")
    with closing(sqlite3.connect(empty_file())) as file, closing(store.engine.raw_connection()) as pooled:
        file.backup(driver(pooled))
    return store


def rows_of(store: Store) -> Rows:
    """Return all rows of a database."""
    with closing(store.engine.raw_connection()) as pooled:
        connection = driver(pooled)
        return {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for name in _TABLES}


def fill(store: Store, rows: Rows) -> None:
    """Replace all rows of a database. No setting of the connection changes, so that its statements stay prepared."""
    with closing(store.engine.raw_connection()) as pooled:
        connection = driver(pooled)
        connection.execute("BEGIN")
        if connection.total_changes != _when_emptied.get(connection):
            for name in reversed(_TABLES):
                connection.execute(f'DELETE FROM "{name}"')
            _when_emptied[connection] = connection.total_changes
        for name, values in rows.items():
            if values:
                places = ", ".join("?" * len(values[0]))
                connection.executemany(f'INSERT INTO "{name}" VALUES ({places})', values)
        connection.execute("COMMIT")


@dataclass(frozen=True)
class Memory:
    """What is stored, as a mail of now would load it. `causes` has the services and the time."""

    store: Store
    causes: Causes

    @property
    def tables(self) -> dict[GameNumber, Game]:
        """All games."""
        return {game.number: game for game in self._all(GameRow, SqlQueries.game) if game is not None}

    @property
    def players(self) -> dict[PlayerId, Player]:
        """All players, including erased ones."""
        return {one.id: one for one in self._all(PlayerRow, SqlQueries.player)}

    @property
    def open_seeks(self) -> dict[SeekNumber, Seek]:
        """All seeks."""
        return {seek.number: seek for seek in sorted(self.look(SqlQueries.seeks), key=attrgetter("number"))}

    def _all(self, table: type[SQLModel], load: Callable[[SqlQueries, Any], T]) -> list[T]:
        def loaded(queries: SqlQueries) -> list[T]:
            found = select(table.id).order_by(table.id)  # type: ignore[attr-defined]
            return [load(queries, number) for number in queries.session.exec(found).all()]

        return self.look(loaded)

    @property
    def outbox(self) -> dict[MessageId, Letter]:
        """All letters, in the order in which they were written."""
        with self.store.transaction() as session:
            rows = session.exec(select(OutboxRow).order_by(col(OutboxRow.id))).all()
            return {MessageId(row.message_id): _letter(row) for row in rows}

    @property
    def pending(self) -> list[Pending]:
        """All that waits for a word, and what is over."""
        with self.store.transaction() as session:
            return PENDING.values_of(run(session, PENDING.query))

    @property
    def questions(self) -> list[Pending]:
        """The questions that belong to no game."""
        return [one for one in self.pending if one.game is None]

    @property
    def tasks(self) -> dict[Task, object]:
        """What is to be thought about, and when."""
        with self.store.transaction() as session:
            rows = session.exec(select(DueRow)).all()
        thought = [row for row in rows if row.work.partition(" ")[0] in tuple(TaskKind)]
        return {Task.from_key(GameNumber(row.subject), row.work): row.due_at for row in thought}

    @property
    def log(self) -> Sequence[OperatorLogRow]:
        """The operator's log."""
        with self.store.transaction() as session:
            return session.exec(select(OperatorLogRow).order_by(col(OperatorLogRow.id))).all()

    @property
    def remembered(self) -> Sequence[RememberedAddressRow]:
        """What is remembered of addresses that belong to nobody."""
        with self.store.transaction() as session:
            return session.exec(select(RememberedAddressRow)).all()

    def look(self, question: Callable[[SqlQueries], T]) -> T:
        """Return the result of a query."""
        with self.store.transaction() as session:
            return question(self.causes.queries(session))

    def player_by_address(self, address: str) -> Player | None:
        return self.look(lambda queries: queries.player_by_address(address))

    def mailbox(self, address: str) -> Mailbox:
        return self.look(lambda queries: queries.mailbox(address))

    # Changes without a mail.

    def put(self, *changed: Player | Game | Seek) -> None:
        """Store players, seeks, and games with their turns, new or in place of those with the same numbers."""
        players = {one.id: one for one in changed if isinstance(one, Player)}
        games = {one.number: one for one in changed if isinstance(one, Game)}
        seeks = {one.number: one for one in changed if isinstance(one, Seek)}
        stored = Reading(
            players=self.players.values(),
            games=(one for number, one in self.tables.items() if number in games),
            seeks=(one for number, one in self.open_seeks.items() if number in seeks),
        )
        after = World(stored, players=players, games=games, seeks=seeks)
        now = self.causes.now()
        with self.store.transaction() as session:
            write(session, Snapshot(Cause("a test"), now, b"", after), Outcome(world=after))

    def set_state(self, state: LetterState, *letters: MessageId) -> None:
        """Store that letters are in this state."""
        with self.store.transaction() as session:
            session.exec(update(OutboxRow).where(col(OutboxRow.message_id).in_(letters)).values(state=state))

    def send_all(self) -> None:
        """Send all queued letters but those that wait for a thought."""
        with self.store.transaction() as session:
            queued = col(OutboxRow.state) == LetterState.QUEUED
            leaves = col(OutboxRow.due_at) < self.causes.now() + WAIT_FOR_THOUGHT
            session.exec(update(OutboxRow).where(queued, leaves).values(state=LetterState.SENT))

    def lose(self, letter: MessageId) -> None:
        """Delete a letter and what it asks, as if an older backup had been restored."""
        with self.store.transaction() as session:
            row = session.exec(select(OutboxRow).where(OutboxRow.message_id == letter)).one()
            session.exec(delete(PendingRow).where(col(PendingRow.letter_id) == row.id))
            session.delete(row)

    def end_tasks(self, *tasks: Task) -> None:
        """Delete tasks, as if they had been done."""
        with self.store.transaction() as session:
            for task in tasks:
                session.delete(session.get_one(DueRow, (task.game, task.key)))

    def add_task(self, task: Task) -> None:
        """Store that something is to be thought about now."""
        with self.store.transaction() as session:
            due.set_due(session, task.game, task.key, self.causes.now())

    def leave_waiting(self, sender: str) -> int:
        """Store a mail that is not handled yet, and return its number."""
        now = self.causes.now()
        with self.store.transaction() as session:
            number = inbox.record(session, inbox.NewMail(f"waits since {now}", now, sender=sender))
        assert number is not None
        return number

    def drop_waiting(self, number: int) -> None:
        """Delete a mail."""
        with self.store.transaction() as session:
            session.delete(session.get_one(InboxRow, number))


def _letter(row: OutboxRow) -> Letter:
    """Return a letter as it is stored."""
    seat = None if row.seat is None else Seat(row.seat)
    return Letter(
        message_id=MessageId(row.message_id),
        mail_from=row.mail_from,
        mail_to=row.mail_to,
        content=Rendered(row.raw, row.text, row.html_text, row.drawings),
        purpose=row.purpose,
        state=row.state,
        due_at=row.due_at,
        created_at=row.created_at,
        about=About(row.game_id, seat, row.version, row.turn, row.reported_turn),
        purge_after_send=row.purge_after_send,
        budget=row.budget,
    )
