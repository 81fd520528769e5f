"""The clock is set back by a day or forward by a month: nothing fails too early, and nothing waits for a day."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlmodel import select

from takmail.config.seat_keys import Keys, OldKey
from takmail.limits.letters import RateLimits
from takmail.runtime.delivery_worker import FEWER_CONNECTIONS, SERVER_RETRY
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.net.retry_delays import GIVE_UP_AFTER, retry_delay
from takmail.runtime.net.smtp import Later
from takmail.runtime.retention import Retention
from takmail.store import dispatch
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.tables import InboxRow, OutboxRow
from tests.support.harness import ADA, BEN, Harness
from tests.support.sending import AWAY, Post

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
    harness.mail_worker = MailWorker(harness.store, Causes(harness.services, harness.clock))
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


def test_mails_do_not_grow_old_by_a_clock_that_leaps_forward(harness: Harness) -> None:
    seconds = 0.0
    retention = Retention(harness.store, harness.causes, 30, lambda: seconds)
    harness.begin()
    assert retention.work() == 0
    seconds += 24 * 3_600
    harness.now += FORWARD + timedelta(days=1)
    assert retention.work() == 0
    with harness.store.transaction() as session:
        assert not any(row.is_reduced for row in session.exec(select(InboxRow)))
    for _ in range(30):
        seconds += 24 * 3_600
        harness.now += timedelta(days=1)
        retention.work()
    with harness.store.transaction() as session:
        assert all(row.is_reduced for row in session.exec(select(InboxRow)))


def test_an_old_key_is_accepted_again_when_the_clock_is_right_again() -> None:
    keys = Keys(b"new", (OldKey(b"old", date(2026, 11, 1)),))
    now = datetime(2026, 11, 21, tzinfo=UTC)
    assert keys.still_accepted(now + 4 * FORWARD, 90) == ()
    for right in (now, now + BACK, now - FORWARD):
        assert keys.still_accepted(right, 90) == (b"old",)
