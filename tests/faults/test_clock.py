"""The clock is set back by a day or forward by a month: nothing fails too early, and nothing waits for a day."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from unittest.mock import patch

import pytest
from sqlmodel import select

from takmail.commands.seek import SOUGHT_FOR
from takmail.config.seat_keys import Keys, OldKey
from takmail.limits.letters import RateLimits
from takmail.runtime import scheduler
from takmail.runtime.delivery_failures import GIVE_UP_AFTER, retry_delay
from takmail.runtime.delivery_worker import FEWER_CONNECTIONS, SERVER_RETRY
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.net.smtp import Later
from takmail.runtime.scheduler import READ_EVERY, Retention
from takmail.store import dispatch
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.tables import InboxRow, OutboxRow, PendingRow, SeekRow
from takmail.world.kinds import LetterState
from takmail.world.waiting import CONSENTS, PendingKind
from tests.support.harness import ADA, BEN, Harness, said
from tests.support.scenes import played_once
from tests.support.sending import AWAY, Post
from tests.support.width import combined, tenth_of

BACK = -timedelta(days=1)
FORWARD = timedelta(days=30)
STEPS = pytest.mark.parametrize("step", [BACK, FORWARD], ids=["back by a day", "forward by a month"])
BUSY = Later("451 later")


@pytest.fixture
def post(store: Store) -> Post:
    return Post(store)


@STEPS
@pytest.mark.parametrize("answer", [BUSY, AWAY], ids=["put off", "nobody opens"])
async def test_a_letter_that_waits_leaves_soon_after_the_clock_was_set(
    post: Post, step: timedelta, answer: Later
) -> None:
    first, second = post.letters("ada", "ada")
    post.server.answers = [answer]
    sender = post.sender()
    await sender.send_due()
    assert [post.state(first), post.state(second)] == ["queued", "queued"]
    post.now += step + max(SERVER_RETRY, retry_delay(1))
    await sender.send_due()
    assert [post.state(first), post.state(second)] == ["sent", "sent"]


@STEPS
async def test_a_letter_that_is_deferred_again_after_the_clock_was_set_is_not_given_up(
    post: Post, step: timedelta
) -> None:
    (letter,) = post.letters("ada")
    sender = post.sender()
    for _ in range(3):
        post.server.answers = [BUSY]
        await sender.send_due()
        post.now += step
    assert post.state(letter) == "queued"
    await sender.send_due()
    assert post.state(letter) == "sent"


async def test_a_letter_is_given_up_at_its_time_though_the_clock_was_set_back(post: Post) -> None:
    (letter,) = post.letters("ada")
    post.now += BACK
    waited = timedelta(0)
    while post.state(letter) == "queued":
        post.server.answers = [BUSY]
        await post.sender().send_due()
        with post.store.transaction() as session:
            due = session.get_one(OutboxRow, letter).due_at
        waited, post.now = waited + due - post.now, due
        assert waited < GIVE_UP_AFTER + timedelta(hours=3)


async def test_what_a_sender_that_died_had_claimed_leaves_though_the_clock_was_set_back(post: Post) -> None:
    (letter,) = post.letters("ada")
    with post.store.transaction() as session:
        assert dispatch.claim(session, post.now, "deliver")
    post.now += BACK + dispatch.LEASE
    await post.sender().send_due()
    assert post.state(letter) == "sent"


def test_no_delay_in_the_queue_is_as_long_as_one_that_only_a_clock_can_make() -> None:
    assert max(retry_delay(1_000), dispatch.LEASE, SERVER_RETRY, FEWER_CONNECTIONS) < dispatch.LONGEST_DELAY


@STEPS
def test_whoever_has_had_enough_answers_for_an_hour_gets_more_after_it(
    harness: Harness, step: timedelta
) -> None:
    harness.begin()
    harness.services = replace(harness.services, rates=RateLimits(4, 30, 5))
    harness.mail_worker = MailWorker(harness.store, Causes(harness.services, harness.time_source))
    ask: Callable[[], list[object]] = lambda: [*harness.send(f"Ben <{BEN}>", "rs", harness.last(BEN))]  # noqa: E731
    while ask():
        pass
    harness.now += step + timedelta(hours=1)
    assert ask()


def test_a_question_is_asked_again_after_a_day_though_the_clock_was_set_back(harness: Harness) -> None:
    harness.confirms = False
    ask: Callable[[], list[object]] = lambda: [*harness.send(f"Ada <{ADA}>", f"new 5 vs {BEN}")]  # noqa: E731
    assert ask()
    assert not ask()
    harness.now += BACK
    assert ask()


DAY = timedelta(days=1)
YEAR = timedelta(days=365)
OLD = timedelta(days=27)
"""After this time, what has waited for six days is forgotten."""
OPEN = timedelta(days=6)
"""How long proposals and questions have waited when the clock leaps. They are open for a day more."""


class Machine:
    """A machine whose service may be started again, and whose clock may be set."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self._seconds = 0.0
        self._services = [self.service()]

    def service(self) -> Retention:
        return Retention(self.harness.store, self.harness.causes, 30, lambda: self._seconds)

    def start(self, services: int = 1, ahead: timedelta = timedelta(0)) -> None:
        """Start so many services anew, with the clock ahead, and let them run for four seconds."""
        self.harness.now += ahead
        self._services = [self.service() for _ in range(services)]
        self._work()
        self.run(timedelta(seconds=4))

    def run(self, time: timedelta, every: timedelta = READ_EVERY) -> None:
        """Let the services run, and each read its clock so often."""
        while time > timedelta(0):
            step = min(time, every)
            time -= step
            self.harness.now += step
            self._seconds += step.total_seconds()
            self._work()

    def be_off(self, time: timedelta) -> None:
        self.harness.now += time
        self._seconds += time.total_seconds()

    def set_clock(self, by: timedelta) -> None:
        self.harness.now += by

    def _work(self) -> None:
        for service in self._services:
            service.work()


@pytest.fixture
def machine(harness: Harness) -> Machine:
    """A machine with a mail, a letter, a proposal and a question, which are six days old. Nora looks for a game."""
    _played(harness)
    harness.confirms = False
    machine = Machine(harness)
    machine.start()
    assert kept(harness) == ALL
    return machine


@played_once
def _played(harness: Harness) -> None:
    harness.begin()
    harness.play("ps a1", "ps e5", "ps b2", "ps d4")
    harness.confirms = False
    machine = Machine(harness)
    machine.start()
    harness.send("Nora <nora@example.org>", "seek 5")
    harness.send("Nora <nora@example.org>", "yes", harness.last("nora@example.org"))
    harness.send(f"Ada <{ADA}>", "propose restart", harness.last(ADA))
    harness.send(f"Ben <{BEN}>", "resign", harness.last(BEN))
    with harness.store.transaction() as session:
        for letter in session.exec(select(OutboxRow)):
            letter.state = LetterState.SENT
    machine.run(OPEN, DAY / 2)


ALL = (True, True, True, True, True)


def kept(harness: Harness) -> tuple[bool, ...]:
    """Return whether all mails and letters, the proposal, the question and the seek are there."""
    with harness.store.transaction() as session:
        pending = session.exec(select(PendingRow)).all()
        return (
            all(row.raw for row in session.exec(select(InboxRow))),
            all(row.sha256 is None for row in session.exec(select(OutboxRow))),
            any(row.kind in CONSENTS and row.ended is None for row in pending),
            any(row.kind == PendingKind.RESIGN for row in pending),
            session.exec(select(SeekRow)).first() is not None,
        )


LEAPS = [timedelta(days=4), timedelta(days=31), YEAR]


@pytest.mark.parametrize(("leap", "services"), combined(LEAPS, [1, 2]))
def test_a_start_with_a_clock_that_is_ahead_deletes_and_closes_nothing(
    machine: Machine, leap: timedelta, services: int
) -> None:
    machine.start(services, leap)
    assert kept(machine.harness) == ALL
    machine.start(services, -leap)
    machine.run(timedelta(hours=12))
    assert kept(machine.harness) == ALL


@pytest.mark.parametrize("leap", LEAPS)
def test_a_clock_that_leaps_while_the_service_runs_deletes_and_closes_nothing(
    machine: Machine, leap: timedelta
) -> None:
    machine.set_clock(leap)
    machine.run(timedelta(hours=23))
    assert kept(machine.harness) == ALL
    machine.set_clock(-leap)
    machine.run(timedelta(minutes=30))
    assert kept(machine.harness) == ALL


@pytest.mark.parametrize("leap", tenth_of(LEAPS))
def test_many_starts_within_a_bad_hour_delete_and_close_nothing(machine: Machine, leap: timedelta) -> None:
    for _ in range(8):
        machine.start(2, leap)
    assert kept(machine.harness) == ALL
    machine.start(ahead=-8 * leap)
    machine.run(timedelta(hours=12))
    assert kept(machine.harness) == ALL


def test_many_short_leaps_are_a_long_one(machine: Machine) -> None:
    for _ in range(16):
        machine.start(ahead=timedelta(days=2))
    assert kept(machine.harness)[:2] == (True, True)
    assert kept(machine.harness)[4]


def test_starts_with_a_wrong_clock_and_a_right_one_in_turn_delete_and_close_nothing(machine: Machine) -> None:
    for _ in range(4):
        machine.start(ahead=YEAR)
        machine.start(ahead=-YEAR)
    assert kept(machine.harness) == ALL


def test_a_second_machine_whose_clock_is_ahead_deletes_and_closes_nothing(machine: Machine) -> None:
    seconds = 0.0
    harness = machine.harness
    other = replace(harness.causes, now=lambda: harness.now + YEAR)
    ahead = Retention(harness.store, other, 30, lambda: seconds)
    for _ in range(12):
        ahead.work()
        machine.run(READ_EVERY)
        seconds += READ_EVERY.total_seconds()
    assert kept(harness) == ALL


@pytest.mark.parametrize(("leap", "services"), combined(LEAPS, [1, 2]))
def test_after_a_day_a_leap_is_believed(machine: Machine, leap: timedelta, services: int) -> None:
    machine.be_off(leap)
    machine.start(services)
    machine.run(timedelta(hours=23))
    assert kept(machine.harness) == ALL
    machine.run(timedelta(hours=1))
    gone = leap > timedelta(days=30)
    assert kept(machine.harness) == (not gone, not gone, False, False, leap < SOUGHT_FOR - OPEN)


def test_the_day_is_counted_over_restarts(machine: Machine) -> None:
    machine.be_off(YEAR)
    for _ in range(4):
        machine.start()
        machine.run(timedelta(hours=6))
    assert kept(machine.harness) == (False,) * 5


def test_a_machine_that_is_off_each_night_forgets_what_is_old(machine: Machine) -> None:
    for _ in range(60):
        machine.start()
        machine.run(timedelta(hours=4), DAY / 6)
        machine.be_off(timedelta(hours=20))
    assert kept(machine.harness) == (False,) * 5


def test_a_clock_that_was_ahead_for_days_is_followed_back(machine: Machine) -> None:
    machine.set_clock(timedelta(days=20))
    machine.run(2 * DAY, DAY / 4)
    machine.set_clock(timedelta(days=-20))
    machine.run(2 * DAY, DAY / 4)
    assert kept(machine.harness)[:2] == (True, True)
    machine.start(ahead=YEAR)
    assert kept(machine.harness)[:2] == (True, True)
    machine.start(ahead=-YEAR)
    machine.run(OLD, DAY)
    assert kept(machine.harness)[:2] == (False, False)


def test_a_clock_that_was_behind_does_no_harm(machine: Machine) -> None:
    machine.start(ahead=-20 * YEAR)
    machine.start(ahead=20 * YEAR)
    machine.run(timedelta(hours=12))
    assert kept(machine.harness) == ALL
    machine.run(OLD, DAY)
    assert kept(machine.harness)[:2] == (False, False)


def test_what_looks_expired_by_a_wrong_clock_is_open_again(machine: Machine) -> None:
    harness = machine.harness
    machine.start(ahead=YEAR)
    harness.send(f"Ben <{BEN}>", "rs", harness.last(BEN))
    harness.send(f"Ada <{ADA}>", "rs", harness.last(ADA))
    machine.start(ahead=-YEAR)
    assert kept(harness) == ALL
    question = next(
        one for one in reversed(harness.box) if one.to == BEN and "give this game up" in said(one)
    )
    harness.send(f"Ben <{BEN}>", "yes", question)
    assert not kept(harness)[3]


def test_a_mail_of_a_year_to_come_does_not_keep_the_ones_behind_it(machine: Machine) -> None:
    harness = machine.harness
    harness.now += YEAR
    harness.send(f"Ada <{ADA}>", "rs", harness.last(ADA))
    harness.now -= YEAR
    with patch.object(scheduler, "ROWS_AT_ONCE", 3):
        machine.run(OLD, DAY)
    with harness.store.transaction() as session:
        assert [row.is_reduced for row in session.exec(select(InboxRow))].count(False) == 1


def test_an_old_key_is_accepted_again_when_the_clock_is_right_again() -> None:
    keys = Keys(b"new", (OldKey(b"old", date(2026, 11, 1)),))
    now = datetime(2026, 11, 21, tzinfo=UTC)
    assert keys.still_accepted(now + 4 * FORWARD, 90) == ()
    for right in (now, now + BACK, now - FORWARD):
        assert keys.still_accepted(right, 90) == (b"old",)
