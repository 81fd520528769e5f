"""Run statements on a session's connection, without the work of the ORM and of SQLAlchemy's results."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy
from sqlalchemy import CursorResult, Executable, Insert
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from takmail.store.prepared import Rows, execute, prepared

select: Any = sqlalchemy.select
"""SQLAlchemy's `select`, typed as Any, as SQLModel's `select` has types that don't fit rows of columns."""


def run(session: Session, statement: Executable, **values: object) -> Rows:
    """Flush the session and run a statement that was built with its module. `values` are its parameters.

    The statement is compiled once. Rows that the session has loaded keep their old attributes, even if the statement
    changes them.
    """
    session.flush()
    connection = session.connection()
    return prepared(statement, connection.dialect, *values).run(connection, values)


def run_many(session: Session, statement: Executable, rows: Sequence[Mapping[str, object]]) -> None:
    """Run a statement once for each mapping of parameters. All mappings must have the same keys."""
    if rows:
        session.flush()
        connection = session.connection()
        prepared(statement, connection.dialect, *rows[0]).run_many(connection, rows)


def run_built(session: Session, statement: Executable, **values: object) -> CursorResult[Any]:
    """Flush the session and run a statement that was built for this call. `values` are its parameters.

    SQLAlchemy recognises such a statement by its structure, which is cheaper than to compile it again.
    """
    session.flush()
    return session.connection().execute(statement, values)


@contextmanager
def savepoint(session: Session) -> Iterator[None]:
    """Undo the changes of the block if it raises an IntegrityError, and raise it. The transaction stays usable."""
    session.flush()
    connection = session.connection()
    execute(connection, "SAVEPOINT block")
    try:
        yield
    except IntegrityError:
        execute(connection, "ROLLBACK TO SAVEPOINT block")
        raise
    execute(connection, "RELEASE SAVEPOINT block")


def insert(session: Session, statement: Insert, row: object) -> int:
    """Insert a row without adding it to the session, and return the number that the database gave it.

    Raises sqlalchemy's IntegrityError if the row exists already.
    """
    columns = (one.key for one in statement.table.columns)
    given = {key: getattr(row, key, None) for key in columns}
    return insert_values(
        session, statement, {key: value for key, value in given.items() if value is not None}
    )


def insert_values(session: Session, statement: Insert, values: Mapping[str, object]) -> int:
    """Insert a row with these values, and return the number that the database gave it. Raises as `insert` does."""
    done = run(session, statement, **values)
    number = done.scalar() if done.rows else done.last_id
    assert number is not None
    return int(number)
