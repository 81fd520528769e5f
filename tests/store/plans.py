"""The statements that a database gets, and how it means to find what they ask for."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, event

from takmail.store.database import Store
from tests.support.databases import ON_POSTGRESQL

Statement = tuple[str, tuple[object, ...]]
_FRAME = ("BEGIN", "COMMIT", "PRAGMA", "SET LOCAL")


@contextmanager
def noted(store: Store) -> Iterator[list[Statement]]:
    """All statements that are carried out meanwhile."""
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
    """The statements that are carried out meanwhile, by transaction; those that begin and end one are left out."""
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
    """These statements but for what begins and ends a transaction."""
    return [one for one in statements if not one[0].startswith(_FRAME)]


def plans(store: Store, statements: list[Statement]) -> Iterator[tuple[str, str]]:
    """Each statement that looks for something, with each step of how the database means to find it."""
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
    """The steps that read a table from end to end; what a subquery has found already is none."""
    return [(statement, step) for statement, step in plans(store, statements) if is_scan(step)]


def is_scan(step: str) -> bool:
    """Whether a step reads a table from end to end."""
    if ON_POSTGRESQL:
        return "Seq Scan" in step
    return step.startswith("SCAN") and not step.startswith(("SCAN (subquery", "SCAN anon_", "SCAN CONSTANT"))
