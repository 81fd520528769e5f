"""A reception that is open, and whose errors are seen."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.mail.lmtp.taker import Taker


@pytest.fixture(autouse=True)
def nothing_raised(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """asyncio logs what has raised where nobody looked, and so would aiosmtpd."""
    yield
    assert [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info] == []


@pytest.fixture
async def taker(tmp_path: Path) -> AsyncIterator[Taker]:
    there = Taker(tmp_path / "lmtp.sock")
    async with there.door():
        yield there
