"""A statement by the driver's cursor raises the errors that SQLAlchemy itself raises for it."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, ProgrammingError

from takmail.store.database import UNAVAILABLE, Store
from takmail.store.statements import by_driver
from tests.support.databases import ON_POSTGRESQL

NO_COLUMN = ProgrammingError if ON_POSTGRESQL else OperationalError
LOST = OperationalError if ON_POSTGRESQL else ProgrammingError
PLACE = "%s" if ON_POSTGRESQL else "?"
INSERT = f"INSERT INTO player (id, created_at, name) VALUES (1, '2026-11-21', {PLACE})"
SECRET = "a secret"
HIDDEN = "\n[SQL parameters hidden due to hide_parameters=True]"


@contextmanager
def away(connection: Connection) -> Iterator[None]:
    """Let a connection be lost."""
    if ON_POSTGRESQL:
        number = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        other = create_engine(connection.engine.url)
        with other.begin() as server:
            server.exec_driver_sql(f"SELECT pg_terminate_backend({number}, 10000)")
        other.dispose()
    else:
        connection.connection.driver_connection.close()  # type: ignore[union-attr]
    yield


@contextmanager
def locked(connection: Connection) -> Iterator[None]:
    """Lock the players for a connection that doesn't wait."""
    if ON_POSTGRESQL:
        lock = "LOCK TABLE player"
        connection.exec_driver_sql("SET LOCAL lock_timeout = '1ms'")
    else:
        lock = "BEGIN IMMEDIATE"
        connection.exec_driver_sql("COMMIT")  # a transaction of takmail has the lock from its beginning
        connection.exec_driver_sql("PRAGMA busy_timeout = 0")
    other = create_engine(connection.engine.url)
    with other.connect() as holder:
        holder.exec_driver_sql(lock)
        yield
    other.dispose()


def caught(
    store: Store, run: Callable[..., Any], around: Callable[..., AbstractContextManager[None]], sql: str
) -> tuple[DBAPIError, bool]:
    """Return the error of a statement, and whether its connection is dropped."""
    with store.engine.connect() as connection:
        connection.begin()
        with around(connection), pytest.raises(DBAPIError) as error:
            run(connection, sql, (SECRET,))
        return error.value, connection.invalidated


@pytest.mark.parametrize(
    ("around", "sql", "kind", "is_unavailable", "is_lost"),
    [
        (nullcontext, INSERT, IntegrityError, False, False),
        (nullcontext, f"SELECT nothing, {PLACE}", NO_COLUMN, not ON_POSTGRESQL, False),
        (locked, INSERT, OperationalError, True, False),
        (away, INSERT, LOST, ON_POSTGRESQL, True),
    ],
    ids=["unique", "faulty", "locked", "lost"],
)
def test_an_error_is_the_one_of_sqlalchemy(
    store: Store,
    around: Callable[..., AbstractContextManager[None]],
    sql: str,
    kind: type[DBAPIError],
    is_unavailable: bool,
    is_lost: bool,
) -> None:
    with store.transaction() as session:
        assert by_driver(session.connection(), INSERT, ("Ada",)).rowcount == 1
    expected, _ = caught(store, Connection.exec_driver_sql, around, sql)
    error, is_dropped = caught(store, by_driver, around, sql)
    assert type(error) is type(expected) is kind
    assert type(error.orig) is type(expected.orig)
    assert isinstance(error, UNAVAILABLE) is is_unavailable
    assert error.connection_invalidated is expected.connection_invalidated is is_dropped is is_lost
    assert str(error) == str(expected).replace(HIDDEN, "")
    assert SECRET not in repr(error) + str(error.params)
    with store.transaction() as session:
        assert by_driver(session.connection(), "SELECT count(*) FROM player", ()).rows[0][0] == 1


class Interrupting:
    """A parameter at which the operator interrupts."""

    def __conform__(self, _protocol: object) -> None:
        raise KeyboardInterrupt


@pytest.mark.sqlite("psycopg looks at the parameter's type only")
def test_a_connection_whose_statement_is_interrupted_is_dropped(store: Store) -> None:
    with store.engine.connect() as connection:
        with pytest.raises(KeyboardInterrupt):
            by_driver(connection, INSERT, (Interrupting(),))
        assert connection.invalidated
