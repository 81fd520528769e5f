"""Statements that are compiled once and run on the driver's cursor, without SQLAlchemy's work for each execution."""

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from sqlalchemy import BindParameter, Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.visitors import replacement_traverse

_Convert = Callable[[Any], Any]

_MOST_AT_ONCE = 1024
"""The longest list for which a statement of its own is kept. The lengths of longer lists are multiples of it."""


@dataclass(slots=True)
class Rows:
    """The rows that a statement returned, and the number of rows that it changed.

    The attributes of a row are the names of its columns. `last_id` is the number that SQLite gave to a new row.
    """

    rows: list[Any]
    rowcount: int
    last_id: int | None

    def __iter__(self) -> Iterator[Any]:
        return iter(self.rows)

    def all(self) -> Sequence[Any]:
        """Return all rows."""
        return self.rows

    def first(self) -> Any:
        """Return the first row, or None."""
        return self.rows[0] if self.rows else None

    def scalar(self) -> Any:
        """Return the first column of the first row, or None if there is no row."""
        return self.rows[0][0] if self.rows else None

    def scalars(self) -> Sequence[Any]:
        """Return the first column of all rows."""
        return [row[0] for row in self.rows]


def execute(connection: Connection, sql: str, parameters: Any = (), *, many: bool = False) -> Rows:
    """Run SQL text on the driver's cursor. With `many`, run it once for each item of `parameters`.

    Raises SQLAlchemy's exceptions as `Connection.execute` does, and calls its listeners for statements.
    """
    driver_connection = connection.connection
    cursor = driver_connection.cursor()
    try:
        for listener in connection.dispatch.before_cursor_execute:
            listener(connection, cursor, sql, parameters, None, many)
        if many:
            cursor.executemany(sql, parameters)
            return Rows([], cursor.rowcount, None)
        cursor.execute(sql, parameters)
        rows: list[Any] = [*cursor.fetchall()] if cursor.description else []
        return Rows(rows, cursor.rowcount, getattr(cursor, "lastrowid", None))
    except (dialect := connection.dialect).loaded_dbapi.Error as error:
        is_lost = dialect.is_disconnect(error, driver_connection, cursor)
        if is_lost:
            connection.invalidate(error)
        raise DBAPIError.instance(
            sql,
            parameters,
            error,
            dialect.loaded_dbapi.Error,
            hide_parameters=connection.engine.hide_parameters,
            connection_invalidated=is_lost,
            dialect=dialect,
            ismulti=many,
        ) from error
    finally:
        cursor.close()


@dataclass(frozen=True, slots=True)
class _Expanded:
    """A statement as SQL text for lists of certain lengths.

    `keys` are the SQL's parameters in order, each with the function that converts its value. `constants` are the values
    that the statement itself contains. `items` are the parameters for the items of each list.
    """

    sql: str
    is_positional: bool
    keys: tuple[tuple[str, _Convert | None], ...]
    constants: Mapping[str, Any]
    items: tuple[tuple[str, Sequence[str]], ...]

    def parameters(self, values: Mapping[str, Any]) -> Any:
        """Return the driver's parameters for these values."""
        given = {**self.constants, **values}
        for name, keys in self.items:
            some = tuple(values[name])
            given.update(zip(keys, some, strict=False))
            # The last item is repeated, which changes nothing about what IN matches.
            given.update((key, some[-1]) for key in keys[len(some) :])
        if self.is_positional:
            return tuple([given[key] if to is None else to(given[key]) for key, to in self.keys])
        return {key: given[key] if to is None else to(given[key]) for key, to in self.keys}


@dataclass(slots=True)
class Prepared:
    """A compiled statement. `lists` are the names of its parameters that are lists."""

    compiled: SQLCompiler
    lists: tuple[str, ...]
    read: Callable[[list[Any]], list[Any]]
    _expanded: dict[tuple[int, ...], _Expanded] = field(default_factory=dict)

    def run(self, connection: Connection, values: Mapping[str, Any]) -> Rows:
        """Run the statement with these parameters."""
        found = self._for(values)
        done = execute(connection, found.sql, found.parameters(values))
        done.rows = self.read(done.rows)
        return done

    def run_many(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Run the statement once for each mapping of parameters."""
        found = self._for(rows[0])
        execute(connection, found.sql, [found.parameters(row) for row in rows], many=True)

    def _for(self, values: Mapping[str, Any]) -> _Expanded:
        lengths = tuple([_padded(len(values[name])) for name in self.lists])
        found = self._expanded.get(lengths)
        if found is None:
            found = self._expanded[lengths] = self._expand(values, lengths)
        return found

    def _expand(self, values: Mapping[str, Any], lengths: Sequence[int]) -> _Expanded:
        """Render the statement for lists of these lengths. The other `values` are not used but have to be there."""
        compiled = self.compiled
        lists = {name: [None] * length for name, length in zip(self.lists, lengths, strict=True)}
        state = compiled.construct_expanded_state({**values, **lists})
        # The columns that an INSERT doesn't name, but that have a default.
        defaults = {
            column.key: column.default.arg for column in compiled.prefetch if column.default.is_scalar
        }
        origin = {key: name for name, keys in state.parameter_expansion.items() for key in keys}
        keys, constants = [], {}
        for key in state.parameters if state.positiontup is None else state.positiontup:
            name = origin.get(key, key)
            kind, dialect = compiled.binds[name].type, compiled.dialect
            convert = kind.dialect_impl(dialect).bind_processor(dialect)
            if name in values:
                keys.append((key, convert))
            else:
                value = defaults.get(key, state.parameters[key])
                constants[key] = value if convert is None else convert(value)
                keys.append((key, None))
        items = tuple((name, tuple(state.parameter_expansion[name])) for name in self.lists)
        is_positional = state.positiontup is not None
        return _Expanded(state.statement, is_positional, tuple(keys), constants, items)


@lru_cache(maxsize=1_000)
def prepared(statement: Any, dialect: Dialect, *names: str) -> Prepared:
    """Return a compiled statement with these parameters."""
    compiled = replacement_traverse(statement, {}, _constant).compile(dialect=dialect, column_keys=names)
    lists = tuple(name for name in names if name in compiled.binds and compiled.binds[name].expanding)
    columns = statement.exported_columns.items() if hasattr(statement, "exported_columns") else ()
    return Prepared(compiled, lists, _reader(columns, dialect))


def _constant(element: Any, **_options: Any) -> Any:
    """Return a constant that becomes part of the SQL text.

    If SQLite compares a parameter with the condition of a partial index, it compiles the statement for each value.
    """
    if isinstance(element, BindParameter) and not element.required and element.value is not None:
        return element.render_literal_execute()
    return None


def _reader(columns: Any, dialect: Dialect) -> Callable[[list[Any]], list[Any]]:
    """Return a function that converts the driver's rows to named tuples."""
    if not columns:
        return list
    row = namedtuple("Row", [name for name, _ in columns], rename=True)  # type: ignore[misc]
    make: Callable[[Any], Any] = partial(tuple.__new__, row)
    found = (column.type.dialect_impl(dialect).result_processor(dialect, None) for _, column in columns)
    converts = [(at, convert) for at, convert in enumerate(found) if convert is not None]

    def read(rows: list[Any]) -> list[Any]:
        return [make(_converted(one, converts)) for one in rows] if converts else [*map(make, rows)]

    return read


def _converted(row: Sequence[Any], converts: Sequence[tuple[int, _Convert]]) -> Sequence[Any]:
    values = list(row)
    for at, convert in converts:
        values[at] = convert(values[at])
    return values


def _padded(length: int) -> int:
    """Return the length to which a list is filled up, so that there are few different statements."""
    step = min(1 << max(length - 1, 0).bit_length(), _MOST_AT_ONCE)
    return -(-length // step) * step
