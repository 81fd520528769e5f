"""The inbox: other tasks run between two mails, letters are sent in time, and no mail is read beyond the limit."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from takmail.limits.mails import DEFAULT_LIMITS
from takmail.runtime import mail_worker
from takmail.runtime.bootstrap import App
from takmail.runtime.delivery_worker import Delivery
from takmail.store.causes import Causes
from takmail.store.tables import InboxRow
from tests.support.harness import Harness
from tests.support.network import ADA, bury, live
from tests.support.rows import waiting_mails

HELP = f"From: {ADA}\r\n\r\nhelp".encode()


async def test_others_get_their_turn_between_two_mails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_worker, "COSTLY", timedelta(hours=1))  # a busy machine makes each mail costly
    async with live(tmp_path) as game:
        app = game.app()
        for number in range(3):
            app.mail_worker.keep_one(HELP + b" " * number)
        working = asyncio.create_task(app.mail_worker.work_in_turns())
        left = []
        while not working.done():
            left.append(_waiting(app))
            await asyncio.sleep(0)
        assert sorted(left, reverse=True) == left
        assert [left.count(number) for number in (2, 1)] == [mail_worker.LOOP_TURNS] * 2
        assert await working == 3
        await bury(app)


async def test_the_letters_of_some_mails_leave_before_more_are_handled(
    harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_worker, "MAILS_AHEAD", 2)
    left = []

    class Waited(Delivery):
        async def catch_up(self) -> None:
            with harness.store.transaction() as session:
                left.append(len(waiting_mails(session)))

    way_in = mail_worker.MailWorker(
        harness.store, Causes(harness.services, harness.time_source), delivery=Waited()
    )
    for number in range(5):
        way_in.keep_one(HELP + b" " * number)
    assert await way_in.work_in_turns() == 5
    assert left == [5, 3, 1]


async def test_of_a_mail_over_the_limit_only_the_beginning_is_kept(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = game.app()
        number = app.mail_worker.keep_one(HELP + b"x" * DEFAULT_LIMITS.mail_bytes)
        with app.store.transaction() as session:
            row = session.get_one(InboxRow, number)
            assert (len(row.raw), row.size) == (
                DEFAULT_LIMITS.header_bytes,
                len(HELP) + DEFAULT_LIMITS.mail_bytes,
            )
        await bury(app)


def _waiting(app: App) -> int:
    with app.store.transaction() as session:
        return len(waiting_mails(session))
