"""What is told of a task that stops and goes on, and how often."""

import asyncio
import logging
from datetime import timedelta

import pytest

from takmail.runtime import outages as module
from takmail.runtime.outages import Outages

STOPPED = "reading stopped, again in 0:00:00: gone"


@pytest.fixture
def troubles(caplog: pytest.LogCaptureFixture) -> Outages:
    caplog.set_level(logging.INFO, "takmail")
    return Outages()


async def _stops(troubles: Outages, why: str = "gone") -> None:
    await troubles.pause("reading", timedelta(0), OSError(why), asyncio.Event())


async def test_what_has_stopped_is_told_to_go_on_once(
    troubles: Outages, caplog: pytest.LogCaptureFixture
) -> None:
    troubles.over("reading")
    await _stops(troubles)
    await _stops(troubles)
    troubles.over("sending")
    troubles.over("reading")
    troubles.over("reading")
    assert caplog.messages == [STOPPED, "reading goes on"]


async def test_what_breaks_and_is_mended_again_and_again_is_told_seldom(
    troubles: Outages, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        await _stops(troubles)
        troubles.over("reading")
    assert caplog.messages == [STOPPED, "reading goes on"]
    monkeypatch.setattr(module, "TOLD_EVERY", timedelta(0))
    await _stops(troubles)
    troubles.over("reading")
    assert caplog.messages == [STOPPED, "reading goes on"] * 2


async def test_what_stays_stopped_is_told_though_it_went_on_shortly_before(
    troubles: Outages, caplog: pytest.LogCaptureFixture
) -> None:
    await _stops(troubles)
    troubles.over("reading")
    await _stops(troubles)
    await _stops(troubles)
    troubles.over("reading")
    assert caplog.messages == [STOPPED, "reading goes on"] * 2
