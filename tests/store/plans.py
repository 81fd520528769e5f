"""The statements that a database runs, and their query plans."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from sqlalchemy import Connection, event

from takmail.store import statements
from takmail.store.database import Store
from tests.support.databases import ON_POSTGRESQL

Statement = tuple[str, tuple[object, ...]]
_FRAME = ("BEGIN", "COMMIT", "PRAGMA", "SET LOCAL")


@contextmanager
def before_each(store: Store, call: Callable[[Statement], object]) -> Iterator[None]:
    """Call a function before each statement that runs during the block."""
    run = statements.by_driver

    def by_driver(connection: Connection, sql: str, values: Any) -> statements.DriverResult:
        call((sql, values))
        return run(connection, sql, values)

    def by_sqlalchemy(_connection: Connection, _cursor: object, sql: str, values: Any, *_: object) -> None:
        call((sql, values))

    event.listen(store.engine, "before_cursor_execute", by_sqlalchemy)
    try:
        with patch.object(statements, "by_driver", by_driver):
            yield
    finally:
        event.remove(store.engine, "before_cursor_execute", by_sqlalchemy)


@contextmanager
def noted(store: Store) -> Iterator[list[Statement]]:
    """Yield the list of all statements that run during the block."""
    ran: list[Statement] = []
    with before_each(store, ran.append):
        yield ran


@contextmanager
def transactions(store: Store) -> Iterator[list[list[Statement]]]:
    """Yield the statements that run during the block, by transaction, without those that begin and end one."""
    with noted(store) as found:
        begun: list[int] = []

        def begin(_connection: Connection) -> None:
            begun.append(len(found))

        event.listen(store.engine, "begin", begin)
        by_transaction: list[list[Statement]] = []
        try:
            yield by_transaction
        finally:
            event.remove(store.engine, "begin", begin)
        ends = [*begun[1:], len(found)]
        by_transaction += [inner(found[start:end]) for start, end in zip(begun, ends, strict=True)]


def inner(ran: list[Statement]) -> list[Statement]:
    """Return the statements without those that begin or end a transaction."""
    return [one for one in ran if not one[0].startswith(_FRAME)]


def plans(store: Store, ran: list[Statement]) -> Iterator[tuple[str, str]]:
    """Return each query with the steps of its plan."""
    with store.engine.connect() as connection:
        if ON_POSTGRESQL:
            connection.exec_driver_sql(
                "SET LOCAL enable_seqscan = off"
            )  # small tables are read whole otherwise
        for statement, values in ran:
            if not statement.startswith(("SELECT", "UPDATE", "DELETE")):
                continue
            if ON_POSTGRESQL:
                lines = connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {statement}", values).scalars()
                yield from ((statement, step) for step in "\n".join(lines).split("->"))
            else:
                found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
                yield from ((statement, step.detail) for step in found)


def scanned(store: Store, ran: list[Statement]) -> list[tuple[str, str]]:
    """Return the steps that scan a whole table. A subquery's result doesn't count."""
    return [(statement, step) for statement, step in plans(store, ran) if is_scan(step)]


def is_scan(step: str) -> bool:
    """Return whether a step scans a whole table."""
    if ON_POSTGRESQL:
        return "Seq Scan" in step
    return step.startswith("SCAN") and not step.startswith(("SCAN (subquery", "SCAN anon_", "SCAN CONSTANT"))
