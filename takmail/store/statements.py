"""Run statements that are built with their module. SQLAlchemy compiles each of them once to SQL text."""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import BindParameter, Connection, Dialect, Executable, exc
from sqlalchemy.sql.visitors import replacement_traverse
from sqlmodel import Session

select: Any = sqlalchemy.select
"""SQLAlchemy's `select`, typed as Any, as SQLModel's `select` has types that don't fit rows of columns."""

_Convert = Callable[[Any], Any]

_ERRORS = (
    "DataError",
    "OperationalError",
    "IntegrityError",
    "InternalError",
    "ProgrammingError",
    "NotSupportedError",
    "DatabaseError",
    "InterfaceError",
)
"""The names of the errors of PEP 249, which every driver raises and SQLAlchemy has, too."""

_LISTS = (list, tuple, set, frozenset)
_MOST_AT_ONCE = 1024
"""The longest list for which a statement of its own is kept. The lengths of longer lists are multiples of it."""


class Rows(list[Any]):
    """The rows that a statement returned, and the number of rows that it changed.

    The attributes of a row are the names of its columns.
    """

    rowcount: int = 0

    def first(self) -> Any:
        """Return the first row, or None."""
        return self[0] if self else None

    def scalar(self) -> Any:
        """Return the first column of the first row, or None if there is no row."""
        return self[0][0] if self else None

    def scalars(self) -> Sequence[Any]:
        """Return the first column of all rows."""
        return [row[0] for row in self]


def run(session: Session, statement: Executable, **values: object) -> Rows:
    """Flush the session and run a statement that was built with its module. `values` are its parameters.

    Rows that the session has loaded keep their old attributes, even if the statement changes them.
    """
    prepared, result = _executed(session, statement, values)
    rows = Rows(prepared.read(result.rows))
    rows.rowcount = result.rowcount
    return rows


def run_many(session: Session, statement: Executable, rows: Sequence[Mapping[str, object]]) -> int:
    """Run a statement once for each mapping of parameters, which all have the same keys and no lists.

    Return how many rows it has changed.
    """
    if not rows:
        return 0
    session.flush()
    connection: Any = session.bind
    prepared = _prepared(statement, connection.dialect, tuple([(name, None) for name in rows[0]]))
    return by_driver(connection, prepared.sql, [prepared.parameters(row) for row in rows]).rowcount


def insert(session: Session, statement: Executable, values: Mapping[str, object]) -> int | None:
    """Insert a row, and return the number that the database gave it. Return None if it was not inserted."""
    _, result = _executed(session, statement, values)
    if not result.rowcount:
        return None
    # PostgreSQL returns the key.
    return int(result.rows[0][0] if result.rows else result.lastrowid)


class DriverResult(NamedTuple):
    """What the driver's cursor has after a statement: its rows, the number of changed rows, and SQLite's last key."""

    rows: Sequence[Any]
    rowcount: int
    lastrowid: Any


def by_driver(connection: Connection, sql: str, values: Any) -> DriverResult:
    """Run a statement by a cursor of the driver, once, or once for each item of a list of parameters.

    Raises SQLAlchemy's errors, without parameters. A connection that is lost is dropped, and so is one whose statement
    was interrupted. SQLAlchemy's listeners to statements are not called.
    """
    driver = connection.connection
    cursor: Any = None
    try:
        cursor = driver.cursor()
        if isinstance(values, list):
            cursor.executemany(sql, values)
        else:
            cursor.execute(sql, values)
        rows = () if cursor.description is None else cursor.fetchall()
        # psycopg has no lastrowid.
        result = DriverResult(rows, cursor.rowcount, getattr(cursor, "lastrowid", None))
        cursor.close()
    except BaseException as error:
        dialect: Any = connection.dialect
        is_drivers = isinstance(error, dialect.dbapi.Error)
        is_lost = not isinstance(error, Exception) or (
            is_drivers and dialect.is_disconnect(error, driver, cursor)
        )
        if is_lost:
            connection.invalidate(error)
        elif cursor is not None:
            with suppress(Exception):
                cursor.close()
        if not is_drivers:
            raise
        raise _error_class(error)(
            sql, None, error, hide_parameters=True, connection_invalidated=is_lost
        ) from error
    return result


def _error_class(error: BaseException) -> type[exc.DBAPIError]:
    """Return SQLAlchemy's class for an error of the driver."""
    names = [base.__name__ for base in type(error).__mro__]
    return next((getattr(exc, name) for name in names if name in _ERRORS), exc.DBAPIError)


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A statement as SQL text for lists of certain lengths.

    * `keys` are the parameters of the SQL text in order, each with the function that converts its value
    * `is_positional`: the driver gets their values in this order, and not by name
    * `constants` are the values that the statement itself contains
    * `items` are the parameters for the items of each list
    * `read` converts the rows of the driver
    """

    sql: str
    keys: tuple[tuple[str, _Convert | None], ...]
    is_positional: bool
    constants: Mapping[str, Any]
    items: tuple[tuple[str, Sequence[str]], ...]
    read: Callable[[Iterable[Any]], Iterable[Any]]

    def parameters(self, values: Mapping[str, Any]) -> Any:
        """Return the driver's parameters for these values."""
        given = {**self.constants, **values}
        for name, keys in self.items:
            # The last item is repeated, which changes nothing about what IN matches.
            items = [*values[name]]
            given.update(zip(keys, [*items, *items[-1:] * (len(keys) - len(items))], strict=True))
        if self.is_positional:
            return tuple([given[key] if to is None else to(given[key]) for key, to in self.keys])
        return {key: given[key] if to is None else to(given[key]) for key, to in self.keys}


def _executed(
    session: Session, statement: Executable, values: Mapping[str, object]
) -> tuple[_Prepared, DriverResult]:
    session.flush()
    connection: Any = session.bind
    lengths = [
        (name, _filled_up(len(value)) if isinstance(value, _LISTS) else None)
        for name, value in values.items()
    ]
    prepared = _prepared(statement, connection.dialect, tuple(lengths))
    return prepared, by_driver(connection, prepared.sql, prepared.parameters(values))


def _filled_up(length: int) -> int:
    """Return the length to which a list is filled up, so that there are few different statements."""
    step = min(1 << max(length - 1, 0).bit_length(), _MOST_AT_ONCE)
    return -(-length // step) * step


@lru_cache(maxsize=1_000)
def _prepared(statement: Any, dialect: Dialect, lengths: tuple[tuple[str, int | None], ...]) -> _Prepared:
    """Compile a statement for parameters with these names, and lists of these lengths."""
    names = [name for name, _ in lengths]
    compiled = replacement_traverse(statement, {}, _constant).compile(dialect=dialect, column_keys=names)
    lists = {name: length for name, length in lengths if length is not None}
    state = compiled.construct_expanded_state(
        {name: None if length is None else [None] * length for name, length in lengths}
    )
    # The columns that an INSERT doesn't name, but that have a default.
    defaults = {
        column.key: column.default.arg for column in compiled.insert_prefetch if column.default.is_scalar
    }
    origin = {key: name for name, keys in state.parameter_expansion.items() for key in keys}
    keys, constants = [], {}
    for key in state.parameters if state.positiontup is None else state.positiontup:
        name = origin.get(key, key)
        convert = _impl(compiled.binds[name], dialect).bind_processor(dialect)
        if name not in names:
            value = defaults.get(key, state.parameters[key])
            constants[key] = value if convert is None else convert(value)
            convert = None
        keys.append((key, convert))
    return _Prepared(
        state.statement,
        tuple(keys),
        state.positiontup is not None,
        constants,
        # A column's value may be a tuple, too. Its parameter is not a list.
        tuple((name, tuple(items)) for name, items in state.parameter_expansion.items() if name in lists),
        _reader(getattr(statement, "exported_columns", {}), dialect),
    )


def _constant(element: Any, **_options: Any) -> Any:
    """Return a constant that becomes part of the SQL text.

    If SQLite compares a parameter with the condition of a partial index, it compiles the statement for each value.
    """
    if isinstance(element, BindParameter) and not element.required:
        return element.render_literal_execute()
    return None


def _impl(element: Any, dialect: Dialect) -> Any:
    """Return the type of a parameter or a column as the dialect implements it."""
    return element.type.dialect_impl(dialect)


def _reader(columns: Any, dialect: Dialect) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """Return a function that converts the driver's rows to named tuples."""
    found = [_impl(column, dialect).result_processor(dialect, None) for column in columns]
    converts = [(place, convert) for place, convert in enumerate(found) if convert is not None]
    if not found:
        return lambda rows: rows  # a text without names of columns
    row_type: Any = namedtuple("Row", columns.keys(), rename=True)  # type: ignore[misc]

    if not converts:
        return lambda rows: map(row_type._make, rows)

    def read(row: Sequence[Any]) -> Any:
        values = list(row)
        for place, convert in converts:
            values[place] = convert(values[place])
        return row_type._make(values)

    return lambda rows: map(read, rows)
