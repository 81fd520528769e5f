"""Provide databases for the tests: a SQLite file each, or databases on a private PostgreSQL server.

`TEST_DATABASE=postgresql` selects the server. Tests about SQLite itself are marked `sqlite`, with the reason.
"""

import ast
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Dialect, Engine, create_engine, event, inspect, text
from sqlalchemy.util import LRUCache

from takmail.store import database as stores
from takmail.store.database import Store
from takmail.store.schema import create
from tests.postgres.server import Server, started
from tests.support.empty import empty_file

ON_POSTGRESQL = os.environ.get("TEST_DATABASE") == "postgresql"

_COMPILED = LRUCache(3_000)
_dialects: dict[str, Dialect] = {}

_TESTS = Path(__file__).parents[1]
_TEMPLATE = "tables_and_nothing_else"
_made: dict[str, Path] = {}
"""The databases on the server, each with the folder of the test that requested it."""


@event.listens_for(Engine, "engine_connect")
def _share_compiled(connection: Connection) -> None:
    """Share compiled statements between all engines of a process. Compiling takes longer than running them."""
    connection.dialect = _dialects.setdefault(connection.dialect.name, connection.dialect)
    connection.execution_options(compiled_cache=_COMPILED)


_tables: list[str] = []


def _create(connection: Connection) -> None:
    """Create the tables of a new database. On SQLite, use the statements that were used the first time."""
    if _tables and connection.dialect.name == "sqlite":
        for statement in _tables:
            connection.exec_driver_sql(statement)
    else:
        create(connection)
        if connection.dialect.name == "sqlite":
            queries = (
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
                "SELECT 'INSERT INTO alembic_version VALUES (' || quote(version_num) || ')' FROM alembic_version",
            )
            _tables[:] = [sql for query in queries for (sql,) in connection.exec_driver_sql(query)]


stores.create = _create
"""Making the statements anew takes longer than to run them. `tests/store/test_schema.py` tests `create`."""


def url_in(folder: Path, name: str = "takmail", *, empty: bool = False) -> str:
    """Return the URL of a folder's database. On PostgreSQL the database exists, with its tables unless `empty`."""
    if not ON_POSTGRESQL:
        return f"sqlite:///{folder / name}.sqlite"
    database = _on_server(folder, name)
    if database not in _made:
        server().create(database, "template0" if empty else _template())
        _made[database] = folder
    return server().url(database)


def opened(folder: Path, name: str = "takmail") -> Store:
    """Return a new open database with its tables. Copying them takes a fifth of the time of creating them."""
    if not ON_POSTGRESQL:
        shutil.copy(empty_file(), folder / f"{name}.sqlite")
    return Store.open(url_in(folder, name))


def copied(folder: Path, name: str, to: Path, new_name: str) -> str:
    """Copy a database that nobody has open, and return the URL of the copy."""
    if not ON_POSTGRESQL:
        shutil.copy(folder / f"{name}.sqlite", to / f"{new_name}.sqlite")
        return url_in(to, new_name)
    server().create(_on_server(to, new_name), _on_server(folder, name))
    _made[_on_server(to, new_name)] = to
    return url_in(to, new_name)


def rows(folder: Path, query: str, **values: object) -> list[tuple[Any, ...]]:
    """Return the rows of a query on a folder's database."""
    engine = create_engine(url_in(folder))
    try:
        with engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(query), values)]
    finally:
        engine.dispose()


def change(folder: Path, statement: str, **values: object) -> None:
    """Change a folder's database without takmail."""
    engine = create_engine(url_in(folder))
    try:
        with engine.begin() as connection:
            connection.execute(text(statement), values)
    finally:
        engine.dispose()


def everything(folder: Path) -> list[tuple[Any, ...]]:
    """Return all rows of all tables in a folder's database, each with its table's name."""
    engine = create_engine(url_in(folder))
    try:
        return all_of(engine)
    finally:
        engine.dispose()


def all_of(engine: Engine) -> list[tuple[Any, ...]]:
    """Return all rows of all tables in an open database, each with its table's name, in no particular order."""
    with engine.connect() as connection:
        found = [
            (name, *row)
            for name in inspect(connection).get_table_names()
            for row in connection.execute(text(f'SELECT * FROM "{name}"'))
        ]
    return sorted(found, key=repr)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder's database, so that takmail can neither read nor write in a transaction."""
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
    """The state of the disk. `mails` are the inbox's mails at the last commit that waited for the disk, or sync."""

    mails: int = 0


@contextmanager
def disk(engine: Engine | type[Engine]) -> Iterator[Disk]:
    """Observe the disk of an open database, or of any database opened in the block."""
    it, seen = Disk(), 0
    sync = Store.sync

    def commits(connection: Connection) -> None:
        nonlocal seen
        before, seen = seen, connection.exec_driver_sql("SELECT count(*) FROM inbox").scalar_one()
        # A commit without changes has nothing to wait for.
        if seen != before and waits_for_disk(connection):
            it.mails = seen

    def syncs(store: Store) -> None:
        committed = seen
        sync(store)
        it.mails = committed

    event.listen(engine, "commit", commits)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Store, "sync", syncs)
            yield it
    finally:
        event.remove(engine, "commit", commits)


def waits_for_disk(connection: Connection) -> bool:
    """Tell whether the current transaction's commit waits until the data is on disk."""
    asked = "SHOW synchronous_commit" if ON_POSTGRESQL else "PRAGMA synchronous"
    return connection.exec_driver_sql(asked).scalar_one() in ("on", 2)


def let_go(folder: Path) -> None:
    """Drop the databases of a folder, as they would otherwise stay on the server until its end."""
    for database in [one for one, its in _made.items() if its == folder]:
        server().drop(database)
        del _made[database]


@cache
def server() -> Server:
    """Return the PostgreSQL server of this process."""
    return started()


def _on_server(folder: Path, name: str) -> str:
    """Return a database's name on the server, which has one namespace for all folders."""
    return f"{name}_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"


@cache
def _template() -> str:
    server().create(_TEMPLATE)
    Store.open(server().url(_TEMPLATE)).close()
    return _TEMPLATE


def is_used_by(module: str) -> bool:
    """Tell whether a test module imports this one, directly or indirectly."""
    found, left = {module}, [module]
    while left:
        more = set(_imports(left.pop())) - found
        found |= more
        left += more
    return __name__ in found


@cache
def _imports(module: str) -> Sequence[str]:
    """Return the test modules that a module imports, none for a package."""
    file = _TESTS.parent / f"{module.replace('.', '/')}.py"
    return _imported(ast.parse(file.read_text(encoding="utf-8"))) if file.exists() else ()


def _imported(tree: ast.Module) -> Sequence[str]:
    """Return the test modules that a syntax tree imports."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found += [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        elif isinstance(node, ast.Import):
            found += [one.name for one in node.names]
    return [one for one in found if one.split(".")[0] == "tests"]
