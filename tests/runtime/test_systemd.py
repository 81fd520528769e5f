"""Notifications to systemd."""

import asyncio
import json
import os
import signal
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from takmail.cli import main
from takmail.runtime.systemd import SystemdNotifier
from tests.support.command_line import config_file
from tests.support.databases import rows
from tests.support.forked import Forked

SECONDS = 60.0
"""The maximum number of seconds that a test waits for an expected notification."""


@pytest.fixture
def door(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket on which systemd would receive notifications."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(str(tmp_path / "notify"))
        listening.settimeout(SECONDS)
        yield listening


def environment(tmp_path: Path, **more: str) -> Mapping[str, str]:
    return {"NOTIFY_SOCKET": str(tmp_path / "notify"), **more}


async def heard(door: socket.socket, count: int) -> list[str]:
    return [(await asyncio.to_thread(door.recv, 100)).decode() for _ in range(count)]


async def nothing() -> None:
    """A service that ends at once."""


def waiting(door: socket.socket) -> list[str]:
    """Return all notifications that the test has not read yet."""
    door.setblocking(False)
    found = []
    while True:
        try:
            found.append(door.recv(100).decode())
        except BlockingIOError:
            return found


async def test_it_hears_when_the_service_is_ready_and_when_it_stops(
    tmp_path: Path, door: socket.socket
) -> None:
    await SystemdNotifier(environment(tmp_path)).run(nothing())
    assert waiting(door) == ["READY=1", "STOPPING=1"]


async def test_it_hears_again_and_again_that_the_service_is_alive(
    tmp_path: Path, door: socket.socket
) -> None:
    stop = asyncio.Event()

    async def service() -> None:
        await stop.wait()

    supervisor = SystemdNotifier(environment(tmp_path, WATCHDOG_USEC="2000", WATCHDOG_PID=str(os.getpid())))
    running = asyncio.create_task(supervisor.run(service()))
    assert await heard(door, 4) == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]
    stop.set()
    await running


async def test_a_watch_over_another_process_is_not_answered(tmp_path: Path, door: socket.socket) -> None:
    async def service() -> None:
        for _ in range(9):  # long enough for an answer
            await asyncio.sleep(0)

    supervisor = SystemdNotifier(environment(tmp_path, WATCHDOG_USEC="1", WATCHDOG_PID="1"))
    await supervisor.run(service())
    assert waiting(door) == ["READY=1", "STOPPING=1"]


async def test_an_address_that_is_no_file_is_known(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind(f"\0{tmp_path}")
        await SystemdNotifier({"NOTIFY_SOCKET": f"@{tmp_path}"}).run(nothing())
        assert waiting(door) == ["READY=1", "STOPPING=1"]


@pytest.mark.parametrize("words", [{}, {"NOTIFY_SOCKET": "/nowhere/at/all"}])
async def test_where_nobody_listens_the_service_runs_all_the_same(words: Mapping[str, str]) -> None:
    ran = []

    async def service() -> None:
        ran.append(True)

    await SystemdNotifier(words).run(service())
    assert ran == [True]


async def test_a_service_that_raises_is_not_hidden(tmp_path: Path, door: socket.socket) -> None:
    async def service() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await SystemdNotifier(environment(tmp_path)).run(service())
    assert waiting(door)[-1] == "STOPPING=1"


def serve(words: list[str], environment: Mapping[str, str]) -> None:
    os.environ.update(environment)
    main(words, prog_name="takmail")


async def test_serve_says_when_it_is_ready_and_logs_for_programs(tmp_path: Path, door: socket.socket) -> None:
    words = ["serve", "--log-format", "json", "--config", str(config_file(tmp_path))]
    serving = await Forked.begun(serve, words, environment(tmp_path))
    try:
        assert await heard(door, 1) == ["READY=1"]
        assert rows(tmp_path, "SELECT count(*) FROM game") == [(0,)]
        serving.send_signal(signal.SIGTERM)
        async with asyncio.timeout(SECONDS):
            log = (await serving.stderr.read()).decode()
            assert await serving.wait() == 0
    finally:
        serving.kill()
    assert "stopped" in [json.loads(line)["message"] for line in log.splitlines()]
    assert waiting(door) == ["STOPPING=1"]
