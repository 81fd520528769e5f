"""The statements that a database runs, and their query plans."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, event

from takmail.store.database import Store
from tests.support.databases import ON_POSTGRESQL

Statement = tuple[str, tuple[object, ...]]
_FRAME = ("BEGIN", "COMMIT", "PRAGMA", "SET LOCAL")


@contextmanager
def noted(store: Store) -> Iterator[list[Statement]]:
    """Yield the list of all statements that run during the block."""
    found: list[Statement] = []

    def note(
        _connection: Connection, _cursor: object, statement: str, values: tuple[object, ...], *_: object
    ) -> None:
        found.append((statement, values))

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(store.engine, "before_cursor_execute", note)


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


def inner(statements: list[Statement]) -> list[Statement]:
    """Return the statements without those that begin or end a transaction."""
    return [one for one in statements if not one[0].startswith(_FRAME)]


def plans(store: Store, statements: list[Statement]) -> Iterator[tuple[str, str]]:
    """Return each query with the steps of its plan."""
    with store.engine.connect() as connection:
        if ON_POSTGRESQL:
            connection.exec_driver_sql(
                "SET LOCAL enable_seqscan = off"
            )  # small tables are read whole otherwise
        for statement, values in statements:
            if not statement.startswith(("SELECT", "UPDATE", "DELETE")):
                continue
            if ON_POSTGRESQL:
                lines = connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {statement}", values).scalars()
                yield from ((statement, step) for step in "\n".join(lines).split("->"))
            else:
                found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
                yield from ((statement, step.detail) for step in found)


def scanned(store: Store, statements: list[Statement]) -> list[tuple[str, str]]:
    """Return the steps that scan a whole table. A subquery's result doesn't count."""
    return [(statement, step) for statement, step in plans(store, statements) if is_scan(step)]


def is_scan(step: str) -> bool:
    """Return whether a step scans a whole table."""
    if ON_POSTGRESQL:
        return "Seq Scan" in step
    return step.startswith("SCAN") and not step.startswith(("SCAN (subquery", "SCAN anon_", "SCAN CONSTANT"))
