"""What each mail asks and writes, without the session's own way of doing so, which takes two to three times as long."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import CursorResult, Executable, Insert
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, SQLModel


def run(session: Session, statement: Executable, **values: object) -> CursorResult[Any]:
    """Carry out a statement about columns and not about whole rows; what the session has still to write comes first.

    Of the rows that the session has read it notices no change.
    """
    session.flush()
    return session.connection().execute(statement, values)


def few(session: Session, statement: Executable, **values: object) -> Sequence[Any]:
    """The rows that a statement finds, where it mostly finds none: only for one that there is the session is asked."""
    if run(session, statement, **values).first() is None:
        return []
    return session.execute(statement, values).scalars().all()


def as_stored(row: SQLModel, **values: object) -> None:
    """Have a row that the session has read say what a statement has just stored of it."""
    for name, value in values.items():
        set_committed_value(row, name, value)


def insert(session: Session, statement: Insert, row: object) -> int:
    """Store a new row of the statement's table, which the session won't know; gives its number, as the table may do.

    Raises sqlalchemy's IntegrityError if there is such a row already.
    """
    columns = (one.key for one in statement.table.columns)
    given = {key: getattr(row, key, None) for key in columns}
    done = run(session, statement, **{key: value for key, value in given.items() if value is not None})
    assert done.inserted_primary_key is not None
    number: int = done.inserted_primary_key[0]
    return number
