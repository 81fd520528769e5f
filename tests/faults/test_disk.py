"""The database can't be written or has disappeared: nothing is lost, and nothing is acknowledged too early."""

import asyncio
import logging
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session

from takmail.runtime.bootstrap import App
from takmail.store import causes, database, inbox
from takmail.store.sqlite_file import PageCheck
from takmail.world.kinds import MailState
from tests.faults.scene import Scene, scene
from tests.support.cost import PATIENCE
from tests.support.damaged import damage_page
from tests.support.network import ADA, TAK, bury

pytestmark = pytest.mark.sqlite("a disk is full, and a file locked or gone, on the database's own machine")
LONG = "I have thought about this for long. " * 2_000


@contextmanager
def no_more_pages(it: Scene) -> Iterator[None]:
    """Keep the database from growing, as on a full disk."""
    engine = it.app.store.engine

    def stop_growing(connection: sqlite3.Connection, *_what: object) -> None:
        connection.execute(
            "PRAGMA max_page_count = 1"
        ).close()  # SQLite sets the limit to the current number of pages

    event.listen(engine, "checkout", stop_growing)
    yield
    event.remove(engine, "checkout", stop_growing)

    def grow(connection: sqlite3.Connection, *_what: object) -> None:
        connection.execute("PRAGMA max_page_count = 1000000000").close()

    event.listen(engine, "checkout", grow)


@contextmanager
def write_locked(file: Path) -> Iterator[None]:
    """Lock the database in another process."""
    lock = sqlite3.connect(file, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    yield
    lock.execute("ROLLBACK")
    lock.close()


async def tried(it: Scene, times: int) -> None:
    """Wait until takmail has failed to poll its mailbox this number of further times."""
    until = it.in_vain + times
    async with asyncio.timeout(PATIENCE):
        while it.in_vain < until:
            it.imap.happens.clear()
            await it.imap.happens.wait()


def told(caplog: pytest.LogCaptureFixture, what: str) -> list[str]:
    """Return the tasks whose outages with this reason were logged."""
    lines = [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
    return [line.partition(" stopped")[0] for line in lines if what in line]


async def test_while_the_disk_is_full_a_mail_stays_in_the_mailbox_and_the_operator_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()
        with no_more_pages(it):
            await it.write(LONG)
            await tried(it, 4)
            assert len(await it.game.system.mails(TAK)) == 1
            assert told(caplog, "database or disk is full; make room on its disk") == ["mailbox polling"]
        await it.answered()
        await it.at_rest()
        it.check()
        assert it.copies() == 1


async def test_a_mail_that_is_kept_waits_while_there_is_no_room_for_its_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()
        write, tries, is_tried = causes.write, 0, asyncio.Event()

        def fills_up(session: Session, *what: Any, **how: Any) -> Any:
            nonlocal tries
            tries += 1
            if tries == 5:
                is_tried.set()
            claimed = write(session, *what, **how)
            session.connection().exec_driver_sql("PRAGMA max_page_count = 1")
            session.connection().exec_driver_sql("CREATE TABLE filler AS SELECT zeroblob(1000000) AS it")
            return claimed

        with monkeypatch.context() as patch:
            patch.setattr(causes, "write", fills_up)
            await it.write()
            async with asyncio.timeout(PATIENCE):
                await is_tried.wait()
            assert len(await it.game.system.mails(TAK)) == 1
        with no_more_pages(it):
            pass
        await it.answered()
        await it.at_rest()
        it.check()
        assert it.copies() == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of four megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m", "none", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


async def test_on_a_disk_with_no_byte_left_nothing_is_lost_and_no_letter_sent_twice(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with scene(small_disk, monkeypatch) as it:
        await it.turn()
        filler = small_disk / "filler"
        with filler.open("wb", buffering=0) as file:
            while True:
                try:
                    file.write(b"." * 512)
                except OSError:
                    break
        await it.write(LONG)
        await tried(it, 4)
        assert len(await it.game.system.mails(TAK)) == 1
        said = told(caplog, "database or disk is full")
        assert said
        assert len(said) == len(set(said))
        filler.unlink()
        await it.answered()
        await it.at_rest()
        it.check()
        assert it.copies() == 1


async def test_while_another_process_locks_the_database_nothing_is_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.001)
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()
        with write_locked(tmp_path / "takmail.sqlite"):
            await it.write()
            await tried(it, 4)
            assert len(await it.game.system.mails(TAK)) == 1
            said = told(caplog, "database is locked")
            assert said.count("mailbox polling") == 1
            assert len(said) == len(set(said))
        await it.answered()
        await it.at_rest()
        it.check()


async def test_letters_that_left_while_the_database_was_locked_are_noted_later_and_not_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.001)
    async with scene(tmp_path, monkeypatch, poll_seconds=0.05) as it:
        await it.turn()
        lock = write_locked(tmp_path / "takmail.sqlite")

        async def locked() -> None:
            lock.__enter__()

        it.smtp.before[r"\.$"] = locked
        await it.write()
        await tried(it, 5)
        lock.__exit__(None, None, None)
        await it.answered()
        await it.at_rest()
        it.check()
        assert it.copies() == 1


async def test_a_database_file_that_is_taken_away_stops_all_work_until_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()
        file, away = tmp_path / "takmail.sqlite", tmp_path / "away.sqlite"
        file.rename(away)
        await it.write()
        await tried(it, 4)
        assert len(await it.game.system.mails(TAK)) == 1
        assert not file.exists(), "no empty database takes its place"
        assert told(caplog, "its file is gone").count("mailbox polling") == 1
        away.rename(file)
        await it.answered()
        await it.at_rest()
        it.check()


async def test_another_file_in_the_place_of_the_database_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()
        file, away = tmp_path / "takmail.sqlite", tmp_path / "away.sqlite"
        file.rename(away)
        file.write_bytes(b"")
        await it.write()
        await tried(it, 3)
        assert file.read_bytes() == b""
        os.replace(away, file)
        await it.answered()
        await it.at_rest()
        it.check()


async def test_a_damaged_database_ends_the_service_and_shunts_no_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()

        def damaged(*_what: object, **_how: object) -> None:
            raise DatabaseError("", None, sqlite3.DatabaseError("database disk image is malformed"))

        with monkeypatch.context() as patch:
            patch.setattr(causes, "load_snapshot", damaged)
            await it.game.write(f"Ada <{ADA}>", "help")
            with pytest.raises(DatabaseError, match="malformed"):
                await it.ended()
        assert it.app.store.pages is not None
        assert "malformed" in it.app.store.pages.damage()
        with it.app.store.transaction() as session:
            assert inbox.count(session, [MailState.SHUNTED]) == 0
            assert inbox.count(session, [MailState.NEW]) == 1
        assert len(await it.game.system.mails(TAK)) == 1
        await it.revive()
        await it.at_rest()


async def test_damaged_pages_are_found_soon_after_the_start_and_the_service_runs_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()
        await it.stop()
        await bury(it.app)
        file, whole = tmp_path / "takmail.sqlite", tmp_path / "whole.sqlite"
        shutil.copy(file, whole)
        damage_page(file, "block")
        for is_damaged in (True, False):
            if not is_damaged:
                shutil.copy(whole, file)
            it.app = App(it.app.settings)
            noted = noting(it.app)
            it.start()
            async with asyncio.timeout(PATIENCE):
                assert bool(await noted) == is_damaged
            assert (PageCheck(file).damage() != "") == is_damaged
            if is_damaged:
                await it.turn()
                await it.at_rest()
                await it.stop()
                await bury(it.app)


def noting(app: App) -> asyncio.Future[str]:
    """Return what the check of the database's pages finds, once it is kept."""
    loop = asyncio.get_running_loop()
    noted = loop.create_future()
    pages = app.store.pages
    assert pages is not None
    note = pages.note

    def noting_note(damage: str) -> None:
        note(damage)
        loop.call_soon_threadsafe(noted.set_result, damage)

    pages.note = noting_note
    return noted
