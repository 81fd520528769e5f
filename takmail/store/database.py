"""Opening the database: one engine, brought to the newest schema, and transactions on it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from sqlite3 import OperationalError as SqliteOperationalError
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, make_url, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, InterfaceError, InternalError, OperationalError
from sqlmodel import Session

from takmail.store.schema import BEFORE, BUSY_SECONDS, migrate, version_of
from takmail.store.upgrade import bring_up, upgrade_within

_GONE = "its file is gone, or another is in its place: put it back, or start takmail anew"


class WatchedFile:
    """Watches an engine's file: SQLite itself would write on to one that nobody finds again after a restart."""

    def __init__(self, engine: Engine, file: str) -> None:
        self._file = file
        self._known: tuple[int, int] | None = None
        # Before anything is opened, too, as SQLite makes a file that is missing, without a word and empty.
        event.listen(engine, "do_connect", self._check)
        event.listen(engine, "connect", self._remember)
        event.listen(engine, "checkout", self._check)

    def _remember(self, *_what: Any) -> None:
        self._known = self._known or self._found()

    def _check(self, *_what: Any) -> None:
        if self._known is not None and self._found() != self._known:
            raise OperationalError(None, None, sqlite3.OperationalError(_GONE))

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._file)
        except OSError:
            return None
        return found.st_dev, found.st_ino


AWAY = (OperationalError, InterfaceError, InternalError)
"""What is raised while the database is away, busy or full: no fault of what was to be done with it.

So are a deadlock that PostgreSQL has ended, and a server that has become a read-only one.
"""
GONE_SECONDS = 60
"""How long PostgreSQL leaves to a process that says nothing more, or can't be reached, what it has locked."""

_COLLISIONS = ("40001", "40P01")
"""PostgreSQL's codes for a serialization failure and a deadlock."""

_WAITS_FOR_DISK = "takmail_waits_for_disk"
"""The execution option of an engine whose commits return when the disk has them."""

_MIGRATING = 7_827_106
"""The number of PostgreSQL's lock for which processes that start at the same time wait."""


class Store:
    """The database of one takmail; `open` it once, then work in transactions."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._without_waiting = engine.execution_options(**{_WAITS_FOR_DISK: False})

    @classmethod
    def open(cls, url: str) -> "Store":
        """Connect to a URL and run the migrations that are due; raises CannotOpen and SQLAlchemy's errors."""
        if _is_sqlite(url):
            _make_private(make_url(url).database)
        store = cls.untouched(url)
        try:
            store._bring_up(_file_of(url))
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def untouched(cls, url: str) -> "Store":
        """A database as it is, for rehearsals only: it may be of an older takmail, and is not brought up to date."""
        sqlite = _is_sqlite(url)
        # What an error says goes into logs and notes, and a statement's parameters are players' mails.
        engine = create_engine(
            url,
            connect_args={"timeout": BUSY_SECONDS} if sqlite else {},
            hide_parameters=True,
            pool_pre_ping=not sqlite,
        )
        if sqlite:
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
            if _is_file(file := make_url(url).database):
                WatchedFile(engine, str(file))
        elif engine.dialect.name == "postgresql":
            event.listen(engine, "connect", _prepare_postgresql)
            event.listen(engine, "begin", _begin_postgresql)
        return cls(engine)

    def _bring_up(self, file: Path | None) -> None:
        """Make the tables, or bring those of the schema before to that of today; mostly there is nothing to do."""
        with self.engine.begin() as connection:
            version = version_of(connection)
            if version is None:
                if connection.dialect.name == "postgresql":
                    connection.execute(select(func.pg_advisory_xact_lock(_MIGRATING)))
                migrate(connection)
        if version == BEFORE:
            bring_up(self.engine, file)

    def has_tables(self) -> bool:
        """Whether anything was ever made in it; raises CannotOpen where takmail can't go on from that."""
        with self.engine.begin() as connection:
            return version_of(connection) is not None

    @contextmanager
    def transaction(self, *, lasting: bool = True) -> Iterator[Session]:
        """All or nothing: commits at the end of the block, rolls back if it raises.

        One that isn't `lasting` is seen by all at once, and is on the disk no later than the next one that is: the
        database's log is written in order. A machine that loses its power before may take it back, so nobody may be
        told of it until then.
        """
        engine = self.engine if lasting else self._without_waiting
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def rehearsal(self) -> Iterator[Session]:
        """What is done in the block is seen in it alone: it is always taken back.

        So are the migrations that are due, where the database can take a change of its tables back (MySQL can't).
        """
        with self.engine.connect() as connection, connection.begin() as whole:
            try:
                version = version_of(connection)
                if version is None:
                    migrate(connection)
                elif version == BEFORE:
                    upgrade_within(connection)
                with Session(connection, expire_on_commit=False) as session:
                    yield session
            finally:
                whole.rollback()

    def wipe(self, *, thoroughly: bool = False) -> None:
        """Leave no bytes of what was deleted in the files of SQLite; other databases see to that themselves.

        Its log keeps old pages until they are overwritten. `secure_delete` overwrites what is deleted, but not the
        copies that are left where a page was divided: `thoroughly` writes the whole file anew, which takes up to
        twice its size on the disk, and time in which nobody else writes: 15 to 24 seconds were measured for 830 MiB.
        Raises sqlite3's OperationalError while the database is busy or the disk is full.
        """
        if self.engine.dialect.name != "sqlite":
            return
        # Neither may stand in a transaction, and every connection of the engine's begins one.
        connection = self.engine.raw_connection()
        try:
            if thoroughly:
                connection.cursor().execute("VACUUM").close()
            with closing(connection.cursor()) as cursor:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                if (row := cursor.fetchone()) and row[0]:  # a reader still needs the log: it isn't raised
                    raise SqliteOperationalError("the database is being read")
        finally:
            connection.close()

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()


def is_damage(error: Exception) -> bool:
    """Whether it says that the database is broken: what is made from it tells what is wrong with a statement."""
    return type(error) is DatabaseError


def has_collided(error: Exception) -> bool:
    """Whether two transactions were in each other's way: the one that was rolled back for it is tried again at once."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) in _COLLISIONS


def is_there(url: str) -> bool:
    """Whether a database has been made; of one on a server that can't be told, and it counts as there."""
    file = make_url(url).database
    return not _is_sqlite(url) or (bool(file) and file != ":memory:" and Path(str(file)).exists())


def _is_sqlite(url: str) -> bool:
    return make_url(url).get_backend_name() == "sqlite"


def _file_of(url: str) -> Path | None:
    """The file of a database of SQLite's, if it has one."""
    file = make_url(url).database
    return Path(str(file)) if _is_sqlite(url) and _is_file(file) else None


def _is_file(name: str | None) -> bool:
    return bool(name) and name != ":memory:" and not str(name).startswith("file:")


def _make_private(file: str | None) -> None:
    """Let a new database be its owner's alone: it holds people's mails. What SQLite puts beside it follows it."""
    if file and _is_file(file):
        with suppress(OSError):  # whoever may not make it here is told so by SQLite
            os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))


def _prepare_sqlite(connection: SqliteConnection, _record: Any) -> None:
    # The driver's own transactions start too late to keep two readers from both deciding to write.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _prepare_postgresql(connection: DBAPIConnection, _record: Any) -> None:
    # Isolation: whoever has waited for a lock is to see what the one before has done, and not to begin anew.
    settings = {
        "default_transaction_isolation": "read committed",
        "lock_timeout": f"{BUSY_SECONDS}s",
        "idle_in_transaction_session_timeout": f"{GONE_SECONDS}s",
        "tcp_keepalives_idle": GONE_SECONDS // 2,
        "tcp_keepalives_interval": GONE_SECONDS // 6,
        "tcp_keepalives_count": 3,
    }
    with closing(connection.cursor()) as cursor:
        cursor.execute("; ".join(f"SET {name} = '{value}'" for name, value in settings.items()))
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    # Within a transaction this could not be changed, and the connection may have been used for either before.
    connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if _waits_for_disk(connection) else 'NORMAL'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_postgresql(connection: Connection) -> None:
    if not _waits_for_disk(connection):
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")


def _waits_for_disk(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get(_WAITS_FOR_DISK, True))
