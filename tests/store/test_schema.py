"""The migrations create the schema that the table classes define."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Connection, Dialect, inspect, text
from sqlalchemy.dialects import mysql, postgresql, sqlite
from sqlalchemy.schema import CreateTable
from sqlmodel import SQLModel, select

from takmail.store.database import Store
from takmail.store.schema import HEAD, MIGRATIONS, OLDEST, CannotUse, DatabaseFault, migrate
from takmail.store.tables import PlayerRow
from tests.support.databases import ON_POSTGRESQL, url_in


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "compare_server_default": True}
    )
    return compare_metadata(context, SQLModel.metadata)


def dump(store: Store) -> list[tuple[object, ...]]:
    """Return all facts about the schema, and every row of the version."""
    with store.engine.begin() as connection:
        found = inspect(connection)
        schema = [
            # The condition of an index is shown by its place in memory.
            (
                table,
                *(
                    _as_text(of(table))
                    for of in (
                        found.get_columns,
                        found.get_indexes,
                        found.get_foreign_keys,
                        found.get_unique_constraints,
                        found.get_pk_constraint,
                    )
                ),
            )
            for table in found.get_table_names()
        ]
        version = connection.execute(text("SELECT version_num FROM alembic_version")).all()
    return [*schema, *(tuple(row) for row in version)]


def _as_text(facts: object) -> object:
    if isinstance(facts, list):
        return sorted(re.sub(" at 0x[0-9a-f]+", "", str(one)) for one in facts)
    return str(facts)


def test_the_migrations_make_what_the_tables_say(tmp_path: Path) -> None:
    store = Store.open_read_only(url_in(tmp_path, "migrated", empty=True))
    with store.engine.begin() as connection:
        migrate(connection)
        assert differences(connection) == []
        assert set(SQLModel.metadata.tables) < set(inspect(connection).get_table_names())
    store.close()


def test_a_new_database_equals_one_that_all_migrations_made(tmp_path: Path) -> None:
    new = Store.open(url_in(tmp_path, "new", empty=True))
    migrated = Store.open_read_only(url_in(tmp_path, "migrated", empty=True))
    with migrated.engine.begin() as connection:
        migrate(connection)
    assert dump(new) == dump(migrated)
    new.close()
    migrated.close()


@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE player ADD COLUMN shoe_size INTEGER", "DROP INDEX ix_outbox_reader", "DROP TABLE pending"],
)
def test_a_difference_would_be_seen(store: Store, change: str) -> None:
    with store.engine.begin() as connection:
        connection.execute(text(change))
        assert len(differences(connection)) >= 1


def test_migrating_twice_changes_nothing(store: Store) -> None:
    before = dump(store)
    with store.engine.begin() as connection:
        migrate(connection)
    assert dump(store) == before


def test_a_database_of_this_schema_is_opened_without_alembic(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = url_in(tmp_path, "again", empty=True)
    Store.open(url).close()
    monkeypatch.setattr(command, "upgrade", None)
    again = Store.open(url)
    with again.dry_run() as session:
        assert session.exec(select(PlayerRow)).all() == []
    again.close()


@pytest.mark.parametrize(
    ("version", "fault"), [("0022", DatabaseFault.OLDER), ("r9999", DatabaseFault.NEWER)]
)
def test_a_database_of_an_unknown_schema_is_left_alone(
    store: Store, version: str, fault: DatabaseFault
) -> None:
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    with pytest.raises(CannotUse) as error:
        Store.open(store.engine.url.render_as_string(hide_password=False))
    assert error.value.fault is fault


def test_a_database_of_others_is_left_alone(store: Store) -> None:
    with store.engine.begin() as connection:
        connection.execute(text("DROP TABLE alembic_version"))
    with pytest.raises(CannotUse) as error:
        Store.open(store.engine.url.render_as_string(hide_password=False))
    assert error.value.fault is DatabaseFault.FOREIGN


def test_a_database_is_opened_again_with_what_it_holds(tmp_path: Path) -> None:
    url = url_in(tmp_path, "again", empty=True)
    first = Store.open(url)
    with first.engine.begin() as connection:
        connection.execute(
            text("INSERT INTO player (name, created_at) VALUES ('Ada', '2026-11-21 12:00:00')")
        )
    first.close()
    second = Store.open(url)
    with second.engine.begin() as connection:
        assert connection.execute(text("SELECT name FROM player")).scalars().all() == ["Ada"]
    second.close()


def test_the_migrations_end_at_the_schema_of_this_takmail() -> None:
    script = ScriptDirectory(str(MIGRATIONS))
    assert script.get_heads() == [HEAD]
    versions = [migration.revision for migration in script.walk_revisions()]
    assert versions == sorted(versions, reverse=True)
    assert versions[-1] == OLDEST


@pytest.mark.sqlite("how SQLite is set")
def test_sqlite_keeps_what_is_committed_and_checks_what_refers_to_what(store: Store) -> None:
    with store.engine.begin() as connection:
        pragmas = [
            connection.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    assert pragmas == ["wal", 2, 1]  # 2 is FULL


def test_a_transaction_need_not_wait_for_the_disk_and_the_next_one_does_again(store: Store) -> None:
    # 2 is FULL; after 1, NORMAL, the log is brought to the disk by the next commit that is FULL.
    asked, found = (
        ("SHOW synchronous_commit", ["off", "on"]) if ON_POSTGRESQL else ("PRAGMA synchronous", [1, 2])
    )
    levels = []
    for lasting in (False, True):
        with store.transaction(durable=lasting) as session:
            levels.append(session.connection().execute(text(asked)).scalar_one())
    assert levels == found


def test_a_transaction_is_all_or_nothing(store: Store) -> None:
    def half_done() -> None:
        with store.transaction() as session:
            session.add(PlayerRow(name="Ada", created_at=datetime(2026, 11, 21, tzinfo=UTC)))
            session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half_done()
    with store.transaction() as session:
        assert session.get(PlayerRow, 1) is None


@pytest.mark.parametrize("dialect", [sqlite.dialect(), postgresql.dialect(), mysql.dialect()])
def test_the_tables_can_be_made_on_other_databases(dialect: Dialect) -> None:
    for table in SQLModel.metadata.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=dialect))


def test_a_uid_may_be_as_large_as_imap_allows(store: Store) -> None:
    with store.engine.begin() as connection:
        columns = {one["name"]: one["type"] for one in inspect(connection).get_columns("inbox")}
    assert isinstance(columns["uid"], BigInteger)
    assert isinstance(columns["uid_validity"], BigInteger)


@pytest.mark.sqlite("who may read its file")
def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "private.sqlite"
    store = Store.open(f"sqlite:///{file}")
    with store.engine.begin() as connection:
        connection.execute(text("DELETE FROM chat"))
        kept = [one for one in tmp_path.iterdir() if one.name.startswith("private.sqlite")]
        assert file in kept
        assert {one.stat().st_mode & 0o077 for one in kept} == {0}
    store.close()


@pytest.mark.sqlite("nothing else is in memory")
def test_a_database_in_memory_makes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store.open("sqlite://")
    assert "player" in inspect(store.engine).get_table_names()
    store.close()
    assert list(tmp_path.iterdir()) == []
