"""Fixtures: an open LMTP receiver, and a check that no error is logged."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.mail.lmtp.taker import Taker


@pytest.fixture(autouse=True)
def nothing_raised(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Assert that no error was logged.

    asyncio and aiosmtpd log an exception that nobody awaits, and don't raise it.
    """
    yield
    assert [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info] == []


@pytest.fixture
async def taker(tmp_path: Path) -> AsyncIterator[Taker]:
    there = Taker(tmp_path / "lmtp.sock")
    async with there.door():
        yield there
