"""An open LMTP receiver that logs no errors."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.mail.lmtp.taker import Taker


@pytest.fixture(autouse=True)
def nothing_raised(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """asyncio and aiosmtpd only log an exception that nobody awaits."""
    yield
    assert [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info] == []


@pytest.fixture
async def taker(tmp_path: Path) -> AsyncIterator[Taker]:
    there = Taker(tmp_path / "lmtp.sock")
    async with there.door():
        yield there
