"""Damaged pages of an SQLite file are noticed, and known until a check finds none."""

import logging
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from takmail.store.backup import back_up, put_back
from takmail.store.damage import PageCheck
from takmail.store.database import Store
from tests.store.test_backup import NOON
from tests.support.cost import PATIENCE
from tests.support.damaged import damage_page

pytestmark = pytest.mark.sqlite("a server looks after its own files")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "takmail.sqlite"
    Store.open(f"sqlite:///{file}").close()
    return file


def shorten(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.truncate(file.stat().st_size // 2)


def overwrite_all(file: Path) -> None:
    file.write_bytes(b"nonsense" * 1_000)


@pytest.mark.parametrize("damage", [damage_page, shorten, overwrite_all])
def test_damage_is_known_until_a_check_finds_none(
    file: Path, damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    whole = file.read_bytes()
    damage(file)
    PageCheck(file).run()
    (line,) = [one for one in caplog.records if one.levelno == logging.CRITICAL]
    assert line.getMessage().startswith("the database is damaged: restore the last backup (")
    assert "\n" not in line.getMessage()
    assert PageCheck(file).damage() != ""
    file.write_bytes(whole)
    assert PageCheck(file).damage() != ""
    PageCheck(file).run()
    assert PageCheck(file).damage() == ""


def test_a_whole_file_is_read_while_others_write(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        before = sorted(file.parent.iterdir())
        PageCheck(file).run()
        assert sorted(file.parent.iterdir()) == before
    assert PageCheck(file).damage() == ""


def test_a_restored_backup_is_not_damaged_and_the_old_file_keeps_its_mark(file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    back_up(file, copy)
    damage_page(file)
    PageCheck(file).run()
    kept, _ = put_back(copy, file, NOON)
    assert kept is not None
    assert PageCheck(file).damage() == ""
    assert PageCheck(kept).damage() != ""


def test_where_the_result_can_not_be_kept_the_log_has_it(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_what: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    PageCheck(file).note("a page")
    assert "(a page)" in caplog.text


class SlowConnection:
    """A connection whose check lasts until it is interrupted."""

    def __init__(self, real: sqlite3.Connection, begun: threading.Event) -> None:
        self.interrupted = threading.Event()
        self._real = real
        self._begun = begun

    def execute(self, _statement: str) -> sqlite3.Cursor:
        self._begun.set()
        self._real.set_progress_handler(lambda: int(self.interrupted.wait(PATIENCE)), 1)
        return self._real.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        )

    def interrupt(self) -> None:
        self.interrupted.set()

    def close(self) -> None:
        self._real.close()


def test_a_checkpoint_ends_a_check_and_does_not_wait_for_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(f"sqlite:///{file}")
    with store.transaction() as session:
        session.connection().exec_driver_sql("UPDATE clock SET stood_seconds = 1")
    begun, errors = threading.Event(), list[sqlite3.OperationalError]()
    connect = sqlite3.connect

    def slow(database: str, **how: bool) -> SlowConnection:
        return SlowConnection(connect(database, check_same_thread=False, **how), begun)

    assert store.pages is not None
    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", slow)
        run = store.pages.run

        def check() -> None:
            try:
                run()
            except sqlite3.OperationalError as error:
                errors.append(error)

        thread = threading.Thread(target=check)
        thread.start()
        assert begun.wait(PATIENCE)
    store.checkpoint()
    thread.join()
    assert [one.sqlite_errorcode for one in errors] == [sqlite3.SQLITE_INTERRUPT]
    assert store.pages.damage() == ""
    store.pages.interrupt()
    store.close()
