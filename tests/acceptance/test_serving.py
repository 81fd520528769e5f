"""The whole service: it starts, continues after the database was locked, and stops on request."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import select, update

from takmail.config.bots import BotSettings
from takmail.runtime import bootstrap as composition
from takmail.runtime import delivery_worker, outages
from takmail.runtime.bootstrap import App
from takmail.runtime.health import health_of
from takmail.runtime.net.imap import MailboxLost
from takmail.runtime.scheduler import AT_ONCE
from takmail.store import database, leases
from takmail.store.tables import DueRow, GameRow, InboxRow, OutboxRow
from tests.support.cost import PATIENCE
from tests.support.databases import locked
from tests.support.network import ADA, BEN, TAK, Network, begin, bury, live, logged

HELP = f"From: {ADA}\r\nTo: {TAK}\r\nMessage-ID: <1@mail.example.org>\r\n\r\nhelp\r\n".encode()
SOON = timedelta(milliseconds=10)


async def _soon(event: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE):
        await event.wait()


async def _until(is_so: Callable[[], bool]) -> None:
    """Wait for what no event tells, as another connection to the database stores it."""
    async with asyncio.timeout(PATIENCE):
        while not is_so():  # noqa: ASYNC110 - no event in this process tells
            await asyncio.sleep(SOON.total_seconds())


async def _answered(game: Network) -> bytes:
    return await game.system.next_mail(ADA, PATIENCE)


async def test_a_locked_database_only_delays_what_there_is_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    monkeypatch.setattr(composition, "backoff", lambda _failures: SOON)
    monkeypatch.setattr(composition, "DATABASE_AWAY", SOON)
    async with live(tmp_path) as game:
        app, stop = App(game.settings(first_start="all")), asyncio.Event()
        await game.write(ADA, "help")
        # The others wait until the mailbox is known to be this database's.
        tasks = ("mailbox polling", "delivery", "retention", "lease renewal")
        with ExitStack() as heard:
            goes_on = [heard.enter_context(logged(f"{one} resumed")) for one in tasks]
            with locked(tmp_path), ExitStack() as told:
                stopped = [told.enter_context(logged(f"{one} stopped")) for one in tasks]
                serving = asyncio.create_task(app.serve(stop))
                for one in stopped:
                    await _soon(one)
            for one in goes_on:
                await _soon(one)
        assert b"In-Reply-To: <1@mail.example.org>" in await _answered(game)
        stop.set()
        await serving
        await bury(app)


async def test_the_service_stops_while_the_database_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.01)
    async with live(tmp_path) as game:
        app, stop = App(game.settings()), asyncio.Event()
        with locked(tmp_path):
            with logged("delivery stopped") as no_sending:
                serving = asyncio.create_task(app.serve(stop))
                await _soon(no_sending)
            stop.set()
            async with asyncio.timeout(PATIENCE):
                await serving
        await bury(app)


async def test_an_imap_server_that_goes_away_and_comes_back_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composition, "backoff", lambda _failures: SOON)
    async with live(tmp_path) as game:
        app, stop = App(game.settings(first_start="all")), asyncio.Event()
        with logged("reading INBOX") as reading:
            serving = asyncio.create_task(app.serve(stop))
            await _soon(reading)
        with logged("mailbox polling stopped") as lost:
            await game.system.stop()
            await _soon(lost)
        await game.system.start()
        await game.write(ADA, "help")
        assert b"In-Reply-To: <1@mail.example.org>" in await _answered(game)
        stop.set()
        await serving
        await bury(app)


@pytest.mark.parametrize(("kind", "section"), [("reading", "imap"), ("sending", "smtp")])
async def test_a_mail_server_that_is_away_is_told_by_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, section: str
) -> None:
    monkeypatch.setattr(composition, "backoff", lambda _failures: SOON)
    monkeypatch.setattr(delivery_worker, "SERVER_RETRY", SOON)
    monkeypatch.setattr(leases, "RENEWED_EVERY", SOON)
    async with live(tmp_path) as game:
        settings = game.settings(first_start="all")
        away = getattr(settings, section).model_copy(update={"port": 1})
        app, stop = App(settings.model_copy(update={section: away})), asyncio.Event()

        def outages_told() -> dict[str, str]:
            with app.store.transaction() as session:
                told = health_of(session, app.settings, app.causes.now()).serving.outages
            return {kind: one.why for kind, one in told.items()}

        await game.write(ADA, "help")
        serving = asyncio.create_task(app.serve(stop))
        await _until(lambda: bool(outages_told()))
        cure = f"connection refused; check `host` and `port` in [{section}], and that the server is running"
        assert outages_told() == {kind: f"127.0.0.1:1: {cure}"}
        stop.set()
        await serving
        await bury(app)


async def test_deliver_takes_a_mail_the_whole_way_and_hangs_up(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = game.app()
        app.mail_worker.keep_one(HELP)
        await app.work_off()
        assert len(await game.letters(ADA)) == 1
        app.close()


async def test_each_worker_that_thinks_has_a_name_of_its_own(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = App(game.settings().model_copy(update={"bots": BotSettings(at_once=2)}))
        process = app.delivery_worker._name
        assert [worker._name for worker in app.bot_workers] == [
            f"{process} quick",
            f"{process} 0",
            f"{process} 1",
        ]
        app.close()


async def test_the_mail_of_a_deliver_that_died_is_handled_by_a_service_without_a_mailbox(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as game:
        settings = game.settings().model_copy(update={"imap": None})
        died = App(settings)
        died.mail_worker.keep_one(HELP)
        died.close()
        app, stop = App(settings), asyncio.Event()
        serving = asyncio.create_task(app.serve(stop))
        assert b"In-Reply-To: <1@mail.example.org>" in await _answered(game)
        stop.set()
        await serving
        app.close()


async def test_a_player_who_has_not_moved_for_a_week_is_reminded(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        await bury(await begin(game))
        app, stop = App(game.settings().model_copy(update={"imap": None})), asyncio.Event()
        with app.store.transaction() as session:
            for letter in session.exec(select(OutboxRow)):
                letter.due_at -= timedelta(days=8)
            record = session.get_one(GameRow, 1)
            record.created_at = record.turn_since = record.created_at - timedelta(days=8)
            session.exec(update(DueRow).values(due_at=record.created_at))
        for who in (ADA, BEN):
            for _ in await game.letters(who):
                await game.system.next_mail(who)
        serving = asyncio.create_task(app.serve(stop))
        assert b"Subject: " in await _answered(game)
        stop.set()
        async with asyncio.timeout(PATIENCE):
            await serving
        app.close()


async def test_after_a_full_pass_the_next_one_follows_at_once_but_none_after_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        app, stop, passes = App(game.settings()), asyncio.Event(), 0

        async def full_pass() -> int:
            nonlocal passes
            passes += 1
            if passes == 2:
                stop.set()
            return AT_ONCE

        monkeypatch.setattr(app.scheduler, "work_in_turns", full_pass)
        async with asyncio.timeout(PATIENCE):
            await app.serve(stop)
        assert passes == 2
        app.close()


async def test_a_fault_in_the_program_ends_the_service_with_that_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        app = game.app()

        def broken() -> int:
            raise ZeroDivisionError

        monkeypatch.setattr(app.mail_worker, "work_in_turns", broken)
        with pytest.raises(ZeroDivisionError):
            await app.serve(asyncio.Event())
        await bury(app)


async def test_a_service_reduces_what_is_old_when_it_starts(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = App(game.settings())
        app.mail_worker.keep_one(HELP)
        app.mail_worker.work()
        with app.store.transaction() as session:
            session.get_one(InboxRow, 1).received_at -= timedelta(days=31)
        stop = asyncio.Event()
        with logged("reduced") as reduced:
            serving = asyncio.create_task(app.serve(stop))
            await _soon(reduced)
        stop.set()
        await serving
        with app.store.transaction() as session:
            assert session.get_one(InboxRow, 1).is_reduced
        app.close()


@pytest.mark.parametrize(
    ("error", "longest"),
    [
        (OperationalError("", {}, Exception()), timedelta(seconds=5)),
        (MailboxLost("gone"), timedelta(seconds=128)),
    ],
)
async def test_reading_waits_for_the_database_no_longer_than_whatever_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, longest: timedelta
) -> None:
    monkeypatch.setattr(composition, "backoff", outages.backoff)
    monkeypatch.setattr(composition, "DATABASE_AWAY", timedelta(seconds=5))
    pauses: list[timedelta] = []

    async def fails(_work: object) -> None:
        raise error

    async def noted(_what: str, length: timedelta, _error: Exception, stop: asyncio.Event) -> None:
        pauses.append(length)
        if len(pauses) == 8:
            stop.set()

    async with live(tmp_path) as game:
        app = game.app()
        monkeypatch.setattr(app._mailbox_lease, "run", fails)
        monkeypatch.setattr(app._outages, "pause", noted)
        await app._poll_mailbox(asyncio.Event())
        await bury(app)
    assert max(pauses) == longest
