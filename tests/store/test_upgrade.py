"""Upgrading the database of an older takmail."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from takmail.store import upgrade
from takmail.store.database import Store
from takmail.store.schema import HEAD, CannotUse, DatabaseFault
from tests.commands.build import NOW
from tests.support.newer_takmail import NEXT, become_newer

pytestmark = pytest.mark.sqlite("PostgreSQL has no file that is copied first")

SHOES = "SELECT shoe_size FROM player"
VERSION = "SELECT version_num FROM alembic_version"


def rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def opened(file: Path) -> Store:
    return Store.open(f"sqlite:///{file}", lambda: NOW, upgrades=True)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database that a takmail has left with a player in it, opened by the next version from now on."""
    folder = tmp_path / "database"
    folder.mkdir()
    store = opened(folder / "takmail.sqlite")
    with store.engine.begin() as connection:
        connection.execute(
            text("INSERT INTO player (id, name, created_at) VALUES (1, 'Ada', '2026-11-21 12:00:00')")
        )
        connection.execute(text("INSERT INTO address (address, player_id) VALUES ('ada@example.org', 1)"))
    store.close()
    become_newer(monkeypatch, tmp_path)
    return folder / "takmail.sqlite"


def test_it_is_upgraded_with_what_it_holds(file: Path) -> None:
    opened(file).close()
    assert rows(file, VERSION) == [(NEXT,)]
    assert rows(file, "SELECT name, shoe_size FROM player") == [("Ada", None)]


def test_a_copy_is_left_beside_it_and_the_operator_is_told(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        opened(file).close()
    (copy,) = file.parent.glob("takmail.sqlite.before-*")
    assert copy.name == "takmail.sqlite.before-20261121-120000"
    assert copy.name in caplog.text
    assert rows(copy, VERSION) == [(HEAD,)]
    assert rows(copy, "SELECT name FROM player") == [("Ada",)]


def test_opened_again_nothing_is_done(file: Path) -> None:
    opened(file).close()
    opened(file).close()
    assert len([*file.parent.glob("takmail.sqlite.before-*")]) == 1


def dumped(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [*connection.iterdump()]


def unchanged(file: Path) -> DatabaseFault:
    """Try to open the database. It stays unchanged, and no copy is left."""
    before = dumped(file)
    with pytest.raises(CannotUse) as error:
        opened(file)
    assert dumped(file) == before
    assert [one.name for one in file.parent.iterdir()] == [file.name]
    return error.value.fault


def test_one_with_a_row_that_refers_to_nothing_stays_as_it_is(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM player")
    assert unchanged(file) is DatabaseFault.NOT_UPGRADED


def test_one_whose_migration_fails_stays_as_it_is(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("ALTER TABLE player ADD COLUMN shoe_size INTEGER")
    before = dumped(file)
    with pytest.raises(Exception, match="duplicate column"):
        opened(file)
    assert dumped(file) == before
    assert [one.name for one in file.parent.iterdir()] == [file.name]


def test_a_damaged_one_stays_as_it_is(file: Path) -> None:
    raw = bytearray(file.read_bytes())
    raw[-24_576:-8_192] = b"\xa5" * 16_384
    file.write_bytes(raw)
    with pytest.raises(CannotUse) as error:
        opened(file)
    assert (error.value.fault, error.value.why) == (DatabaseFault.NOT_UPGRADED, "its file is damaged")
    assert file.read_bytes()[-24_576:] == raw[-24_576:]
    assert [one.name for one in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize("version", ["0015", "0022"])
def test_one_from_before_the_first_version_is_refused(file: Path, version: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
    assert unchanged(file) is DatabaseFault.OLDER


def test_of_one_that_is_no_file_no_copy_is_made(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = Store.open_read_only(f"sqlite:///{file}")
    upgrade.bring_up(store.engine, None, NOW)
    store.close()
    assert "the only way back is your own backup" in caplog.text
    assert rows(file, SHOES) == [(None,)]
    assert not [*file.parent.glob("takmail.sqlite.before-*")]


def test_one_that_another_process_has_brought_up_to_date_meanwhile_is_left_alone(file: Path) -> None:
    opened(file).close()
    before = dumped(file)
    store = Store.open_read_only(f"sqlite:///{file}")
    upgrade.bring_up(store.engine, None, NOW)
    store.close()
    assert dumped(file) == before


def test_without_room_for_the_copy_it_stays_as_it_is(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_full(*_files: Path, **_how: bool) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(upgrade, "back_up", is_full)
    assert unchanged(file) is DatabaseFault.NOT_UPGRADED


def test_while_an_older_takmail_has_it_open_it_stays_as_it_is(file: Path) -> None:
    older = Store.open_read_only(f"sqlite:///{file}")
    with older.transaction() as session:
        session.execute(text("SELECT 1 FROM game"))
    with pytest.raises(CannotUse) as error:
        opened(file)
    older.close()
    assert (error.value.fault, error.value.why) == (DatabaseFault.IN_USE, "")
    assert rows(file, VERSION) == [(HEAD,)]


def test_without_leave_to_upgrade_it_is_left_alone(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(CannotUse) as error:
        Store.open(f"sqlite:///{file}")
    assert (error.value.fault, error.value.why) == (DatabaseFault.TO_UPGRADE, HEAD)
    store = Store.open_read_only(f"sqlite:///{file}")
    with pytest.raises(CannotUse) as error, store.dry_run():
        pass
    store.close()
    assert error.value.fault is DatabaseFault.TO_UPGRADE
    assert file.read_bytes() == before
    assert not [*file.parent.glob("takmail.sqlite.before-*")]
