"""The metrics for Prometheus: on this machine only, and only if configured."""

import asyncio
import logging
import re
import socket
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from takmail.config import Settings
from takmail.runtime import metrics
from takmail.runtime.health import Health, health_of
from takmail.store import leases
from takmail.store.leases import Stopped
from tests.support.command_line import config_file, takmail
from tests.support.cost import PATIENCE
from tests.support.harness import ADA, BEN, Harness

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.fixture
def port() -> int:
    """A port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        return int(door.getsockname()[1])


def settings() -> Settings:
    login = {"host": "127.0.0.1", "user": "tak", "password": "secret", "tls": "none"}
    return Settings.model_validate(
        {"service": {"address": "tak@example.org"}, "imap": login, "smtp": login, "store": {}}
    )


def health(harness: Harness) -> Health:
    with harness.store.transaction() as session:
        return health_of(session, settings(), harness.now)


async def ask(port: int, request: bytes) -> tuple[str, str]:
    """Return the first line and the body of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    raw = b""
    with suppress(
        ConnectionResetError
    ):  # the server resets a connection that it closes before reading everything
        raw = await reader.read()
    writer.close()
    head, _, body = raw.decode().partition("\r\n\r\n")
    return head.split("\r\n")[0], body


GET = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def test_what_waits_and_what_was_done_can_be_asked(
    harness: Harness, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    harness.begin("5")
    async with metrics.serve_metrics(port, lambda: health(harness)):
        with caplog.at_level(logging.INFO, "takmail"):
            harness.play("ps b4")
        status, body = await ask(port, GET)
    lines = body.splitlines()
    assert status == "HTTP/1.1 200 OK"
    for line in (
        'takmail_mails{state="waiting"} 0',
        'takmail_letters{state="queued"} 7',
        'takmail_letters{state="failed_to_strangers"} 0',
        'takmail_addresses{state="bouncing_strangers"} 0',
        "takmail_letters_sent_within_day 0",
        "takmail_database_is_damaged 0",
        'takmail_games{standing="open"} 1',
        "takmail_tasks 0",
        'takmail_oldest_seconds{of="letters"} 0',
        'takmail_events_total{event="mail",result="played"} 1',
        'takmail_event_seconds_count{event="mail"} 1',
    ):
        assert line in lines
    assert "takmail_letters_per_day_limit" not in body
    assert not any(name in body for name in (ADA, BEN, "Ada", "Ben", "@"))


async def test_every_line_is_as_prometheus_reads_it(harness: Harness, port: int) -> None:
    async with metrics.serve_metrics(port, lambda: health(harness)):
        _, body = await ask(port, GET)
    shape = re.compile(r'# (HELP|TYPE) takmail_\w+ .+|takmail_\w+(\{\w+="\w+"(,\w+="\w+")*\})? [0-9.]+')
    assert [line for line in body.splitlines() if not shape.fullmatch(line)] == []
    assert body.endswith("\n")


async def test_when_the_mailbox_was_heard_from_is_told_once_it_was(harness: Harness) -> None:
    never = health(harness)
    assert "last_contact" not in metrics.exposition(never, metrics.Tally())
    assert never.mailbox is not None
    since = replace(never, mailbox=replace(never.mailbox, contact=NOON))
    line = f"takmail_mailbox_last_contact_timestamp_seconds {NOON.timestamp():.0f}\n"
    assert line in metrics.exposition(since, metrics.Tally())


@pytest.mark.parametrize(
    "request_", [b"GET / HTTP/1.1\r\n\r\n", b"POST /metrics HTTP/1.1\r\n\r\n", b"\r\n\r\n"]
)
async def test_there_is_nothing_else(harness: Harness, port: int, request_: bytes) -> None:
    async with metrics.serve_metrics(port, lambda: health(harness)):
        assert (await ask(port, request_))[0] == "HTTP/1.1 404 Not Found"


async def test_a_database_that_is_away_is_told(port: int) -> None:
    def away() -> Health:
        raise OperationalError("", {}, Exception())

    async with metrics.serve_metrics(port, away):
        first, body = await ask(port, GET)
    assert first == "HTTP/1.1 200 OK"
    assert 'takmail_outage{of="database"} 1\n' in body


async def test_an_outage_has_a_number_of_its_own(harness: Harness) -> None:
    well = health(harness)
    assert 'takmail_outage{of="sending"} 0\n' in metrics.exposition(well, metrics.Tally())
    with harness.store.transaction() as session:
        leases.renew_process(session, "serve", stopped=[Stopped("delivery", 0, "connection refused")])
    body = metrics.exposition(health(harness), metrics.Tally())
    assert 'takmail_outage{of="sending"} 1\n' in body
    assert 'takmail_outage{of="reading"} 0\n' in body


async def test_who_never_asks_or_asks_at_length_is_hung_up_on(
    harness: Harness, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "PATIENCE", 0.01)
    async with metrics.serve_metrics(port, lambda: health(harness)):
        assert await ask(port, b"GET /metrics HTTP/1.1\r\n") == ("", "")
        monkeypatch.setattr(metrics, "PATIENCE", 60)
        assert await ask(port, b"x" * 70_000) == ("", "")
        assert (await ask(port, GET))[0] == "HTTP/1.1 200 OK"


async def test_nobody_listens_where_no_port_is_given_and_afterwards(harness: Harness, port: int) -> None:
    before = list(logging.getLogger("takmail").handlers)
    for given in (None, port):
        async with metrics.serve_metrics(given, lambda: health(harness)):
            pass
        with pytest.raises(ConnectionRefusedError):
            await ask(port, GET)
    assert logging.getLogger("takmail").handlers == before


async def test_where_another_takmail_shows_its_numbers_a_second_one_goes_on_without(
    harness: Harness, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with metrics.serve_metrics(port, lambda: health(harness)):
        async with metrics.serve_metrics(port, lambda: health(harness)):
            assert f"port {port} is in use" in caplog.text
        assert (await ask(port, GET))[0] == "HTTP/1.1 200 OK"


async def test_when_the_one_that_shows_its_numbers_ends_another_goes_on(
    harness: Harness, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "takmail")
    pauses: list[float] = []
    waits, is_over, is_free = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def pause(length: float) -> None:
        pauses.append(length)
        if len(pauses) > 1:  # the port is still in use at the first attempt
            waits.set()
            await is_over.wait()

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.getMessage().startswith(f"port {port} is free"):
                is_free.set()

    ear = Ear()
    logging.getLogger("takmail").addHandler(ear)
    first = metrics.serve_metrics(port, lambda: health(harness))
    await first.__aenter__()
    async with asyncio.timeout(PATIENCE), metrics.serve_metrics(port, lambda: health(harness), pause=pause):
        await waits.wait()
        await first.__aexit__(None, None, None)
        is_over.set()
        await is_free.wait()
        assert (await ask(port, GET))[0] == "HTTP/1.1 200 OK"
    logging.getLogger("takmail").removeHandler(ear)
    assert pauses == [30.0, 30.0]
    with pytest.raises(ConnectionRefusedError):
        await ask(port, GET)


def test_a_port_that_may_not_be_had_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "HOST", "192.0.2.1")  # no address of this machine
    config = config_file(tmp_path)
    config.write_text(config.read_text().replace("[imap]", "metrics_port = 9464\n[imap]"))
    result = takmail("serve", "--config", config)
    assert result.exit_code == 1
    assert "[service] metrics_port: " in result.stderr


async def test_whoever_asks_all_the_time_has_the_tables_counted_once_a_second(
    harness: Harness, port: int
) -> None:
    counted, now = [], 100.0

    def count() -> Health:
        counted.append(now)
        return health(harness)

    async with metrics.serve_metrics(port, count, lambda: now):
        for moment in (100.0, 100.5, 100.9, 101.0, 101.9, 103.0):
            now = moment
            assert (await ask(port, GET))[0] == "HTTP/1.1 200 OK"
    assert counted == [100.0, 101.0, 103.0]
