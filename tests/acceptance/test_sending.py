"""The time at which letters are sent: what delays them, what does not, and which process sends them."""

import asyncio
import logging
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import Session

from takmail.pipeline.process import Conflict
from takmail.runtime.delivery_failures import GIVE_UP_AFTER, retry_delay
from takmail.runtime.delivery_worker import SERVER_RETRY
from takmail.runtime.net.smtp import Failed, Later
from takmail.store import causes, dispatch, leases
from takmail.store.database import Store
from takmail.store.dispatch import Claimed
from takmail.store.tables import OutboxRow
from takmail.world.kinds import LetterState
from takmail.world.letters import ReturnedLetter
from tests.support.cost import PATIENCE
from tests.support.databases import url_in
from tests.support.sending import AWAY, Post, Server


@pytest.fixture
def post(store: Store) -> Post:
    return Post(store)


async def _turns_of_the_loop() -> None:
    """Run the event loop until no task can continue by itself."""
    for _ in range(20):
        await asyncio.sleep(0)


async def _ended(running: asyncio.Task[None]) -> None:
    async with asyncio.timeout(PATIENCE):
        await running


async def test_a_server_that_is_away_pauses_all_letters_whoever_wakes_the_sender(post: Post) -> None:
    post.letters("ada", "ben")
    post.server.answers = [AWAY, AWAY]
    sender = post.sender()
    running = asyncio.create_task(sender.run())
    await post.server.knocked.wait()
    await _turns_of_the_loop()
    sender.wake()
    await _turns_of_the_loop()
    assert post.server.asked == ["ada@example.org"]
    sender.stop()
    await _ended(running)


async def test_a_server_that_is_away_is_told_in_one_line_and_asked_by_one_letter(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    post.letters("ada", "ben", "other")
    post.server.answers = [AWAY] * 9
    sender = post.sender(connections=3)
    with caplog.at_level(logging.INFO, "takmail"):
        for asked in (3, 4, 5):
            assert await sender.send_due() is False
            assert len(post.server.asked) == asked
            post.now += SERVER_RETRY
        assert caplog.messages == ["delivery stopped; retrying in 0:00:30: 3 letters wait: nobody opens"]
        post.server.answers = []
        assert await sender.send_due() is True
    assert len(post.server.asked) == 8
    assert caplog.messages.count("delivery resumed") == 1


async def test_letters_leave_in_order_when_the_server_is_back(post: Post) -> None:
    post.letters("ada", "ben", "ada")
    post.server.answers = [AWAY]
    sender = post.sender()
    assert await sender.send_due() is False
    post.now += SERVER_RETRY
    assert await sender.send_due() is True
    # The letter that was tried is postponed, and no reader's second letter is sent before the first one.
    assert post.server.asked[1:] == [f"{who}@example.org" for who in ("ben", "ada", "ada")]


async def test_a_letter_deferred_delays_its_own_reader_only(post: Post) -> None:
    first, to_ben, second = post.letters("ada", "ben", "ada")
    post.server.answers = [Later("451 later")]
    sender = post.sender()
    await sender.send_due()
    assert [post.state(one) for one in (first, to_ben, second)] == ["queued", "sent", "queued"]
    post.now += timedelta(minutes=1)
    await sender.send_due()
    assert [post.state(one) for one in (first, second)] == ["sent", "sent"]


async def test_a_letter_held_back_behind_one_deferred_does_not_keep_the_sender_busy(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.letters("ada", "ada")
    post.server.answers = [Later("451 later")]
    looks: list[object] = []
    claim = dispatch.claim

    def counted(*args: Any) -> list[Claimed]:
        looks.append(args)
        return claim(*args)

    monkeypatch.setattr(dispatch, "claim", counted)
    sender = post.sender()
    running = asyncio.create_task(sender.run())
    await post.server.knocked.wait()
    await _turns_of_the_loop()
    assert len(looks) == 2
    sender.stop()
    await _ended(running)


async def test_a_stop_lets_the_letter_on_its_way_end_and_begins_no_other(post: Post) -> None:
    first, second = post.letters("ada", "ben")
    post.server.holding = True
    sender = post.sender()
    running = asyncio.create_task(sender.run())
    await post.server.knocked.wait()
    sender.stop()
    await _turns_of_the_loop()
    assert not running.done()
    post.server.let_go.set()
    await _ended(running)
    assert (post.state(first), post.state(second)) == ("sent", "queued")


async def test_a_letter_whose_sending_could_not_be_noted_is_noted_later_and_not_sent_again(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    (letter,) = post.letters("ada")

    def locked(*_args: object) -> None:
        raise OperationalError("", None, Exception("database is locked"))

    sender = post.sender()
    with monkeypatch.context() as patch:
        patch.setattr(dispatch, "sent", locked)
        with pytest.raises(OperationalError):
            await sender.send_due()
    post.now += dispatch.LEASE
    await sender.send_due()
    assert post.server.asked == ["ada@example.org"]
    assert post.state(letter) == "sent"


async def test_a_letter_that_makes_the_sender_raise_is_failed_and_the_next_goes_on(
    post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    strange, to_ben = post.letters("ada", "ben")
    post.server.answers = [RuntimeError("no way to write this")]
    assert await post.sender().send_due() is True
    assert (post.state(strange), post.state(to_ben)) == ("failed", "sent")
    with post.store.transaction() as session:
        assert "RuntimeError: no way to write this" in session.get_one(OutboxRow, strange).error
    assert "Traceback" in caplog.text


@pytest.mark.parametrize(
    "fault", [Conflict("game 1"), KeyError("game 1"), IntegrityError(None, None, Exception("UNIQUE"))]
)
async def test_a_letter_of_which_nothing_can_follow_has_failed_and_the_sender_goes_on(
    post: Post, caplog: pytest.LogCaptureFixture, fault: Exception
) -> None:
    """The transaction that stores the bounce is rolled back, so that nothing of it is left."""
    refused, to_ben = post.letters("ada", "ben")
    post.server.answers = [Failed("550 no such user", no_such_recipient=True)]
    tried: list[str] = []

    def came_back(session: Session, _letter: ReturnedLetter, reason: str) -> None:
        tried.append(reason)
        session.get_one(OutboxRow, to_ben).state = LetterState.RESTING
        session.flush()
        raise fault

    sender = post.sender(came_back=came_back)
    assert await sender.send_due() is True
    (third,) = post.letters("ada")
    assert await sender.send_due() is True
    assert [post.state(one) for one in (refused, to_ben, third)] == ["failed", "sent", "sent"]
    with post.store.transaction() as session:
        assert session.get_one(OutboxRow, refused).error == "550 no such user"
    assert len(tried) == (causes.ATTEMPTS if isinstance(fault, Conflict) else 1)
    assert f"letter {refused}: storing the failed attempt failed with {type(fault).__name__}" in caplog.text


async def test_what_a_server_says_is_noted_as_far_as_a_database_holds_it(post: Post) -> None:
    refused, later = post.letters("ada", "ben")
    post.server.answers = [Failed("550 \0 unknown"), Later("450 \0 busy")]
    assert await post.sender().send_due() is True
    with post.store.transaction() as session:
        assert session.get_one(OutboxRow, refused).error == "550 ? unknown"
        assert session.get_one(OutboxRow, later).error == "450 ? busy"


async def test_a_service_that_starts_lets_deliver_finish_its_letter(post: Post) -> None:
    post.letters("ada")
    post.server.holding = True
    delivering = asyncio.create_task(post.sender("deliver").send_due())
    await post.server.knocked.wait()
    service = Server()
    serving = post.sender(server=service)
    post.lease().renew()
    await serving.send_due()
    post.server.let_go.set()
    assert await delivering
    await serving.send_due()
    assert service.asked == []


async def test_a_service_takes_up_what_the_last_one_had_begun(post: Post) -> None:
    post.letters("ada")
    with post.store.transaction() as session:
        leases.renew_process(session, "the last one")
        assert dispatch.claim(session, post.now, "the last one") != []
    sender = post.sender()
    await sender.send_due()
    assert post.server.asked == []
    post.lease(is_gone=lambda name: name == "the last one").renew()
    await sender.send_due()
    assert post.server.asked == ["ada@example.org"]


async def test_what_deliver_had_begun_when_it_died_is_sent_after_its_lease(post: Post) -> None:
    post.letters("ada")
    with post.store.transaction() as session:
        assert dispatch.claim(session, post.now, "deliver") != []
    sender = post.sender()
    post.lease().renew()
    await sender.send_due()
    assert post.server.asked == []
    post.now += dispatch.LEASE
    await sender.send_due()
    assert post.server.asked == ["ada@example.org"]


async def test_a_letter_that_is_deferred_for_five_days_is_given_up(post: Post) -> None:
    (letter,) = post.letters("ada")
    written = tried = post.now
    while post.state(letter) == "queued":
        post.server.answers, tried = [Later("451 later")], post.now
        await post.sender().send_due()
        with post.store.transaction() as session:
            post.now = session.get_one(OutboxRow, letter).due_at
    assert post.state(letter) == "failed"
    assert GIVE_UP_AFTER <= tried - written < GIVE_UP_AFTER + timedelta(hours=2)


async def test_no_letter_is_given_up_because_the_server_lets_nobody_in(post: Post) -> None:
    (letter,) = post.letters("ada")
    post.now += timedelta(days=50)
    post.server.answers = [AWAY]
    await post.sender().send_due()
    assert post.state(letter) == "queued"


async def test_a_letter_that_takes_too_long_is_settled_before_its_lease_ends(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    (letter,) = post.letters("ada")
    monkeypatch.setattr("takmail.runtime.delivery_worker.LONGEST_SEND", timedelta(milliseconds=1))
    post.server.holding = True
    assert await post.sender().send_due() is True
    assert post.state(letter) == "queued"
    post.server.holding = False
    post.now += timedelta(minutes=1)
    await post.sender().send_due()
    assert post.state(letter) == "sent"


async def test_a_letter_of_another_process_is_found_without_a_call(
    post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("takmail.runtime.delivery_worker.LOOK_AGAIN", timedelta(milliseconds=1))
    sender = post.sender()
    running = asyncio.create_task(sender.run())
    await _turns_of_the_loop()
    post.letters("ada")
    async with asyncio.timeout(PATIENCE):
        await post.server.knocked.wait()
    sender.stop()
    await _ended(running)


def test_two_services_on_one_database_never_claim_the_same_letter(post: Post, tmp_path: Path) -> None:
    post.letters("ada", "ben")
    other = Store.open(url_in(tmp_path))
    claimed = []
    for store in (post.store, other, post.store):
        with store.transaction() as session:
            claimed.append([letter.mail_to for letter in dispatch.claim(session, post.now)])
    other.close()
    assert claimed == [["ada@example.org"], ["ben@example.org"], []]


async def test_an_outage_does_not_make_the_first_refusal_after_it_a_long_one(post: Post) -> None:
    (letter,) = post.letters("ada")
    sender = post.sender()
    for _ in range(20):
        post.server.answers = [AWAY]
        await sender.send_due()
        post.now += SERVER_RETRY
    post.server.answers = [Later("451 come back")]
    await sender.send_due()
    with post.store.transaction() as session:
        row = session.get_one(OutboxRow, letter)
        assert row.attempts == 1
        assert row.due_at - post.now == retry_delay(1)
