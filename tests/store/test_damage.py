"""Damaged pages of an SQLite file are noticed, and known until a check finds none."""

import logging
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from takmail.store.backup import back_up, put_back
from takmail.store.database import Store
from takmail.store.sqlite_file import PageCheck
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


def test_a_check_that_ends_meanwhile_takes_its_mark_away(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = PageCheck(file)
    pages.note("a page")
    read = Path.read_text

    def unlinked(mark: Path) -> str:
        pages.note("")
        return read(mark)

    monkeypatch.setattr(Path, "read_text", unlinked)
    assert pages.damage() == ""


class SlowConnection:
    """A connection that reads without an end until it is interrupted."""

    def __init__(self, real: sqlite3.Connection, begun: threading.Event) -> None:
        self._real = real
        self._begun = begun
        self.interrupt, self.set_progress_handler = real.interrupt, real.set_progress_handler
        self.close = real.close

    def execute(self, _statement: str) -> sqlite3.Cursor:
        self._real.create_function("begin", 0, self._begun.set)
        return self._real.execute(
            "WITH RECURSIVE n(i) AS (SELECT begin() UNION ALL SELECT 1 FROM n) SELECT count(i) FROM n"
        )


def slowly(patch: pytest.MonkeyPatch, before: Callable[[], None] = lambda: None) -> threading.Event:
    """Let checks have no end. Return what is set once one reads. `before` is called before that."""
    begun, connect = threading.Event(), sqlite3.connect

    def slow(database: str, **how: bool) -> SlowConnection:
        before()
        return SlowConnection(connect(database, check_same_thread=False, **how), begun)

    patch.setattr(sqlite3, "connect", slow)
    return begun


def test_a_checkpoint_ends_a_check_and_does_not_wait_for_it(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(f"sqlite:///{file}")
    with store.transaction() as session:
        session.connection().exec_driver_sql("UPDATE clock SET stood_seconds = 1")
    assert store.pages is not None
    with ThreadPoolExecutor(1) as thread, monkeypatch.context() as patch:
        begun = slowly(patch)
        check = thread.submit(store.pages.run)
        assert begun.wait(PATIENCE)
        store.checkpoint()
        assert not check.result()
    assert store.pages.damage() == ""
    store.pages.interrupt()
    store.close()


def test_a_check_ends_that_is_interrupted_before_it_reads(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = PageCheck(file)
    slowly(monkeypatch, pages.interrupt)
    assert not pages.run()
    assert pages.damage() == ""
