"""The clock leaps a week ahead, and takmail is killed at each step after it: nobody loses without a reminder."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from takmail.runtime import scheduler
from takmail.store import due, leases
from takmail.store.tables import GameRow, MachineTimeRow, OutboxRow
from takmail.world import LetterState
from tests.runtime.test_scheduler import DAY, GRACE, HOUR, Machine, playing
from tests.support.harness import ADA, BEN, Harness, Received, said
from tests.support.sending import Post
from tests.support.width import combined, some_of

WEEK = timedelta(days=7)
PACES = ("5 days=2 strict", "5 days=3", "5 time=3d+1d strict")
KILLS: dict[str, tuple[Any, str, bool]] = {
    "claiming": (due, "claim", True),
    "deciding": (scheduler, "on_due", False),
    "storing": (due, "finish", False),
    "stored": (due, "finish", True),
    "committed": (scheduler.Scheduler, "_handle", True),
}


class Killed(BaseException):
    """The process dies."""


def kill_once(patch: pytest.MonkeyPatch, owner: Any, name: str, is_after: bool) -> list[str]:
    """Raise Killed at a step that does something, once. Return the kills, a list that grows."""
    original: Callable[..., Any] = getattr(owner, name)
    kills: list[str] = []

    def dies(*args: Any, **how: Any) -> Any:
        if not is_after and not kills:
            kills.append(name)
            raise Killed
        result = original(*args, **how)
        if is_after and not kills and (result is not None or name != "claim"):
            kills.append(name)
            raise Killed
        return result

    patch.setattr(owner, name, dies)
    return kills


async def lived(machine: Machine, time: timedelta, *, is_well: bool = True) -> list[Received]:
    """Let takmail run. If it is killed, another one starts. Its letters leave a step later.

    If it `is_well`, it is so between the passes, too.
    """
    letters: list[Received] = []
    store, step = machine.harness.store, 4 * HOUR
    for _ in range(time // step):
        sent(machine)
        machine.pass_time(step)
        if is_well:
            with store.transaction() as session:
                session.get_one(MachineTimeRow, 1).well_at = machine.harness.now - GRACE
        try:
            await machine.scheduler.work_in_turns()
        except Killed:
            with store.transaction() as session:
                leases.renew_process(session, "one")
            Post(store, now=machine.harness.now).lease("next", is_gone=lambda name: name == "one").renew()
            machine.start()
        letters += machine.harness.collect()
    return letters


def sent(machine: Machine) -> None:
    with machine.harness.store.transaction() as session:
        for letter in session.exec(select(OutboxRow).where(OutboxRow.state == LetterState.QUEUED)):
            letter.state, letter.due_at = LetterState.SENT, machine.harness.now


def standing(harness: Harness) -> str:
    with harness.store.transaction() as session:
        return str(session.get_one(GameRow, 1).standing)


def reminders(letters: list[Received]) -> list[str]:
    return [one.to for one in letters if "reminder" in said(one).lower() and one.to == ADA]


@pytest.mark.parametrize(
    ("where", "pace", "kill"), combined(["down", "in the middle"], PACES, [None, *some_of(KILLS, 2)])
)
async def test_time_that_only_the_clock_knows_of_is_nobodys(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, where: str, pace: str, kill: str | None
) -> None:
    machine = playing(harness, pace)
    harness.send(f"Ada <{ADA}>", "holidays off", harness.last(ADA))
    await machine.run()
    machine.harness.now += WEEK
    if where == "down":
        machine.seconds += WEEK.total_seconds()
        machine.start()
    kills = kill_once(monkeypatch, *KILLS[kill]) if kill else []
    # Until the clock is believed again, nothing happens.
    assert reminders(await lived(machine, DAY, is_well=False)) == []
    assert standing(harness) == "open"
    letters = await lived(machine, 4 * HOUR, is_well=False)
    assert standing(harness) == "open"
    letters += await lived(machine, 4 * DAY)
    assert len(reminders(letters)) == 1, "once, whatever was killed"
    first = next(number for number, one in enumerate(letters) if one.to in reminders([one]))
    assert not any("wins" in said(one) or "time is over" in said(one) for one in letters[:first])
    assert len(kills) == (kill is not None)
    assert {one.to for one in letters} <= {ADA, BEN}


@pytest.mark.parametrize(("leap", "kill"), combined([-HOUR, -DAY, 6 * HOUR], some_of(KILLS, 3)))
async def test_after_a_short_leap_there_is_one_reminder_and_then_one_end(
    harness: Harness, monkeypatch: pytest.MonkeyPatch, leap: timedelta, kill: str
) -> None:
    machine = playing(harness, "5 days=2 strict")
    harness.send(f"Ada <{ADA}>", "holiday manual", harness.last(ADA))
    await machine.run()
    letters = await lived(machine, DAY)
    machine.harness.now += leap
    kills = kill_once(monkeypatch, *KILLS[kill])
    letters += await lived(machine, 3 * DAY)
    told = [(one.to, "reminder" in said(one).lower()) for one in letters]
    assert told == [(ADA, True), (ADA, False), (BEN, False)]
    assert "your time is over" in said(letters[1])
    assert (standing(harness), len(kills)) == ("over", 1)
