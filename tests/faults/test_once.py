"""Each mail has its effect exactly once, even if it comes twice, is interrupted, or is handled together with others."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from sqlmodel import func, select

from takmail.config import LimitSettings
from takmail.limits.letters import STRANGER_SHARES
from takmail.store import difference, dispatch, inbox, write
from takmail.store.database import Store
from takmail.store.tables import InboxRow, OutboxRow
from takmail.world.kinds import MailState
from tests.faults.scene import scene
from tests.support.cost import PATIENCE
from tests.support.harness import ADA, BEN, Harness, turns
from tests.support.network import TAK, bury, live
from tests.support.width import combined

MANY_MAILS = int(os.environ.get("FAULT_MAILS", "3000"))
SEVERAL = "ps b4\nrs\nsome words for Ben\ngames\nshow 1"


def times_out(patch: pytest.MonkeyPatch, owner: Any, name: str, *, after: bool) -> Callable[[], int]:
    """Make the first call of a function raise OperationalError, before or after its work.

    Return a function that returns the number of calls.
    """
    original, calls = getattr(owner, name), []

    def once(*args: Any, **how: Any) -> Any:
        calls.append(args)
        if len(calls) == 1 and not after:
            raise OperationalError("", None, Exception("timed out"))
        result = original(*args, **how)
        if len(calls) == 1:
            raise OperationalError("", None, Exception("timed out"))
        return result

    patch.setattr(owner, name, once)
    return lambda: len(calls)


@pytest.mark.parametrize(
    ("place", "after"),
    combined(
        [
            (inbox, "end"),
            (difference, "_expect_one"),
            (difference, "insert_rows"),
            (write, "carry_out"),
            (write, "_write_letters"),
        ],
        [False, True],
    ),
)
def test_a_time_out_in_the_middle_of_several_commands_does_all_of_them_once_later(
    harness: Harness, place: tuple[Any, str], after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.begin()
    number = harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", SEVERAL, harness.last(ADA)).as_bytes())
    with monkeypatch.context() as patch:
        called = times_out(patch, *place, after=after)
        with pytest.raises(OperationalError):
            harness.mail_worker.work()
        assert called() == 1
        assert (turns(harness), harness.collect()) == ([], []), "nothing is done by halves"
        assert harness.note_of(number)[0] == MailState.NEW
        harness.mail_worker.work()
    assert turns(harness) == ["ps b4"]
    assert Counter(letter.to for letter in harness.collect()) == {ADA: 1, BEN: 1}
    assert harness.note_of(number)[0] == MailState.PLAYED


async def test_a_passing_error_is_not_taken_for_done_and_the_mail_stays_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()
        called = times_out(monkeypatch, write, "write_rows", after=True)
        await it.turn()
        assert called() == 2
        assert it.copies() == 1


async def test_a_letter_that_failed_is_not_counted_as_sent_nor_one_that_was_sent_as_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        await it.turn()
        it.smtp.answer("DATA", "554 5.6.0 not this one\r\n")
        await it.write()
        async with asyncio.timeout(PATIENCE):
            while it.unsent() or it.turns() != it.played:
                it.imap.happens.clear()
                await it.imap.happens.wait()
        with it.app.store.transaction() as session:
            counts = Counter(session.exec(select(OutboxRow.state)).all())
        assert counts["failed"] == 1
        arrived = [await it.game.system.mails(who) for who in (ADA, BEN)]
        assert counts["sent"] == sum(len(mails) for mails in arrived)


def test_one_event_is_one_letter_to_each_whatever_the_mail_asks_besides(harness: Harness) -> None:
    harness.begin()
    letters = harness.send(f"Ada <{ADA}>", f"{SEVERAL}\nhelp\nrules", harness.last(ADA))
    assert Counter(letter.to for letter in letters) == {ADA: 1, BEN: 1}
    assert len({letter.id for letter in letters}) == 2


def test_the_same_mail_from_two_ways_in_is_handled_once(harness: Harness) -> None:
    harness.begin()
    raw = harness.mail(f"Ada <{ADA}>", "ps b4", harness.last(ADA)).as_bytes()
    first, second = (
        harness.mail_worker.keep_one(raw),
        harness.mail_worker.keep_one(b"Received: by another way\r\n" + raw),
    )
    harness.mail_worker.work()
    assert turns(harness) == ["ps b4"]
    assert (harness.note_of(first)[0], harness.note_of(second)[0]) == (MailState.PLAYED, MailState.DUPLICATE)
    assert Counter(letter.to for letter in harness.collect()) == {ADA: 1, BEN: 1}


@pytest.mark.sqlite("it opens the file a second time")
def test_no_letter_is_in_the_hands_of_two_senders(harness: Harness, tmp_path: Path) -> None:
    harness.begin()
    other = Store.open(f"sqlite:///{tmp_path / 'takmail.sqlite'}")
    claimed = []
    for number in range(8):
        store, name = ((harness.store, "serve"), (other, "deliver"))[number % 2]
        with store.transaction() as session:
            claimed += [(one.id, name) for one in dispatch.claim(session, harness.now, name)]
    other.close()
    # Of each player the letter of the last class, and the one of the game, which need not wait for it.
    assert len(claimed) == len({number for number, _ in claimed}) == 4


@pytest.mark.parametrize(
    ("sender", "most"),
    [("Someone <someone@example.net>", 10), (f"Ada <{ADA}>", 40)],
    ids=["stranger", "player"],
)
def test_of_many_mails_a_minute_from_one_sender_few_are_answered_and_others_are_served(
    harness: Harness, sender: str, most: int
) -> None:
    harness.begin()
    for number in range(60):
        harness.mail_worker.keep_one(harness.mail(sender, f"help\n{number}").as_bytes())
    theirs = harness.mail_worker.keep_one(harness.mail(f"Ada <{ADA}>", "ps b4", harness.last(ADA)).as_bytes())
    harness.mail_worker.work()
    assert turns(harness) == ["ps b4"]
    assert harness.note_of(theirs)[0] == MailState.PLAYED
    letters = Counter(letter.to for letter in harness.collect())
    assert letters[BEN] == 1
    assert sum(letters.values()) <= most


@pytest.mark.parametrize("mails", [20, pytest.param(MANY_MAILS, marks=pytest.mark.long)])
async def test_of_a_mailbox_full_of_old_mails_all_are_answered_at_the_first_start(
    mails: int, tmp_path: Path
) -> None:
    async with live(tmp_path) as game:
        for number in range(mails):
            await game.write(f"other{number}@example.org", "help")
        # They all are strangers of one organisation, which gets a fourth.
        most = STRANGER_SHARES * mails
        game.limits = LimitSettings(total_stranger_answers_per_hour=most, total_stranger_answers_per_day=most)
        app = game.app(first_start="all")
        assert app.mailbox is not None
        async with app.mailbox as mailbox:
            await app.poller.round(mailbox)
        with app.store.transaction() as session:
            assert Counter(session.exec(select(InboxRow.state)).all()) == {"answered": mails}
            assert session.exec(select(func.count(func.distinct(OutboxRow.mail_to)))).one() == mails
        assert await game.system.mails(TAK) == []
        await bury(app)
