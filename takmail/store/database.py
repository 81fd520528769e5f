"""Open the database, migrate it, and run transactions on it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from sqlite3 import OperationalError as SqliteOperationalError
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, InterfaceError, InternalError, OperationalError
from sqlmodel import Session

from takmail.store.schema import BUSY_SECONDS, HEAD, lock_schema, migrate, version_of
from takmail.store.upgrade import bring_up, upgrade_within

_FILE_REPLACED = "its file is gone or was replaced: put it back, or restart takmail"


class WatchedFile:
    """Detects that SQLite's file was deleted or replaced.

    SQLite would keep writing to a deleted file, whose content would be lost at the next restart.
    """

    def __init__(self, engine: Engine, file: str) -> None:
        self._file = file
        self._known: tuple[int, int] | None = None
        # Also checked before connecting, as SQLite silently creates an empty file if it is missing.
        event.listen(engine, "do_connect", self._check)
        event.listen(engine, "connect", self._remember)
        event.listen(engine, "checkout", self._check)

    def _remember(self, *_what: Any) -> None:
        self._known = self._known or self._found()

    def _check(self, *_what: Any) -> None:
        if self._known is not None and self._found() != self._known:
            raise OperationalError(None, None, sqlite3.OperationalError(_FILE_REPLACED))

    def _found(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._file)
        except OSError:
            return None
        return found.st_dev, found.st_ino


UNAVAILABLE = (OperationalError, InterfaceError, InternalError)
"""The errors that mean that the database is unavailable, busy or full. The operation that got one can be retried.

PostgreSQL raises one of them also for a deadlock that it ended, and if the server has become read-only.
"""
IDLE_SECONDS = 60
"""Seconds after which PostgreSQL releases the locks of a client that is silent or unreachable."""

_COLLISIONS = ("40001", "40P01")
"""PostgreSQL's codes for a serialization failure and a deadlock."""

_WAITS_FOR_DISK = "takmail_waits_for_disk"
"""The name of the execution option of an engine whose commits wait until the data is on disk."""


class Store:
    """The database. `open` it once, then run transactions."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._without_waiting = engine.execution_options(**{_WAITS_FOR_DISK: False})

    @classmethod
    def open(cls, url: str) -> "Store":
        """Connect to the database at a URL and migrate it if needed. Raises CannotOpen and SQLAlchemy's errors."""
        if _is_sqlite(url):
            _make_private(make_url(url).database)
        store = cls.open_read_only(url)
        try:
            store._migrate(_file_of(url))
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open_read_only(cls, url: str) -> "Store":
        """Connect to the database at a URL without migrating it.

        Its schema may be older, so callers other than `open` must not change the data.
        """
        sqlite = _is_sqlite(url)
        # Error messages are logged and stored. They must not quote parameters, which contain players' mails.
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

    def _migrate(self, file: Path | None) -> None:
        """Create the tables, or upgrade those of an older schema. Do nothing if the schema is current."""
        with self.engine.begin() as connection:
            version = version_of(connection)
            if version is None:
                lock_schema(connection)
                migrate(connection)
        if version not in (None, HEAD):
            bring_up(self.engine, file)

    def has_tables(self) -> bool:
        """Return whether the database has tables. Raises CannotOpen if takmail can't use them."""
        with self.engine.begin() as connection:
            return version_of(connection) is not None

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[Session]:
        """Run the block in a transaction. Commit after the block, or roll back if the block raises.

        With `durable=False` the commit does not wait for the disk. Other transactions see it at once. The next durable
        commit also puts it on disk, as the database writes its log in order. Until then a power cut may undo the
        commit, so nobody may be notified of its content.
        """
        engine = self.engine if durable else self._without_waiting
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def dry_run(self) -> Iterator[Session]:
        """Run the block in a transaction that is always rolled back.

        The transaction begins with the due migrations, if the database can roll back changes of tables (MySQL can't).
        """
        with self.engine.connect() as connection, connection.begin() as whole:
            try:
                version = version_of(connection)
                if version is None:
                    migrate(connection)
                elif version != HEAD:
                    upgrade_within(connection)
                with Session(connection, expire_on_commit=False) as session:
                    yield session
            finally:
                whole.rollback()

    def checkpoint(self) -> None:
        """Empty SQLite's log, which keeps old pages until they are overwritten. Other databases need nothing.

        Deleted content is overwritten in the file itself (`secure_delete`). Raises sqlite3's OperationalError while
        the database is busy.
        """
        if self.engine.dialect.name != "sqlite":
            return
        # This can't run in a transaction, and every connection of the engine begins one.
        connection = self.engine.raw_connection()
        try:
            with closing(connection.cursor()) as cursor:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                if (row := cursor.fetchone()) and row[0]:  # a reader needs the log; SQLite doesn't raise
                    raise SqliteOperationalError("the database is being read")
        finally:
            connection.close()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def is_damage(error: Exception) -> bool:
    """Return whether an error means that the database is damaged.

    For damage, SQLAlchemy raises exactly DatabaseError. For other causes, such as a faulty statement, it raises a
    subclass.
    """
    return type(error) is DatabaseError


def has_collided(error: Exception) -> bool:
    """Return whether an error means that two transactions collided. The failed one can be retried at once."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) in _COLLISIONS


def is_there(url: str) -> bool:
    """Return whether the database at a URL exists. A database on a server is assumed to exist."""
    file = make_url(url).database
    return not _is_sqlite(url) or (bool(file) and file != ":memory:" and Path(str(file)).exists())


def _is_sqlite(url: str) -> bool:
    return make_url(url).get_backend_name() == "sqlite"


def _file_of(url: str) -> Path | None:
    """Return the database's file if the URL is that of an SQLite file, otherwise None."""
    file = make_url(url).database
    return Path(str(file)) if _is_sqlite(url) and _is_file(file) else None


def _is_file(name: str | None) -> bool:
    return bool(name) and name != ":memory:" and not str(name).startswith("file:")


def _make_private(file: str | None) -> None:
    """Create a missing database file that only its owner can read, as mails are private.

    SQLite's other files inherit its permissions.
    """
    if file and _is_file(file):
        with suppress(OSError):  # SQLite itself reports missing permissions
            os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))


def _prepare_sqlite(connection: SqliteConnection, _record: Any) -> None:
    # The driver begins a transaction only before the first change. Two readers could then both decide to write.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _prepare_postgresql(connection: DBAPIConnection, _record: Any) -> None:
    # With read committed, a transaction that waited for a lock sees the other one's changes and need not restart.
    settings = {
        "default_transaction_isolation": "read committed",
        "lock_timeout": f"{BUSY_SECONDS}s",
        "idle_in_transaction_session_timeout": f"{IDLE_SECONDS}s",
        "tcp_keepalives_idle": IDLE_SECONDS // 2,
        "tcp_keepalives_interval": IDLE_SECONDS // 6,
        "tcp_keepalives_count": 3,
    }
    with closing(connection.cursor()) as cursor:
        cursor.execute("; ".join(f"SET {name} = '{value}'" for name, value in settings.items()))
    connection.commit()


def _begin_sqlite(connection: Connection) -> None:
    # The setting can't be changed within a transaction, and the pooled connection may still have the other value.
    connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if _waits_for_disk(connection) else 'NORMAL'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_postgresql(connection: Connection) -> None:
    if not _waits_for_disk(connection):
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")


def _waits_for_disk(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get(_WAITS_FOR_DISK, True))
