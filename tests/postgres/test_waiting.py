"""What one takmail waits for while another has it: for the tables of a new database, and never for ever."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection, create_engine, text

from takmail.store import database
from takmail.store.database import UNAVAILABLE, Store
from tests.support.databases import url_in
from tests.support.harness import Harness

SECONDS = 60
"""How long another process may take on a busy machine."""

_OPENS = "import sys; from takmail.store.database import Store; Store.open(sys.argv[1]).close()"
_WAITING = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)

_LOCK = text("SELECT id FROM game WHERE id = 1 FOR UPDATE")


def until_it_waits(other: subprocess.Popen[bytes], url: str) -> None:
    """Return when the other process waits for a lock, or has ended."""
    engine, last = create_engine(url), time.monotonic() + SECONDS
    try:
        while other.poll() is None:
            assert time.monotonic() < last, "it neither waits nor ends"
            with engine.connect() as connection:
                if connection.scalar(_WAITING):
                    return
            time.sleep(0.02)
    finally:
        engine.dispose()


def test_two_who_open_a_new_database_at_once_make_its_tables_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, make, others = url_in(tmp_path, "new", empty=True), database.create, []

    def meanwhile(connection: Connection) -> None:
        """Another process opens it just before what this one has made is committed."""
        make(connection)
        other = subprocess.Popen([sys.executable, "-c", _OPENS, url], stderr=subprocess.PIPE)
        others.append(other)
        until_it_waits(other, url)

    monkeypatch.setattr(database, "create", meanwhile)
    Store.open(url).close()
    (other,) = others
    _, said = other.communicate(timeout=SECONDS)
    assert (other.returncode, said.decode()) == (0, "")


def opened_with(monkeypatch: pytest.MonkeyPatch, folder: Path, *, busy: float, gone: float) -> Store:
    """The database of a folder, opened by one who waits for so many seconds."""
    with monkeypatch.context() as patch:
        patch.setattr(database, "BUSY_SECONDS", busy)
        patch.setattr(database, "IDLE_SECONDS", gone)
        return Store.open(url_in(folder))


def test_who_has_waited_too_long_for_another_one_gives_up(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.begin()
    hasty = opened_with(monkeypatch, tmp_path, busy=0.1, gone=60)
    holder = opened_with(monkeypatch, tmp_path, busy=10, gone=2)
    with holder.engine.connect() as one:
        one.execute(_LOCK)
        with pytest.raises(UNAVAILABLE), hasty.transaction() as two:
            two.execute(_LOCK)
    hasty.close()
    holder.close()


def test_who_says_nothing_more_has_nothing_locked_after_a_while(
    harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.begin()
    silent = opened_with(monkeypatch, tmp_path, busy=10, gone=0.2)
    one = silent.engine.connect()
    one.execute(_LOCK)
    with harness.store.transaction() as two:
        assert two.execute(_LOCK).scalar() == 1
    with pytest.raises(UNAVAILABLE):
        one.execute(text("SELECT 1"))
    one.close()
    silent.close()
