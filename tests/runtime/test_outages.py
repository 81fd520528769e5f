"""Outages of tasks: which are logged, and how often."""

import asyncio
import logging
from datetime import timedelta

import pytest

from takmail.runtime import outages as module
from takmail.runtime.outages import Outages

STOPPED = "mailbox polling stopped; retrying in 0:00:00: gone"


@pytest.fixture
def outages(caplog: pytest.LogCaptureFixture) -> Outages:
    caplog.set_level(logging.INFO, "takmail")
    return Outages()


async def _stops(outages: Outages, why: str = "gone") -> None:
    await outages.pause("mailbox polling", timedelta(0), OSError(why), asyncio.Event())


async def test_what_has_stopped_is_told_to_go_on_once(
    outages: Outages, caplog: pytest.LogCaptureFixture
) -> None:
    outages.resumed("mailbox polling")
    await _stops(outages)
    await _stops(outages)
    outages.resumed("delivery")
    outages.resumed("mailbox polling")
    outages.resumed("mailbox polling")
    assert caplog.messages == [STOPPED, "mailbox polling resumed"]


async def test_what_breaks_and_is_mended_again_and_again_is_told_seldom(
    outages: Outages, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        await _stops(outages)
        outages.resumed("mailbox polling")
    assert caplog.messages == [STOPPED, "mailbox polling resumed"]
    monkeypatch.setattr(module, "LOGGED_EVERY", timedelta(0))
    await _stops(outages)
    outages.resumed("mailbox polling")
    assert caplog.messages == [STOPPED, "mailbox polling resumed"] * 2


async def test_what_stays_stopped_is_told_though_it_went_on_shortly_before(
    outages: Outages, caplog: pytest.LogCaptureFixture
) -> None:
    await _stops(outages)
    outages.resumed("mailbox polling")
    await _stops(outages)
    await _stops(outages)
    outages.resumed("mailbox polling")
    assert caplog.messages == [STOPPED, "mailbox polling resumed"] * 2


async def test_what_stays_stopped_is_told_at_growing_intervals(
    outages: Outages, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    told = []
    for second in range(0, 3_000, 5):
        now = float(second)
        if outages.should_log("delivery", "gone"):
            told.append(second)
    assert told == [0, 10, 30, 70, 150, 310, 630, 1230, 1830, 2430]
    now += 1
    assert outages.should_log("delivery", "gone for another reason")


async def test_what_has_stopped_is_known_until_it_goes_on(outages: Outages) -> None:
    assert outages.ongoing == {}
    await _stops(outages)
    await _stops(outages, "refused")
    assert outages.ongoing == {"mailbox polling": (0, "refused")}
    outages.resumed("mailbox polling")
    assert outages.ongoing == {}
    # It begins again within the time in which that is not logged.
    await _stops(outages, "refused")
    assert outages.ongoing == {"mailbox polling": (0, "refused")}
