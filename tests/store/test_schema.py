"""The schema: what the migrations make is what the tables say."""

import re
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Connection, Dialect, create_engine, inspect, text
from sqlalchemy.dialects import mysql, postgresql, sqlite
from sqlalchemy.schema import CreateTable
from sqlmodel import SQLModel

from takmail.store import players
from takmail.store.database import MIGRATIONS, Store, migrate
from tests.databases import ON_POSTGRESQL, url_in


def differences(connection: Connection) -> list[object]:
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "compare_server_default": True}
    )
    return compare_metadata(context, SQLModel.metadata)


def dump(store: Store) -> list[tuple[object, ...]]:
    """All that there is to know of the schema, and every row of the version."""
    with store.engine.begin() as connection:
        found = inspect(connection)
        schema = [
            # The condition of an index is shown by its place in memory.
            (
                table,
                *(
                    re.sub(" at 0x[0-9a-f]+", "", str(of(table)))
                    for of in (found.get_columns, found.get_indexes)
                ),
            )
            for table in found.get_table_names()
        ]
        version = connection.execute(text("SELECT version_num FROM alembic_version")).all()
    return [*schema, *(tuple(row) for row in version)]


def test_the_migrations_make_what_the_tables_say(store: Store) -> None:
    with store.engine.begin() as connection:
        assert differences(connection) == []
        assert set(SQLModel.metadata.tables) < set(inspect(connection).get_table_names())


@pytest.mark.parametrize(
    "change",
    ["ALTER TABLE player ADD COLUMN shoe_size INTEGER", "DROP INDEX ix_outbox_reader", "DROP TABLE question"],
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


def test_mails_of_the_first_schema_find_their_places(tmp_path: Path) -> None:
    engine = create_engine(url_in(tmp_path, "old", empty=True))
    with engine.begin() as connection:
        migrate(connection, "0001")
        for number, (state, raw) in enumerate(
            [("done", "ps b4"), ("done", "rs"), ("ignored", "note"), ("ignored", ""), ("new", "x")], 1
        ):
            connection.execute(
                text(
                    "INSERT INTO intake (id, mailbox, raw, fingerprint, received_at, state, attempts, note, filed) "
                    "VALUES (:id, 'INBOX', :raw, :id, '2026-11-21 12:00:00', :state, 0, '', true)"
                ),
                {"id": number, "state": state, "raw": raw.encode()},
            )
        connection.execute(text("INSERT INTO player VALUES (1, 'Ada', '2026-11-21 12:00:00')"))
        connection.execute(
            text("INSERT INTO game VALUES (1, 'tak', '5', 's', 'open', 1, NULL, NULL, '2026-11-21 12:00:00')")
        )
        connection.execute(
            text("INSERT INTO turn VALUES (1, 1, 0, 'ps b4', 'ps b4', '2026-11-21 12:00:00', 1)")
        )
        migrate(connection)
        kept = connection.execute(text("SELECT state, size FROM intake ORDER BY id")).all()
    engine.dispose()
    assert [tuple(one) for one in kept] == [
        ("played", 5),
        ("answered", 2),
        ("machine", 4),
        ("older", 0),
        ("new", 1),
    ]


def test_the_migrations_stand_in_one_line() -> None:
    script = ScriptDirectory(str(MIGRATIONS))
    assert len(script.get_heads()) == len(script.get_bases()) == 1


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
        with store.transaction(lasting=lasting) as session:
            levels.append(session.connection().execute(text(asked)).scalar_one())
    assert levels == found


def test_a_transaction_is_all_or_nothing(store: Store) -> None:
    def half_done() -> None:
        with store.transaction() as session:
            players.add(session, "ada@example.org", "Ada", datetime(2026, 11, 21, tzinfo=UTC))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half_done()
    with store.transaction() as session:
        assert players.by_address(session, "ada@example.org") is None


@pytest.mark.parametrize("dialect", [sqlite.dialect(), postgresql.dialect(), mysql.dialect()])
def test_the_tables_can_be_made_on_other_databases(dialect: Dialect) -> None:
    for table in SQLModel.metadata.sorted_tables:
        assert "CREATE TABLE" in str(CreateTable(table).compile(dialect=dialect))


def test_a_uid_may_be_as_large_as_imap_allows(store: Store) -> None:
    with store.engine.begin() as connection:
        columns = {one["name"]: one["type"] for one in inspect(connection).get_columns("intake")}
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


@pytest.mark.sqlite("what its files hold")
def test_what_is_deleted_leaves_no_bytes_in_the_files(tmp_path: Path) -> None:
    """Rows come, grow and go until pages are divided, which leaves copies of rows in their gaps."""
    store = Store.open(f"sqlite:///{tmp_path / 'wiped.sqlite'}")
    chance = Random(7)
    with store.engine.begin() as connection:
        for number in range(1, 600):
            name = chance.choice(("secret of Ada's", "anything")) + "x" * chance.randrange(200)
            connection.execute(
                text("INSERT INTO watermark VALUES (:name, 1, 1, '', NULL)"), {"name": f"{name}{number}"}
            )
            if number % 3 == 0:
                connection.execute(
                    text("DELETE FROM watermark WHERE rowid = :one"), {"one": chance.randrange(number)}
                )
        connection.execute(text("DELETE FROM watermark WHERE mailbox LIKE 'secret%'"))
    store.wipe(thoroughly=True)
    assert not any(b"secret of" in file.read_bytes() for file in tmp_path.iterdir())
    store.close()


def test_players_of_the_second_schema_are_known_for_who_has_written(tmp_path: Path) -> None:
    engine = create_engine(url_in(tmp_path, "old", empty=True))
    moment = "2026-11-21 12:00:00"
    with engine.begin() as connection:
        migrate(connection, "0002")
        for number, name in enumerate(("Ada", "Ben", "ben", "Other"), 1):
            connection.execute(
                text(f"INSERT INTO player (id, name, created_at) VALUES ({number}, '{name}', '{moment}')")
            )
            connection.execute(
                text(f"INSERT INTO address (address, player_id) VALUES ('{number}@example.org', {number})")
            )
        for game, (host, guest, standing) in enumerate(
            [(1, 2, "open"), (1, 4, "invited"), (3, 2, "over")], 1
        ):
            connection.execute(
                text(
                    "INSERT INTO game (id, kind, setup, subject, standing, invited_by, created_at) VALUES "
                    f"({game}, 'tak', '5', 'a game', '{standing}', {host}, '{moment}')"
                )
            )
            for seat, player in enumerate((host, guest)):
                connection.execute(text(f"INSERT INTO seat VALUES ({game}, {seat}, {player})"))
        connection.execute(text(f"INSERT INTO turn VALUES (3, 1, 0, 'ps a1', 'ps a1', '{moment}', NULL)"))
    with engine.begin() as connection:
        migrate(connection)
        heard = connection.execute(
            text("SELECT heard_at IS NOT NULL FROM address ORDER BY address")
        ).scalars()
        # Ada's From alone has begun games, and Other has not answered.
        assert heard.all() == [0, 1, 1, 0]
        assert differences(connection) == []
    engine.dispose()


MOMENT = "2026-11-21 12:00:00"
SURVIVE = (
    f"INSERT INTO player (id, name, created_at) VALUES (1, 'Ada', '{MOMENT}')",
    "INSERT INTO game (id, kind, setup, subject, standing, invited_by, created_at) "
    f"VALUES (1, 'tak', '5', 'a game', 'open', 1, '{MOMENT}')",
    "INSERT INTO turn (game_id, number, seat, text, written, played_at, checksum) "
    f"VALUES (1, 1, 0, 'ps a1', 'ps a1', '{MOMENT}', 'k7m-3fx')",
    "INSERT INTO taken_back (id, game_id, number, seat, text, written, played_at, taken_back_at, since, branch, how) "
    f"VALUES (5, 1, 2, 1, 'ps e5', 'ps e5', '{MOMENT}', '{MOMENT}', 1, 5, 'undo')",
    f"INSERT INTO offer (game_id, seat, kind, turn, since, offered_at) VALUES (1, 0, 'draw', 1, 1, '{MOMENT}')",
)
WOULD_CHANGE = {
    "1 agreed boards in the log": "UPDATE turn SET is_agreed = true, text = 'board s 0 0'",
    "1 agreed boards that were given up": "UPDATE taken_back SET is_agreed = true",
    "1 relay games": "UPDATE game SET is_relay = true",
    "1 seeks of relay games": (
        f"INSERT INTO seek (player_id, kind, setup, sought_at, is_relay) VALUES (1, 'tak', '5', '{MOMENT}', true)"
    ),
}


def downgrade(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.downgrade(config, revision)


def test_turns_go_down_to_the_third_schema_and_up_again(store: Store) -> None:
    with store.engine.begin() as connection:
        for row in SURVIVE:
            connection.execute(text(row))
        downgrade(connection, "0003")
        assert "is_agreed" not in {one["name"] for one in inspect(connection).get_columns("turn")}
        migrate(connection)
        assert differences(connection) == []
        assert connection.execute(text("SELECT text, checksum FROM turn")).all() == [("ps a1", None)]
        kept = connection.execute(text("SELECT text, branch, how FROM taken_back")).all()
        assert kept == [("ps e5", 5, "undo")]
        assert connection.execute(text("SELECT kind, board FROM offer")).all() == [("draw", None)]


@pytest.mark.parametrize("what", sorted(WOULD_CHANGE))
def test_what_the_third_schema_would_take_for_something_else_keeps_it_from_going_down(
    store: Store, what: str
) -> None:
    with store.engine.begin() as connection:
        for row in (*SURVIVE, WOULD_CHANGE[what]):
            connection.execute(text(row))
    before = dump(store)
    with pytest.raises(RuntimeError, match=f"can't hold what is there: {what}; nothing was changed"):
        _go_down(store)
    assert dump(store) == before


def test_players_go_down_to_the_fourth_schema_and_up_again_but_for_what_their_letters_are_made_of(
    store: Store,
) -> None:
    with store.engine.begin() as connection:
        connection.execute(
            text(f"INSERT INTO player (name, letter_view, created_at) VALUES ('Ada', 'html', '{MOMENT}')")
        )
        downgrade(connection, "0004")
        assert "letter_view" not in {one["name"] for one in inspect(connection).get_columns("player")}
        migrate(connection)
        assert differences(connection) == []
        assert connection.execute(text("SELECT name, letter_view FROM player")).all() == [("Ada", None)]


def test_whose_invitations_wait_is_known_of_players_of_the_ninth_schema(tmp_path: Path) -> None:
    engine = create_engine(url_in(tmp_path, "old", empty=True))
    with engine.begin() as connection:
        migrate(connection, "0009")
        for number in range(1, 5):
            connection.execute(
                text(f"INSERT INTO player (id, name, created_at) VALUES ({number}, 'Ada', '{MOMENT}')")
            )
        games = [(2, "invited", "NULL"), (3, "invited", f"'{MOMENT}'"), (4, "declined", "NULL")]
        for game, (guest, standing, asked) in enumerate(games, 1):
            connection.execute(
                text(
                    "INSERT INTO game (id, kind, setup, subject, standing, invited_by, created_at, asked_at) VALUES "
                    f"({game}, 'tak', '5', 'a game', '{standing}', 1, '{MOMENT}', {asked})"
                )
            )
            for seat, player in enumerate((1, guest)):
                connection.execute(
                    text(f"INSERT INTO seat (game_id, seat, player_id) VALUES ({game}, {seat}, {player})")
                )
        migrate(connection)
        waits = connection.execute(text("SELECT id FROM player WHERE has_to_be_asked")).scalars().all()
    engine.dispose()
    assert waits == [2]


def _go_down(store: Store) -> None:
    with store.engine.begin() as connection:
        downgrade(connection, "0003")
