"""`Store.sync` puts on disk what was committed without waiting for it."""

import errno
import os
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from takmail.store import sqlite_file
from takmail.store.database import Store
from takmail.store.tables import PlayerRow
from tests.store.scene import NOW


def add_player(store: Store, number: int) -> None:
    with store.transaction(durable=False) as session:
        session.add(PlayerRow(id=number, kind="person", name=f"Player {number}", created_at=NOW))


@pytest.fixture
def on_file(tmp_path: Path) -> Store:
    return Store.open(f"sqlite:///{tmp_path / 'takmail.sqlite'}")


@pytest.mark.sqlite("the log is a file of SQLite's")
def test_the_name_of_a_new_log_is_written_and_its_content_each_time(
    on_file: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []

    def watched(what: str) -> None:
        real = sqlite_file._sync_content if what == "content" else os.fsync

        def sync(handle: int) -> None:
            written.append(Path(os.readlink(f"/proc/self/fd/{handle}")).name)
            real(handle)

        monkeypatch.setattr(*((sqlite_file, "_sync_content") if what == "content" else (os, "fsync")), sync)

    watched("content")
    watched("name")
    add_player(on_file, 1)
    on_file.sync()
    folder = Path(str(on_file.engine.url.database)).parent.name
    assert written == [folder, "takmail.sqlite-wal"]
    add_player(on_file, 2)
    on_file.sync()
    assert written[2:] == ["takmail.sqlite-wal"], "its name is on disk already"
    on_file.close()


@pytest.mark.sqlite("the log is a file of SQLite's")
def test_the_log_is_found_where_a_link_leads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link.sqlite").symlink_to(tmp_path / "elsewhere" / "takmail.sqlite")
    written = []
    monkeypatch.setattr(
        sqlite_file, "_sync_content", lambda handle: written.append(os.readlink(f"/proc/self/fd/{handle}"))
    )
    store = Store.open(f"sqlite:///{tmp_path / 'link.sqlite'}")
    add_player(store, 1)
    store.sync()
    assert written == [str(tmp_path / "elsewhere" / "takmail.sqlite-wal")]
    store.close()


@pytest.mark.sqlite("the log is a file of SQLite's")
def test_where_the_log_is_not_known_every_commit_waits(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///file:{tmp_path / 'takmail.sqlite'}?uri=true")
    with store.transaction(durable=False) as session:
        assert session.connection().exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
    store.close()


@pytest.mark.sqlite("the log is a file of SQLite's")
def test_after_a_failed_sync_the_log_goes_to_the_database_file(
    on_file: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(str(on_file.engine.url.database))
    add_player(on_file, 1)

    def fails(_handle: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite_file, "_sync_content", fails)
        with pytest.raises(OperationalError, match="disk I/O error"):
            on_file.sync()
    log = file.with_name(f"{file.name}-wal")
    assert log.stat().st_size > 0
    on_file.sync()
    assert log.stat().st_size == 0
    on_file.close()


@pytest.mark.sqlite("the log is a file of SQLite's")
def test_without_a_log_there_is_nothing_to_wait_for(tmp_path: Path) -> None:
    store = Store.open_read_only(f"sqlite:///{tmp_path / 'takmail.sqlite'}")
    store.sync()
    assert not (tmp_path / "takmail.sqlite").exists()
    store.close()
