"""The scheduler: what is due in games happens once, while takmail is well, and no error stops the other games."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import pytest
from sqlmodel import col, select, update

from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.pipeline.process import Conflict
from takmail.runtime import scheduler
from takmail.runtime.delivery_worker import DeliveryWorker
from takmail.runtime.net.imap import ImapAccount
from takmail.runtime.scheduler import Scheduler
from takmail.store import due, health, leases, mailboxes
from takmail.store.due import CLOCK, LEASE, MAX_ATTEMPTS
from takmail.store.tables import DueRow, MachineTimeRow, OutageRow, OutboxRow
from takmail.world import GRACE, GameNumber, LetterState, Outage
from tests.support import rows
from tests.support.harness import ADA, BEN, Harness, Received
from tests.support.sending import Post

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
QUIET = timedelta(days=7)
ACCOUNT = ImapAccount("127.0.0.1", 143, "tak", "secret", tls="none", poll_seconds=60)


@dataclass
class Delivery:
    """A delivery worker that sends nothing."""

    is_blocked: bool = False
    woken: int = 0

    def wake(self) -> None:
        self.woken += 1


@dataclass
class Machine:
    """A service whose scheduler runs once a minute, on a machine whose clock may be set."""

    harness: Harness
    account: ImapAccount | None = None
    delivery: Delivery = field(default_factory=Delivery)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.scheduler = self.new()

    def new(self, name: str = "one") -> Scheduler:
        delivery = cast(DeliveryWorker, self.delivery)
        return Scheduler(
            self.harness.store, self.harness.causes, delivery, name, self.account, lambda: self.seconds
        )

    def pass_time(self, time: timedelta) -> None:
        """Let time pass in which the scheduler does not run."""
        self.harness.now += time
        self.seconds += time.total_seconds()

    async def run(self, time: timedelta = MINUTE, step: timedelta = MINUTE) -> list[Received]:
        """Let the scheduler run for some time. Return the letters that it causes."""
        while time > timedelta(0):
            self.pass_time(min(step, time))
            time -= step
            await self.scheduler.work_in_turns()
        return self.harness.collect()

    async def live(self, time: timedelta) -> list[Received]:
        """Do the same as `run`, but let takmail be well without a pass until the last minute."""
        self.pass_time(time - MINUTE)
        with self.harness.store.transaction() as session:
            row = session.get_one(MachineTimeRow, 1)
            row.well_at = row.known_at = row.read_at = self.harness.now
        self.start()
        return await self.run()

    def answers(self) -> None:
        """Let the mailbox's server answer."""
        with self.harness.store.transaction() as session:
            mailboxes.watermark(session, ACCOUNT.mailbox, 1, 0, self.harness.now)
            health.note_contact(session, ACCOUNT.mailbox, self.harness.now)

    def outages(self) -> Sequence[Outage]:
        with self.harness.store.transaction() as session:
            rows = session.exec(select(OutageRow).order_by(col(OutageRow.id))).all()
            return [Outage(row.began_at, row.ended_at) for row in rows]

    def due(self) -> dict[int, timedelta]:
        """Return in how much time each game is due."""
        with self.harness.store.transaction() as session:
            return {row.subject: row.due_at - self.harness.now for row in session.exec(select(DueRow))}

    def set_due(self, *games: int) -> None:
        with self.harness.store.transaction() as session:
            for number in games:
                due.set_due(session, number, CLOCK, self.harness.now)


@pytest.fixture
def machine(harness: Harness) -> Machine:
    """Ada and Ben play a game without a clock."""
    return playing(harness)


def playing(harness: Harness, words: str = "5") -> Machine:
    """Begin a game with two turns. All letters are sent."""
    harness.begin_and_play("ps a1", "ps e5", words=words)
    with harness.store.transaction() as session:
        session.exec(update(OutboxRow).values(state=LetterState.SENT))
    return Machine(harness)


Work = Any


def doing(patch: pytest.MonkeyPatch, work: Work) -> list[int]:
    """Let `work` decide what is due in a game. Return the games that were decided on, a list that grows."""
    games: list[int] = []

    def on_due(context: Context, number: GameNumber) -> Events:
        games.append(number)
        return cast(Events, work(context, number))

    patch.setattr(scheduler, "on_due", on_due)
    return games


def nothing(*_: object) -> Events:
    return ()


async def test_a_day_off_is_stored_and_both_are_told(harness: Harness) -> None:
    machine = playing(harness, "5 days=1")
    await machine.run()
    assert [letter.to for letter in await machine.live(DAY + GRACE)] == [ADA, BEN]
    with harness.store.transaction() as session:
        (off,) = rows.player(session, ADA).time_off
    assert off.ended_at - off.began_at == DAY
    assert await machine.live(DAY) == []


async def test_after_a_quiet_week_the_player_is_reminded_once_by_a_letter_that_leaves_at_once(
    machine: Machine,
) -> None:
    await machine.run()
    assert await machine.live(QUIET - 2 * MINUTE) == []
    assert machine.delivery.woken == 0
    assert [letter.to for letter in await machine.run(2 * MINUTE)] == [ADA]
    assert machine.delivery.woken == 1
    assert await machine.live(DAY) == []


@pytest.mark.parametrize("off", [HOUR, 2 * DAY, 10 * DAY], ids=str)
async def test_a_time_off_delays_what_is_due_by_its_length(machine: Machine, off: timedelta) -> None:
    await machine.run()
    await machine.live(DAY)
    machine.pass_time(off)
    machine.start()
    # After a long time, the clock is believed after a day, and only then takmail is well.
    doubted = DAY if off > 3 * DAY else timedelta(0)
    assert await machine.run(doubted + HOUR, GRACE) == []
    (outage,) = machine.outages()
    assert abs(outage.ended_at - outage.began_at - off - doubted) <= HOUR
    assert await machine.live(6 * DAY - 2 * HOUR) == []
    assert [letter.to for letter in await machine.live(3 * HOUR)] == [ADA]
    assert await machine.live(DAY) == []


async def test_an_outage_is_not_part_of_a_turn_though_takmail_is_not_well_yet(harness: Harness) -> None:
    machine = playing(harness, "5 days=3")
    await machine.run(HOUR)
    machine.pass_time(2 * DAY)
    harness.send(f"Ada <{ADA}>", "ps b2", harness.last(ADA))
    assert harness.table().turns[-1].spent in range(3600, 3600 + 15 * 60)


async def test_nothing_is_done_while_letters_cannot_leave_and_that_is_an_outage(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = doing(monkeypatch, nothing)
    await machine.run()
    began = machine.harness.now
    machine.delivery.is_blocked = True
    machine.set_due(1)
    await machine.run(HOUR)
    assert (games, machine.outages()) == ([], [])
    machine.delivery.is_blocked = False
    await machine.run()
    assert (games, machine.outages()) == ([1], [Outage(began, machine.harness.now)])


async def test_nothing_is_done_while_the_mailbox_is_silent_and_that_is_an_outage(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = doing(monkeypatch, nothing)
    machine.account = ACCOUNT
    machine.start()
    machine.set_due(1)
    await machine.run()
    assert games == []
    machine.answers()
    await machine.run(5 * MINUTE)
    assert games == [1]
    last = machine.harness.now - 2 * MINUTE  # one poll may be missed
    await machine.run(HOUR)
    assert machine.outages() == []
    machine.answers()
    await machine.run()
    assert machine.outages() == [Outage(last, machine.harness.now)]


async def test_where_the_mailbox_is_seldom_polled_it_may_have_a_mail_so_nothing_is_done(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = doing(monkeypatch, nothing)
    machine.account = ImapAccount("127.0.0.1", 143, "tak", "secret", tls="none", poll_seconds=3600)
    machine.start()
    machine.answers()
    await machine.run(GRACE)
    machine.set_due(1)
    await machine.run(HOUR - GRACE)
    assert games == []
    machine.answers()
    await machine.run()
    assert (games, machine.outages()) == ([1], [])


async def test_a_short_silence_is_no_outage(machine: Machine) -> None:
    await machine.run()
    machine.pass_time(GRACE - MINUTE)
    machine.start()
    await machine.run()
    assert machine.outages() == []


@pytest.mark.parametrize("leap", [HOUR, 2 * DAY, -HOUR, -2 * DAY, -30 * DAY], ids=str)
async def test_a_clock_that_is_set_while_takmail_runs_is_no_outage(machine: Machine, leap: timedelta) -> None:
    await machine.run(HOUR)
    machine.harness.now += leap
    await machine.run(HOUR)
    machine.harness.now -= leap
    await machine.run(HOUR)
    assert machine.outages() == []


async def test_by_a_clock_that_nobody_believes_nothing_is_due(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = doing(monkeypatch, nothing)
    await machine.run(HOUR)
    machine.harness.now += 30 * DAY
    await machine.run(23 * HOUR, GRACE)
    assert (games, machine.outages()) == ([], [])
    machine.harness.now -= 30 * DAY
    await machine.run()
    assert games == []


async def test_a_game_in_which_nothing_is_done_is_looked_at_again_later(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = doing(monkeypatch, nothing)
    machine.pass_time(QUIET)
    await machine.run()
    assert games == [1]
    assert machine.due() == {1: LEASE}
    await machine.run(LEASE)
    assert games == [1, 1]


async def test_a_game_that_is_not_due_yet_gets_its_time(machine: Machine) -> None:
    machine.set_due(1)
    await machine.run()
    assert QUIET - HOUR < machine.due()[1] < QUIET


async def test_a_game_that_is_over_is_never_due(machine: Machine) -> None:
    for words in ("resign", "yes"):
        machine.harness.send(f"Ada <{ADA}>", words, machine.harness.last(ADA))
    machine.set_due(1)
    await machine.run()
    assert machine.due() == {}


@pytest.mark.parametrize("error", [RuntimeError("Ada said hello"), Conflict("game 1")])
async def test_an_error_is_logged_once_and_its_game_put_off_while_others_go_on(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    harness = machine.harness
    harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")
    harness.send(f"Ben <{BEN}>", "accept", harness.last(BEN))

    def failing(_context: Context, number: GameNumber) -> Events:
        if number == 1:
            raise error
        return ()

    games = doing(monkeypatch, failing)
    machine.set_due(1, 2)
    with caplog.at_level(logging.INFO, scheduler.__name__):
        await machine.run(LEASE * MAX_ATTEMPTS + HOUR)
    assert games.count(2) == 1
    assert games.count(1) % (MAX_ATTEMPTS + 1) == 0  # a conflict is tried again at once
    assert 22 * HOUR < machine.due()[1] < DAY
    (line,) = caplog.messages
    assert line.startswith("clock of 1: handling what is due failed with ")
    assert "hello" not in line


async def test_at_most_so_many_games_are_handled_in_a_pass(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = doing(monkeypatch, nothing)
    monkeypatch.setattr(scheduler, "AT_ONCE", 2)
    for _ in range(4):
        machine.harness.begin("5")
    machine.set_due(*range(1, 6))
    for handled in (2, 4, 5, 5):
        await machine.run()
        assert len(games) == handled


async def test_two_schedulers_remind_once(machine: Machine) -> None:
    other = machine.new("two")
    machine.pass_time(QUIET)
    handled = [await machine.scheduler.work_in_turns(), await other.work_in_turns()]
    assert handled == [1, 0]
    assert [letter.to for letter in machine.harness.collect()] == [ADA]


async def test_what_makes_a_game_due_sooner_meanwhile_holds(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.set_due(1)
    work = machine.scheduler._claim()
    assert work is not None
    machine.set_due(1)
    doing(monkeypatch, nothing)
    machine.scheduler._handle(work)
    assert machine.due() == {1: timedelta(0)}


async def test_a_turn_leaves_the_row_as_it_was(machine: Machine) -> None:
    harness, before = machine.harness, machine.due()
    machine.pass_time(2 * MINUTE)
    harness.send(f"Ada <{ADA}>", "ps b2", harness.last(ADA))
    assert machine.due() == {number: due - 2 * MINUTE for number, due in before.items()}


async def test_what_a_killed_process_had_claimed_is_done_by_another_one_at_once(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, store = doing(monkeypatch, nothing), machine.harness.store
    machine.set_due(1)
    with store.transaction() as session:
        leases.renew_process(session, "killed")
    assert machine.new("killed")._claim() is not None
    await machine.run()
    assert games == []
    Post(store, now=machine.harness.now).lease("another", is_gone=lambda name: name == "killed").renew()
    await machine.run()
    assert games == [1]


async def test_the_log_tells_nothing_of_what_was_done(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        await machine.run()
        assert await machine.live(QUIET)
    assert caplog.messages == []
