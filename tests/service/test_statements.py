"""What one mail asks of the database: few statements, and none that reads a table from end to end."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection, event

from takmail.store import forgettings, holdings, mails
from takmail.store.database import Store
from takmail.store.tables import Forgetting
from tests.databases import ON_POSTGRESQL
from tests.office import ADA, BEN, Office

MOST = 36
"""Statements of a mail with one move: from the intake queue to the two letters, BEGIN of its four transactions too."""

Statement = tuple[str, tuple[object, ...]]


@contextmanager
def noted(store: Store) -> Iterator[list[Statement]]:
    """All statements that are carried out meanwhile."""
    found: list[Statement] = []

    def note(
        _connection: Connection, _cursor: object, statement: str, values: tuple[object, ...], *_: object
    ) -> None:
        found.append((statement, values))

    event.listen(store.engine, "before_cursor_execute", note)
    yield found
    event.remove(store.engine, "before_cursor_execute", note)


def of_a_move(office: Office) -> list[Statement]:
    """The statements of a mail that answers its letter with a move, as most do."""
    office.begin()
    office.play("a1", "b2", "c3", "d4")
    mail = office.mail(f"Ada <{ADA}>", "ps a2", office.last(ADA)).as_bytes()
    with noted(office.store) as found:
        office.inbound.keep_one(mail)
        office.inbound.work()
    assert [letter.to for letter in office.collect()] == [ADA, BEN]
    return found


@pytest.fixture
def office(store: Store) -> Office:
    return Office(store)


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
    if ON_POSTGRESQL:
        return "Seq Scan" in step
    return step.startswith("SCAN") and not step.startswith(("SCAN (subquery", "SCAN anon_", "SCAN CONSTANT"))


def test_a_move_takes_few_statements(office: Office) -> None:
    found = [statement for statement, _ in of_a_move(office)]
    assert len(found) <= MOST, "\n".join(found)


def test_a_long_game_takes_no_more_statements_than_a_short_one(office: Office) -> None:
    first = len(of_a_move(office))
    office.play("b3", "a3", "b4", "a4", start=1)
    mail = office.mail(f"Ben <{BEN}>", "ps e5", office.last(BEN)).as_bytes()
    with noted(office.store) as found:
        office.inbound.keep_one(mail)
        office.inbound.work()
    assert len(found) == first


def test_a_move_finds_everything_by_an_index(office: Office) -> None:
    assert scanned(office.store, of_a_move(office)) == []


def test_a_move_looks_through_no_other_game_of_its_player(office: Office) -> None:
    by_player = [one for one, _ in of_a_move(office) if "seat.player_id =" in one.partition("WHERE")[2]]
    assert by_player == []


def test_a_statement_without_an_index_would_be_seen(office: Office) -> None:
    office.begin()
    without = ("SELECT * FROM outbox WHERE text = 'ps a1'", ())
    ((_, step),) = scanned(office.store, [without])
    assert ("Seq Scan on outbox" if ON_POSTGRESQL else "SCAN outbox") in step


def test_the_letters_to_a_player_are_found_by_an_index(office: Office) -> None:
    office.begin()
    with noted(office.store) as found, office.store.transaction() as session:
        assert holdings.letters(session, 1, 10).rows
    assert scanned(office.store, found) == []


def test_one_step_of_forgetting_walks_through_numbers_alone(office: Office) -> None:
    office.begin()
    one = Forgetting(addresses="someone@example.net", names="", label="", mails=9, letters=9)
    with noted(office.store) as found, office.store.transaction() as session:
        assert list(mails.kept(session, 0, 5_000, 20))
        forgettings.look_at_letters(session, one, 20)
        mails.newest_waiting(session, 5_000)
    assert scanned(office.store, found) == []
