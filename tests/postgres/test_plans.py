"""How PostgreSQL finds what a mail asks for, with the plans that it chooses by itself where much is stored."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import text

from bench.scale import Size, fill
from takmail.store.database import Store
from tests.service.test_statements import Statement, noted
from tests.support.harness import ADA, Harness

STORED = Size(games=1_000, turns=4, club=0)
WAITING = 400
MOST = 300
"""Rows that one step may look at: of a small table all; of mails, letters and turns many more are stored, or wait."""

_WAIT = text(
    "INSERT INTO inbox (mailbox, raw, size, queue, fingerprint, received_at, state, is_from_person, attempts, note, "
    "is_filed, is_reduced) SELECT '', '', 1, 'game ' || n + 1000, 'raw:' || n, now(), 'new', false, 0, '', true, false "
    f"FROM generate_series(1, {WAITING}) AS n"
)


def office_among_many(store: Store) -> Harness:
    """Ada's and Ben's game beside those that are stored; PostgreSQL has counted how much that is."""
    fill(store, STORED)
    with store.engine.begin() as connection:
        connection.execute(text("DELETE FROM address WHERE player_id < 3"))
        connection.execute(text("ANALYZE"))
    harness = Harness(store)
    harness.collect()
    harness.begin()
    harness.play("a1", "b2", "c3", "d4", "a2", "b3", "a3", "b4")
    return harness


def looked_at(plan: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Each step of a plan that was carried out, with how many rows it has found and left out."""
    rows = plan["Actual Rows"] + sum(count for name, count in plan.items() if name.startswith("Rows Removed"))
    yield f"{plan['Node Type']} on {plan.get('Relation Name')}", rows * plan["Actual Loops"]
    for step in plan.get("Plans", ()):
        yield from looked_at(step)


def much(store: Store, statements: list[Statement]) -> list[tuple[str, str, float]]:
    """The steps of these statements that look at many rows; what they change is taken back."""
    found = []
    with store.engine.connect() as connection:
        for statement, values in statements:
            if statement.startswith(("SELECT", "UPDATE", "DELETE")):
                how = "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) "
                (plan,) = connection.exec_driver_sql(how + statement, values).scalar_one()
                steps = looked_at(plan["Plan"])
                found += [(statement, step, rows) for step, rows in steps if rows > MOST]
    return found


def test_a_move_looks_at_few_rows_however_many_are_stored_and_wait(store: Store) -> None:
    harness = office_among_many(store)
    mail = harness.mail(f"Ada <{ADA}>", "ps e5", harness.last(ADA)).as_bytes()
    with noted(store) as statements:
        harness.mail_worker.keep_one(mail)
        harness.mail_worker.work()
    assert len(harness.collect()) == 2
    with store.engine.begin() as connection:
        connection.execute(_WAIT)
    assert much(store, statements) == []


def test_a_statement_that_looks_at_many_rows_would_be_seen(store: Store) -> None:
    fill(store, STORED)
    ((_, step, _),) = much(store, [("SELECT * FROM turn WHERE text = 'ps c3'", ())])
    assert step == "Seq Scan on turn"
