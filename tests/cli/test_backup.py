"""`takmail backup` and `takmail restore`, as they are typed."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from takmail.cli import backups
from takmail.store.database import Store
from takmail.store.schema import CannotUse, DatabaseFault
from tests.support.command_line import complaint, config_file, takmail
from tests.support.harness import Harness

pytestmark = pytest.mark.sqlite("a database on a server is backed up with the server's own means")


@pytest.fixture
def config(cli_harness: Harness, tmp_path: Path) -> Path:
    """The config of a service on whose database somebody works: a game has begun."""
    cli_harness.begin("5")
    return tmp_path / "config.toml"


def refused(*words: str | Path) -> str:
    return complaint(*words).removeprefix("Error: ").strip()


def test_a_backup_tells_its_size_and_that_the_key_is_wanted_too(config: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    result = takmail("backup", copy, "--config", config)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        f"{copy} is a complete copy of the database ({copy.stat().st_size} bytes).",
        f"The key is not in the copy. Back up {tmp_path}/takmail.key, too: without the key, no answer to a sent letter "
        "can be verified.",
    ]


def test_a_key_from_the_environment_is_named(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAKMAIL_KEY", "0" * 64)
    config.write_text(config.read_text().replace("[imap]", 'key_env = "TAKMAIL_KEY"\n[imap]'))
    said = takmail("backup", tmp_path / "copy.sqlite", "--config", config).stdout
    assert "Back up the value of the variable TAKMAIL_KEY, too" in said


def test_what_is_there_is_replaced_only_by_force(config: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    copy.write_text("mine")
    assert refused("backup", copy, "--config", config) == f"{copy} already exists; --force replaces it"
    assert takmail("backup", copy, "--force", "--config", config).exit_code == 0


@pytest.mark.parametrize("fault", DatabaseFault)
def test_each_fault_of_a_database_is_told_by_whatever_meets_it(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: DatabaseFault
) -> None:
    def broken(*_: object, **_options: object) -> None:
        raise CannotUse(fault, tmp_path / "takmail.sqlite")

    monkeypatch.setattr(backups, "back_up", broken)
    monkeypatch.setattr(Store, "has_tables", broken)
    copying = refused("backup", tmp_path / "copy.sqlite", "--config", config)
    opening = takmail("status", "--config", config).stdout.removeprefix("CRITICAL: [store] ")
    in_general = f"can't be used ({fault})"
    assert copying
    assert "takmail.sqlite: " in opening
    assert in_general not in copying or in_general not in opening


def test_a_database_whose_tables_can_not_be_read_is_told(config: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "takmail.sqlite")) as connection, connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("UPDATE sqlite_master SET sql = 'none' WHERE name = 'player'")
    said = refused("backup", tmp_path / "copy.sqlite", "--config", config)
    assert said.endswith("malformed database schema (player)")
    assert not (tmp_path / "copy.sqlite").exists()


def test_a_folder_that_is_not_there_is_told(config: Path, tmp_path: Path) -> None:
    said = refused("backup", tmp_path / "none" / "copy.sqlite", "--config", config)
    assert said.startswith(f"no file can be made in {tmp_path / 'none'}; make that folder")
    assert ".new" not in said


def test_where_there_is_no_database_none_is_made(tmp_path: Path) -> None:
    config = config_file(tmp_path)
    file = tmp_path / "takmail.sqlite"
    assert refused("backup", tmp_path / "copy", "--config", config) == f"{file} does not exist"
    assert list(tmp_path.iterdir()) == [config]


def test_while_the_service_runs_a_restore_is_refused(config: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    takmail("backup", copy, "--config", config)
    assert refused("restore", copy, "--config", config) == (
        f"{tmp_path}/takmail.sqlite is in use; stop `takmail serve` and whatever calls `takmail deliver` first"
    )


def test_a_restore_tells_what_was_kept_and_what_to_do_next(
    config: Path, cli_harness: Harness, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite"
    takmail("backup", copy, "--config", config)
    cli_harness.store.close()
    result = takmail("restore", copy, "--config", config)
    assert (result.exit_code, result.stderr) == (0, "")
    first, kept, takes, need = result.stdout.splitlines()
    assert first == f"{tmp_path}/takmail.sqlite is restored from {copy}."
    assert kept.startswith(f"The old database is now {tmp_path}/takmail.sqlite.before-")
    assert Path(kept.split()[-1].rstrip(".")).exists()
    assert takes.startswith("Its service may take the mailbox over.")
    assert need.startswith(
        f"The database needs the key from the time of the backup in {tmp_path}/takmail.key."
    )
    assert "#1" in takmail("game", "list", "--config", config).stdout


def test_a_restore_from_what_is_no_copy_is_refused(config: Path) -> None:
    assert refused("restore", config, "--config", config) == (
        f"{config} is damaged or is not a database (nothing was changed); restore an intact backup"
    )


@pytest.mark.parametrize("verb", ["backup", "restore"])
def test_wrong_settings_are_told(tmp_path: Path, verb: str) -> None:
    assert takmail(verb, tmp_path / "copy", "--config", tmp_path / "none.toml").exit_code == os.EX_CONFIG
