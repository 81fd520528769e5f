"""Backups: copying a database in use, and restoring it."""

import errno
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from takmail.store import backup
from takmail.store.backup import back_up, file_of, put_back
from takmail.store.database import Store
from takmail.store.schema import HEAD, CannotUse, DatabaseFault
from tests.support.newer_takmail import NEXT, become_newer

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
KEPT = "takmail.sqlite.before-20261121-120000"


def names(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [name for (name,) in connection.execute("SELECT name FROM player ORDER BY id")]


def add(file: Path, name: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO player (name, created_at) VALUES (?, '2026-11-21 12:00:00')", [name])


def files(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with Ada in it, which nobody has open."""
    file = tmp_path / "takmail.sqlite"
    Store.open(f"sqlite:///{file}").close()
    add(file, "Ada")
    return file


def fault(error: pytest.ExceptionInfo[CannotUse]) -> tuple[DatabaseFault, str | None]:
    return error.value.fault, error.value.file.name if error.value.file else None


# back_up.


def test_a_copy_is_one_file_that_its_owner_alone_may_read(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    folder.mkdir()
    back_up(file, folder / "copy.sqlite")
    assert files(folder) == ["copy.sqlite"]
    assert (folder / "copy.sqlite").stat().st_mode & 0o777 == 0o600
    folder.chmod(0o500)  # as on a disk that can only be read
    assert names(folder / "copy.sqlite") == ["Ada"]
    assert files(folder) == ["copy.sqlite"]
    folder.chmod(0o700)


def test_a_copy_holds_what_is_committed_and_nothing_else_while_others_write(
    file: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.sqlite"
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("INSERT INTO player (name, created_at) VALUES ('Ben', '2026-11-21 12:00:00')")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO player (name, created_at) VALUES ('Other', '2026-11-21 12:00:00')")
        back_up(file, copy)
        writer.execute("COMMIT")
    assert names(copy) == ["Ada", "Ben"]
    assert names(file) == ["Ada", "Ben", "Other"]


def test_a_file_that_is_there_is_replaced_only_by_force(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    copy.write_text("mine")
    (tmp_path / "copy.sqlite-wal").write_text("of another database")
    with pytest.raises(CannotUse) as error:
        back_up(file, copy)
    assert fault(error) == (DatabaseFault.EXISTS, "copy.sqlite")
    assert copy.read_text() == "mine"
    back_up(file, copy, force=True)
    assert names(copy) == ["Ada"]


@pytest.mark.parametrize("name", ["takmail.sqlite", "link.sqlite", "takmail.sqlite-wal"])
def test_the_database_itself_is_never_replaced(file: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "link.sqlite").symlink_to(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("SELECT count(*) FROM player").fetchone()
        with pytest.raises(CannotUse) as error:
            back_up(file, tmp_path / name, force=True)
    assert fault(error) == (DatabaseFault.ITSELF, name)
    assert names(file) == ["Ada"]


def test_a_full_disk_leaves_the_older_copy_as_it_was(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.sqlite"
    back_up(file, copy)
    add(file, "Ben")
    before = files(tmp_path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(backup, "_check", full)
    with pytest.raises(OSError, match="No space left"):
        back_up(file, copy, force=True)
    assert names(copy) == ["Ada"]
    assert files(tmp_path) == before


def _spoil(file: Path) -> None:
    """Overwrite the pages in the middle of a database."""
    raw = bytearray(file.read_bytes())
    raw[8_192:40_960] = b"\xa5" * 32_768
    file.write_bytes(raw)


def test_a_damaged_database_is_told_and_makes_no_copy(file: Path, tmp_path: Path) -> None:
    _spoil(file)
    with pytest.raises(CannotUse) as error:
        back_up(file, tmp_path / "copy.sqlite")
    assert fault(error) == (DatabaseFault.DAMAGED, "takmail.sqlite")
    assert files(tmp_path) == ["takmail.sqlite"]


def test_where_there_is_no_database_there_is_nothing_to_copy(tmp_path: Path) -> None:
    with pytest.raises(CannotUse) as error:
        back_up(tmp_path / "none.sqlite", tmp_path / "copy.sqlite")
    assert fault(error) == (DatabaseFault.MISSING, "none.sqlite")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "postgresql://localhost/tak"])
def test_only_a_file_of_sqlites_is_copied(url: str) -> None:
    with pytest.raises(CannotUse) as error:
        file_of(url)
    assert fault(error) == (DatabaseFault.ELSEWHERE, None)


# put_back.


@pytest.fixture
def copy(file: Path, tmp_path: Path) -> Path:
    """A copy with Ada in it; Ben has joined since."""
    folder = tmp_path / "backup"
    folder.mkdir()
    back_up(file, folder / "copy.sqlite")
    add(file, "Ben")
    return folder / "copy.sqlite"


def test_a_copy_takes_the_place_of_the_database_which_is_kept(file: Path, copy: Path) -> None:
    kept, revision = put_back(copy, file, NOON)
    assert kept == file.with_name(KEPT)
    assert revision == HEAD
    assert files(file.parent) == ["backup", "takmail.sqlite", KEPT]
    assert (names(file), names(kept), names(copy)) == (["Ada"], ["Ada", "Ben"], ["Ada"])
    assert file.stat().st_mode & 0o777 == 0o600
    Store.open(f"sqlite:///{file}").close()


def test_what_a_killed_service_has_left_in_the_log_is_kept_too(file: Path, copy: Path) -> None:
    log = file.with_name("takmail.sqlite-wal")
    with closing(sqlite3.connect(file)) as connection:
        with connection:
            connection.execute("INSERT INTO player (name, created_at) VALUES ('Other', '')")
        killed = {one: one.read_bytes() for one in (file, log)}
    for one, raw in killed.items():
        one.write_bytes(raw)
    kept, _ = put_back(copy, file, NOON)
    assert kept is not None
    assert names(kept) == ["Ada", "Ben", "Other"]
    assert names(file) == ["Ada"]


def test_while_somebody_has_the_database_open_nothing_is_changed(file: Path, copy: Path) -> None:
    store = Store.open(f"sqlite:///{file}")  # as a service that has nothing to do just now
    with pytest.raises(CannotUse) as error:
        put_back(copy, file, NOON)
    store.close()
    assert fault(error) == (DatabaseFault.IN_USE, "takmail.sqlite")
    assert names(file) == ["Ada", "Ben"]
    assert files(file.parent) == ["backup", "takmail.sqlite"]


def test_where_it_can_not_be_told_whether_somebody_has_it_open_nothing_is_changed(
    file: Path, copy: Path
) -> None:
    file.with_name("takmail.sqlite-wal").mkdir()  # so that SQLite can't look into the log
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        put_back(copy, file, NOON)
    file.with_name("takmail.sqlite-wal").rmdir()
    assert names(file) == ["Ada", "Ben"]


def test_a_copy_that_is_not_there_is_told(file: Path, tmp_path: Path) -> None:
    with pytest.raises(CannotUse) as error:
        put_back(tmp_path / "none.sqlite", file, NOON)
    assert fault(error) == (DatabaseFault.MISSING, "none.sqlite")


@pytest.mark.parametrize("user", [0, 1_000])
def test_only_root_gives_the_database_to_who_had_it(
    file: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, user: int
) -> None:
    given = []
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(os, "chown", lambda *what: given.append(what[1:]))
    had = file.stat()
    put_back(copy, file, NOON)
    assert given == ([] if user else [(had.st_uid, had.st_gid)])


def test_where_there_is_no_database_the_copy_becomes_it(copy: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.sqlite"
    assert put_back(copy, new, NOON)[0] is None
    assert names(new) == ["Ada"]


def test_a_link_to_the_database_stays_one(file: Path, copy: Path, tmp_path: Path) -> None:
    link = tmp_path / "backup" / "link.sqlite"
    link.symlink_to(file)
    assert put_back(copy, link, NOON)[0] == file.with_name(KEPT)
    assert link.is_symlink()
    assert names(file) == ["Ada"]


def test_a_damaged_database_is_kept_with_what_lies_beside_it(file: Path, copy: Path) -> None:
    for name in ("takmail.sqlite", "takmail.sqlite-wal"):
        file.with_name(name).write_bytes(b"damage" * 1_000)
    put_back(copy, file, NOON)
    assert names(file) == ["Ada"]
    assert {KEPT, f"{KEPT}-wal"} <= set(files(file.parent))


def test_a_log_without_its_database_does_not_spoil_the_new_one(copy: Path, tmp_path: Path) -> None:
    (tmp_path / "new.sqlite-wal").write_bytes(b"of another database")
    put_back(copy, tmp_path / "new.sqlite", NOON)
    assert "new.sqlite-wal" not in files(tmp_path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("UPDATE alembic_version SET version_num = 'r9999'", DatabaseFault.NEWER),
        ("UPDATE alembic_version SET version_num = '0022'", DatabaseFault.OLDER),
        ("DELETE FROM alembic_version", DatabaseFault.FOREIGN),
        ("DROP TABLE alembic_version", DatabaseFault.FOREIGN),
    ],
)
def test_a_copy_that_this_takmail_can_not_use_is_refused(
    file: Path, copy: Path, change: str, why: DatabaseFault
) -> None:
    with closing(sqlite3.connect(copy)) as connection, connection:
        connection.execute(change)
    _is_refused(file, copy, why)


def test_a_damaged_copy_is_refused(file: Path, copy: Path) -> None:
    _spoil(copy)
    _is_refused(file, copy, DatabaseFault.DAMAGED)
    copy.write_text("no database at all")
    _is_refused(file, copy, DatabaseFault.DAMAGED)


def _is_refused(file: Path, copy: Path, why: DatabaseFault) -> None:
    with pytest.raises(CannotUse) as error:
        put_back(copy, file, NOON)
    assert fault(error) == (why, "copy.sqlite")
    assert names(file) == ["Ada", "Ben"]
    assert files(file.parent) == ["backup", "takmail.sqlite"]


def test_the_database_is_no_copy_of_itself(file: Path) -> None:
    with pytest.raises(CannotUse) as error:
        put_back(file, file, NOON)
    assert fault(error) == (DatabaseFault.ITSELF, "takmail.sqlite")


def test_an_older_copy_is_brought_up_to_date_when_it_is_opened(
    file: Path, copy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    become_newer(monkeypatch, tmp_path_factory.mktemp("newer"))
    assert put_back(copy, file, NOON)[1] == HEAD
    Store.open(f"sqlite:///{file}", upgrades=True).close()
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (NEXT,)
