"""Where the tests have their databases: in a file of SQLite each, or on a PostgreSQL of their own.

`TEST_DATABASE=postgresql` says so. A test whose own subject is SQLite is marked `sqlite`, with the reason.
"""

import ast
import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, create_engine, event, inspect, text
from sqlalchemy.util import LRUCache

from takmail.store import database as stores
from takmail.store.database import Store
from takmail.store.schema import migrate, version_of
from tests.postgres.server import Server, started

ON_POSTGRESQL = os.environ.get("TEST_DATABASE") == "postgresql"

_COMPILED = LRUCache(3_000)
_dialects: dict[str, Dialect] = {}

_TESTS = Path(__file__).parents[1]
_TEMPLATE = "tables_and_nothing_else"
_made: dict[str, Path] = {}
"""The databases on the server, each with the folder of whoever has asked for it."""


@event.listens_for(Engine, "engine_connect")
def _share_compiled(connection: Connection) -> None:
    """Let all engines of a process use the statements that one has compiled: it takes longer than carrying them out."""
    connection.dialect = _dialects.setdefault(connection.dialect.name, connection.dialect)
    connection.execution_options(compiled_cache=_COMPILED)


_tables: list[str] = []


def _migrate(connection: Connection) -> None:
    """Make the tables of a new database; on SQLite by the statements that the first migrations have left."""
    version = version_of(connection)
    if _tables and version is None and connection.dialect.name == "sqlite":
        for statement in _tables:
            connection.exec_driver_sql(statement)
    else:
        migrate(connection)
        if connection.dialect.name == "sqlite":
            queries = (
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
                "SELECT 'INSERT INTO alembic_version VALUES (' || quote(version_num) || ')' FROM alembic_version",
            )
            _tables[:] = [sql for query in queries for (sql,) in connection.exec_driver_sql(query)]


stores.migrate = _migrate  # type: ignore[assignment]
"""It takes ten times as long to carry the migrations out; `tests/store/test_schema.py` has them themselves."""


def url_in(folder: Path, name: str = "takmail", *, empty: bool = False) -> str:
    """The database of this name that belongs to a folder; on PostgreSQL it is there, with its tables unless `empty`."""
    if not ON_POSTGRESQL:
        return f"sqlite:///{folder / name}.sqlite"
    database = _on_server(folder, name)
    if database not in _made:
        server().create(database, "template0" if empty else _template())
        _made[database] = folder
    return server().url(database)


def opened(folder: Path, name: str = "takmail") -> Store:
    """A new database with its tables, opened: to copy them takes a fifth of the time that making them does."""
    if not ON_POSTGRESQL:
        shutil.copy(_empty_file(), folder / f"{name}.sqlite")
    return Store.open(url_in(folder, name))


def copied(folder: Path, name: str, to: Path, new_name: str) -> str:
    """A copy of a database that nobody has open; gives its URL."""
    if not ON_POSTGRESQL:
        shutil.copy(folder / f"{name}.sqlite", to / f"{new_name}.sqlite")
        return url_in(to, new_name)
    server().create(_on_server(to, new_name), _on_server(folder, name))
    _made[_on_server(to, new_name)] = to
    return url_in(to, new_name)


def rows(folder: Path, query: str, **values: object) -> list[tuple[Any, ...]]:
    """What a query finds in the database of a folder."""
    engine = create_engine(url_in(folder))
    try:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(query), values)]
    finally:
        engine.dispose()


def change(folder: Path, statement: str, **values: object) -> None:
    """Change the database of a folder behind takmail's back."""
    engine = create_engine(url_in(folder))
    try:
        with engine.begin() as connection:
            connection.execute(text(statement), values)
    finally:
        engine.dispose()


def everything(folder: Path) -> list[tuple[Any, ...]]:
    """Every row of every table in the database of a folder, under the name of its table."""
    engine = create_engine(url_in(folder))
    try:
        return all_of(engine)
    finally:
        engine.dispose()


def all_of(engine: Engine) -> list[tuple[Any, ...]]:
    """Every row of every table in an open database, under the name of its table, in an order that says nothing."""
    with engine.connect() as connection:
        found = [
            (name, *row)
            for name in inspect(connection).get_table_names()
            for row in connection.execute(text(f'SELECT * FROM "{name}"'))
        ]
    return sorted(found, key=repr)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the database of a folder, so that nobody else can read or write in a transaction of takmail's."""
    engine = create_engine(url_in(folder))
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(_hold(connection))
            yield
            connection.rollback()
    finally:
        engine.dispose()


def _hold(connection: Connection) -> str:
    if not ON_POSTGRESQL:
        return "BEGIN IMMEDIATE"
    tables = ", ".join(f'"{name}"' for name in inspect(connection).get_table_names())
    return f"LOCK TABLE {tables} IN ACCESS EXCLUSIVE MODE"


@dataclass
class Disk:
    """What a disk surely has: `mails` of the queue, by commits that have waited for it."""

    mails: int = 0


@contextmanager
def disk(engine: Engine | type[Engine]) -> Iterator[Disk]:
    """The disk below an open database, or below whichever is opened meanwhile."""
    it, seen = Disk(), 0

    def commits(connection: Connection) -> None:
        nonlocal seen
        before, seen = seen, connection.exec_driver_sql("SELECT count(*) FROM intake").scalar_one()
        # A commit that brings nothing new has nothing to wait for.
        if seen != before and waits_for_disk(connection):
            it.mails = seen

    event.listen(engine, "commit", commits)
    try:
        yield it
    finally:
        event.remove(engine, "commit", commits)


def waits_for_disk(connection: Connection) -> bool:
    """Whether the transaction that stands there returns from its commit only when the disk has it."""
    asked = "SHOW synchronous_commit" if ON_POSTGRESQL else "PRAGMA synchronous"
    return connection.exec_driver_sql(asked).scalar_one() in ("on", 2)


def let_go(folder: Path) -> None:
    """Drop the databases of a folder: on a server they would pile up."""
    for database in [one for one, its in _made.items() if its == folder]:
        server().drop(database)
        del _made[database]


@cache
def server() -> Server:
    """The PostgreSQL of this process."""
    return started()


def _on_server(folder: Path, name: str) -> str:
    """What a database is called on the server, which has one for all folders."""
    return f"{name}_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"


@cache
def _template() -> str:
    server().create(_TEMPLATE)
    Store.open(server().url(_TEMPLATE)).close()
    return _TEMPLATE


@cache
def _empty_file() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="takmail-empty-"))
    atexit.register(shutil.rmtree, folder)
    Store.open(f"sqlite:///{folder / 'empty.sqlite'}").close()
    return folder / "empty.sqlite"


def is_used_by(module: str) -> bool:
    """Whether a module of the tests comes to this one by what it imports, and what that imports."""
    found, left = {module}, [module]
    while left:
        more = set(_imports(left.pop())) - found
        found |= more
        left += more
    return __name__ in found


@cache
def _imports(module: str) -> Sequence[str]:
    """The modules of the tests that a module imports; none of one that is a folder."""
    file = _TESTS.parent / f"{module.replace('.', '/')}.py"
    return _imported(ast.parse(file.read_text(encoding="utf-8"))) if file.exists() else ()


def _imported(tree: ast.Module) -> Sequence[str]:
    """The modules of the tests that one names."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        elif isinstance(node, ast.Import):
            found += [one.name for one in node.names]
    return [one for one in found if one.split(".")[0] == "tests"]
