"""What PostgreSQL may say to an operator, and what it may say in the middle of a mail."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, select

from takmail.store import causes, inbox
from takmail.store.database import UNAVAILABLE, Store, has_collided
from takmail.store.statements import by_driver
from takmail.store.tables import InboxRow
from takmail.world.kinds import MailState
from tests.postgres.server import WITH_PASSWORD, Server, password
from tests.support import databases
from tests.support.command_line import config_file, takmail
from tests.support.harness import ADA, Harness
from tests.support.rows import player


def said(folder: Path, url: str) -> str:
    """What an operator is told who names this database."""
    result = takmail(
        "check-config", "--connect", "--config", config_file(folder, more=f'[store]\nurl = "{url}"\n')
    )
    assert result.exit_code == os.EX_CONFIG
    return next(line for line in result.stderr.splitlines() if "[store]" in line)


def test_a_wrong_password_is_told_and_not_shown(tmp_path: Path) -> None:
    server, wrong = databases.server(), password()
    server.tell(f"DROP ROLE IF EXISTS {WITH_PASSWORD}")
    server.tell(f"CREATE ROLE {WITH_PASSWORD} LOGIN PASSWORD '{password()}'")
    url = server.url("postgres", f"{WITH_PASSWORD}:{wrong}")
    line = said(tmp_path, url)
    assert "[store] url: " in line
    assert line.endswith("; correct the user or the password in the url")
    assert wrong not in line


def test_a_server_that_is_away_is_told(tmp_path: Path) -> None:
    hidden = password()
    line = said(tmp_path, f"postgresql+psycopg://takmail:{hidden}@127.0.0.1:1/takmail")
    assert line.endswith("; start the server, or correct host and port in the url")
    assert hidden not in line


def test_a_database_that_is_not_there_is_told(tmp_path: Path) -> None:
    line = said(tmp_path, databases.server().url("none"))
    assert line.endswith('database "none" does not exist; create it there, as docs/running.md describes')


def test_a_server_that_is_started_again_keeps_a_mail_waiting_and_no_longer() -> None:
    server = Server()
    try:
        server.create("takmail")
        harness = Harness(Store.open(server.url("takmail")))
        harness.begin()
        harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", "ps a1", harness.last(ADA)).as_bytes())
        server.stop()
        with pytest.raises(UNAVAILABLE):
            harness.mail_worker.work()
        server.start()
        harness.mail_worker.work()
        assert [letter.to for letter in harness.collect()][:1] == [ADA]
        harness.store.close()
    finally:
        server.remove()


def test_a_mail_that_was_in_anothers_way_is_tried_again_at_once_and_never_shunted(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.begin()
    write, seen = causes.write, []

    def in_the_way(session: Session, *what: Any, **how: Any) -> Any:
        """PostgreSQL ends the transaction, as often as would shunt a mail."""
        claimed = write(session, *what, **how)
        if len(seen) < inbox.ATTEMPTS + 1:
            seen.append(what)
            said = "DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$"
            session.connection().exec_driver_sql(said)
        return claimed

    monkeypatch.setattr(causes, "write", in_the_way)
    harness.send(f"Ada <{ADA}>", "ps a1", harness.last(ADA))
    with harness.store.transaction() as session:
        last = session.exec(select(InboxRow).order_by(InboxRow.id.desc())).first()  # type: ignore[union-attr]
        assert last is not None
        assert (last.state, last.errors) == (MailState.PLAYED, 0)


@pytest.mark.parametrize("run", [by_driver, Connection.exec_driver_sql])
def test_a_deadlock_is_known_for_what_it_is(store: Store, run: Callable[..., Any]) -> None:
    with pytest.raises(DBAPIError) as error, store.engine.begin() as connection:
        run(connection, "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END $$", ())
    assert has_collided(error.value)
    with pytest.raises(DBAPIError) as error, store.engine.begin() as connection:
        run(connection, "SELECT nothing", ())
    assert not has_collided(error.value)


def test_moments_are_utc_whatever_the_servers_zone_is(harness: Harness) -> None:
    harness.begin()
    with harness.store.transaction() as session:
        session.connection().exec_driver_sql("SET LOCAL timezone = 'Asia/Tokyo'")
        assert str(player(session, ADA).created_at) == "2026-11-21 12:00:00+00:00"


@pytest.mark.parametrize("text", ["ps a1\x00\nhello \x00 there", "\x00"])
def test_a_letter_that_no_text_may_hold_is_stored(harness: Harness, text: str) -> None:
    harness.begin()
    mail = harness.mail(f"Ada <{ADA}>", "ps a1 stands here", harness.last(ADA), quoting=False).as_bytes()
    assert harness.deliver(mail.replace(b"ps a1 stands here", text.encode()))
