"""Mails that several clients send by LMTP at the same time share one commit, and each client gets a reply."""

import asyncio

import pytest
from sqlalchemy import event
from sqlalchemy.exc import DataError, OperationalError
from sqlmodel import Session, select

from takmail.runtime.lmtp_receiver import LmtpReceiver
from takmail.store import inbox
from takmail.store.database import Store
from takmail.store.tables import InboxRow
from tests.support.databases import disk
from tests.support.harness import Harness

LATER = "451 4.3.0 It can't be kept now; try again later"


def mail(number: int) -> bytes:
    return f"From: ada@example.org\r\nMessage-ID: <{number}@example.org>\r\n\r\nhelp\r\n".encode()


def handed_over(listener: LmtpReceiver, count: int) -> list[asyncio.Task[str]]:
    return [asyncio.create_task(listener.accept(mail(number), 0)) for number in range(count)]


def kept(store: Store) -> list[bytes]:
    with store.transaction() as session:
        return [row.raw for row in session.exec(select(InboxRow).order_by(InboxRow.id))]  # type: ignore[arg-type]


async def test_they_are_kept_by_one_commit_and_answered_after_it(store: Store) -> None:
    tasks = handed_over(LmtpReceiver(Harness(store).mail_worker), 5)
    answered: list[int] = []
    event.listen(store.engine, "commit", lambda _: answered.append(sum(task.done() for task in tasks)))
    assert await asyncio.gather(*tasks) == [f"250 2.0.0 kept as mail {number}" for number in range(1, 6)]
    assert answered == [0], "one commit, and nobody was answered before it"
    assert kept(store) == [mail(number) for number in range(5)]


async def test_before_anybody_is_told_that_a_mail_is_kept_the_disk_has_it(store: Store) -> None:
    with disk(store.engine) as there:
        safe: list[int] = []
        tasks = handed_over(LmtpReceiver(Harness(store).mail_worker), 2)
        for task in tasks:
            task.add_done_callback(lambda _: safe.append(there.mails))
        await asyncio.gather(*tasks)
    assert safe == [2, 2]


@pytest.mark.parametrize("fault", [DataError(None, None, Exception("not to be stored")), RecursionError()])
async def test_one_that_cannot_be_kept_keeps_no_other_from_it(
    store: Store, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    original = inbox.record

    def record(session: Session, row: InboxRow) -> InboxRow | None:
        if row.raw == mail(1):
            raise fault
        return original(session, row)

    monkeypatch.setattr(inbox, "record", record)
    tasks = handed_over(LmtpReceiver(Harness(store).mail_worker), 3)
    first, second, third = await asyncio.gather(*tasks, return_exceptions=True)
    assert second in (LATER, fault)
    assert [str(first)[:3], str(third)[:3]] == ["250", "250"]
    assert kept(store) == [mail(0), mail(2)]


async def test_whoever_hangs_up_keeps_the_others_from_nothing(store: Store) -> None:
    first, second, third = handed_over(LmtpReceiver(Harness(store).mail_worker), 3)
    await asyncio.sleep(0)  # all have handed over
    second.cancel()
    assert (await first, await third) == ("250 2.0.0 kept as mail 1", "250 2.0.0 kept as mail 3")
    assert kept(store) == [mail(number) for number in range(3)]


async def test_while_the_database_is_away_each_is_deferred(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_session: Session, _row: InboxRow) -> None:
        raise OperationalError(None, None, Exception("away"))

    monkeypatch.setattr(inbox, "record", away)
    assert await asyncio.gather(*handed_over(LmtpReceiver(Harness(store).mail_worker), 3)) == [LATER] * 3


async def test_what_is_raised_is_raised_to_each_who_waits(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "record", lambda *_: 1 / 0)
    tasks = handed_over(LmtpReceiver(Harness(store).mail_worker), 2)
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in found] == [ZeroDivisionError] * 2
