"""Open the database, migrate it, and run transactions on it."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from sqlite3 import OperationalError as SqliteOperationalError
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DatabaseError, InterfaceError, InternalError, OperationalError
from sqlmodel import Session

from takmail.store import statements
from takmail.store.machine_time import TimeSource, utc_now
from takmail.store.schema import BUSY_SECONDS, HEAD, CannotUse, DatabaseFault, create, version_of
from takmail.store.sqlite_file import PageCheck, SqliteLog, WatchedFile, sqlite_file

UNAVAILABLE = (OperationalError, InterfaceError, InternalError)
"""The errors that mean that the database is unavailable, busy or full. The operation that got one can be retried.

PostgreSQL raises one of them also for a deadlock that it ended, and if the server has become read-only.
"""
IDLE_SECONDS = 60
"""Seconds after which PostgreSQL releases the locks of a client that is silent or unreachable."""

_COLLISIONS = ("40001", "40P01")
"""PostgreSQL's codes for a serialization failure and a deadlock."""

_ADVICE = {
    "unable to open": "takmail's user has to be able to write to its folder: make the folder, give it to that user, or"
    " set `url` in [store] to a file in another one",
    "readonly database": "give the file and its folder to takmail's user",
    "disk is full": "make room on its disk, and all goes on: nothing is lost",
    "disk I/O error": "its disk is full or broken",
    "malformed": "it is damaged: restore the last backup",
    "not a database": "it is damaged: restore the last backup",
    "password authentication failed": "correct the user or the password in the url",
    "no password supplied": "put the password into the url, or name a file with it by ?passfile=",
    "no pg_hba.conf entry": "the server accepts no connection from here: see its pg_hba.conf",
    "does not exist": "create it there, as docs/running.md describes",
    "starting up": "wait until it is ready",
    "too many ": "raise its max_connections",
    "failed to resolve host": "correct the host in the url",
    "permission denied": "make the user own the database: ALTER DATABASE … OWNER TO …",
    "invalid connection option": "check the part after the ? in the url",
    "failed: ": "start the server, or correct host and port in the url",
}
"""Advice for the operator by a part of the English error message of SQLite or PostgreSQL. The first match counts."""

_WAITS_FOR_DISK = "takmail_waits_for_disk"
"""The name of the execution option of an engine whose commits wait until the data is on disk."""

_ONLY_READS = "takmail_only_reads"
"""The name of the execution option of an engine whose transactions change nothing."""

_SYNCHRONOUS = "synchronous"
"""The name under which SQLAlchemy keeps the current setting with a connection to SQLite."""


class Store:
    """The database. `open` it once, then run transactions."""

    def __init__(self, engine: Engine, log: SqliteLog | None = None, pages: PageCheck | None = None) -> None:
        """Use the database of an engine. `log` and `pages` are an SQLite file's, and None for other databases."""
        self.engine = engine
        self._log = log
        self.pages = pages
        # Without a log to sync, for example if the URL of SQLite's file is a URI, all commits wait.
        can_sync = log is not None or engine.dialect.name != "sqlite"
        self._without_waiting = engine.execution_options(**{_WAITS_FOR_DISK: not can_sync})
        self._only_reading = engine.execution_options(**{_ONLY_READS: True})

    @classmethod
    def open(cls, url: str, time_source: TimeSource = utc_now, *, upgrades: bool = False) -> "Store":
        """Connect to the database at a URL, and make its tables if it has none.

        `upgrades` allows to upgrade a database with an older schema. Raises CannotUse and SQLAlchemy's errors.
        """
        file = sqlite_file(url)
        if file is not None:
            _make_private(file)
        store = cls.open_read_only(url)
        try:
            store._migrate(file, time_source, upgrades=upgrades)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def open_read_only(cls, url: str) -> "Store":
        """Connect to the database at a URL without making or upgrading its tables.

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
            if file := sqlite_file(url):
                WatchedFile(engine, str(file))
                # SQLite follows links, and has the log beside the file itself.
                return cls(engine, SqliteLog(Path(f"{os.path.realpath(file)}-wal")), PageCheck(file))
        elif engine.dialect.name == "postgresql":
            event.listen(engine, "connect", _prepare_postgresql)
            event.listen(engine, "begin", _begin_postgresql)
        return cls(engine)

    def _migrate(self, file: Path | None, time_source: TimeSource, *, upgrades: bool) -> None:
        """Create the tables, or upgrade those of an older schema if allowed. Do nothing if the schema is current."""
        with self.engine.begin() as connection:
            version = version_of(connection)
            if version is None:
                create(connection)
        if version not in (None, HEAD):
            if not upgrades:
                raise CannotUse(DatabaseFault.TO_UPGRADE, why=str(version))
            from takmail.store.upgrade import bring_up  # loads the grammar, and is rarely needed

            bring_up(self.engine, file, time_source())

    def has_tables(self) -> bool:
        """Return whether the database has tables. Raises CannotUse if takmail can't use them."""
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
        with engine.begin() as connection, Session(connection, expire_on_commit=False) as session:
            with _ended(session):
                yield session
            session.flush()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Run the block in a transaction that changes nothing, and lets others write meanwhile."""
        begun = self._only_reading.begin()
        with begun as connection, Session(connection, expire_on_commit=False) as session, _ended(session):
            yield session

    @contextmanager
    def dry_run(self) -> Iterator[Session]:
        """Run the block in a transaction that is always rolled back.

        A database without tables gets them, and loses them again. Raises CannotUse if its schema is older.
        """
        with self.engine.connect() as connection, connection.begin() as whole:
            try:
                version = version_of(connection)
                if version is None:
                    create(connection)
                elif version != HEAD:
                    raise CannotUse(DatabaseFault.TO_UPGRADE, why=version)
                with Session(connection, expire_on_commit=False) as session, _ended(session):
                    yield session
            finally:
                whole.rollback()

    def sync(self) -> None:
        """Wait until everything committed so far is on disk. May run in any thread. Raises SQLAlchemy's errors.

        On SQLite this writes its log to the disk, as a durable commit does, but without locking out other writers. On
        PostgreSQL it is a durable commit. Where neither is known, every commit is durable.
        """
        if self._log is not None:
            try:
                if self._log.has_failed:
                    self.checkpoint()
                    self._log.has_failed = False
                else:
                    self._log.sync()
            except sqlite3.OperationalError as error:
                raise OperationalError(None, None, error) from error
            except sqlite3.DatabaseError as error:
                raise DatabaseError(None, None, error) from error
        elif self.engine.dialect.name == "postgresql":
            with self.engine.begin() as connection:
                # A commit waits for the disk only if its transaction has written to the log.
                connection.exec_driver_sql("SELECT pg_logical_emit_message(true, 'takmail', '')")

    def checkpoint(self) -> None:
        """Empty SQLite's log, which keeps old pages until they are overwritten. Other databases need nothing.

        Deleted content is overwritten in the file itself (`secure_delete`). Raises sqlite3's OperationalError while
        the database is busy.
        """
        if self.engine.dialect.name != "sqlite":
            return
        if self.pages is not None:
            self.pages.interrupt()  # a check reads for long, and is run again
        # This can't run in a transaction, and every connection of the engine begins one.
        with closing(self.engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if (row := cursor.fetchone()) and row[0]:  # a reader needs the log; SQLite doesn't raise
                raise SqliteOperationalError("the database is being read")

    def close(self) -> None:
        """Close all connections."""
        if self._log is not None:
            self._log.close()
        self.engine.dispose()


_AT_END = "what is called at the end"


def at_end(session: Session, call: Callable[[], None]) -> None:
    """Call a function when the transaction of a session ends."""
    session.info.setdefault(_AT_END, []).append(call)


@contextmanager
def _ended(session: Session) -> Iterator[None]:
    try:
        yield
    finally:
        for call in session.info.pop(_AT_END, ()):
            call()


def is_damage(error: Exception) -> bool:
    """Return whether an error means that the database is damaged.

    For damage, SQLAlchemy raises exactly DatabaseError. For other causes, such as a faulty statement, it raises a
    subclass.
    """
    return type(error) is DatabaseError


def advice(error: Exception) -> str:
    """Return what the operator has to do about an error of the database, in words that follow its message, or ''."""
    said = str(error).partition("\n")[0]
    return next((f"; {what_to_do}" for words, what_to_do in _ADVICE.items() if words in said), "")


def has_collided(error: Exception) -> bool:
    """Return whether an error means that two transactions collided. The failed one can be retried at once."""
    return getattr(getattr(error, "orig", None), "sqlstate", None) in _COLLISIONS


def is_there(url: str) -> bool:
    """Return whether the database at a URL exists. A database on a server is assumed to exist."""
    file = sqlite_file(url)
    return file.exists() if file is not None else not _is_sqlite(url)


def _is_sqlite(url: str) -> bool:
    return make_url(url).get_backend_name() == "sqlite"


def _make_private(file: Path) -> None:
    """Create a missing database file that only its owner can read, as mails are private.

    SQLite's other files inherit its permissions.
    """
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
    synchronous = "FULL" if _waits_for_disk(connection) else "NORMAL"
    if connection.info.get(_SYNCHRONOUS) != synchronous:
        statements.by_driver(connection, f"PRAGMA synchronous={synchronous}", ())
        connection.info[_SYNCHRONOUS] = synchronous
    only_reads = connection.get_execution_options().get(_ONLY_READS, False)
    statements.by_driver(connection, "BEGIN" if only_reads else "BEGIN IMMEDIATE", ())


def _begin_postgresql(connection: Connection) -> None:
    if not _waits_for_disk(connection):
        connection.exec_driver_sql("SET LOCAL synchronous_commit = off")


def _waits_for_disk(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get(_WAITS_FOR_DISK, True))
