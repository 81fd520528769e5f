"""The queue of mails that came in: nobody waits for its end, and nothing in it is larger than what is read."""

import asyncio
from pathlib import Path

from takmail.app import App
from takmail.mail.limits import MAX_READ_BYTES
from takmail.store import intake
from tests.acceptance.live import ADA, bury, live

HELP = f"From: {ADA}\r\n\r\nhelp".encode()


async def test_others_get_their_turn_between_two_mails(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = game.app()
        for number in range(3):
            app.inbound.keep_one(HELP + b" " * number)
        working = asyncio.create_task(app.inbound.work_in_turns())
        left = []
        while not working.done():
            left.append(_waiting(app))
            await asyncio.sleep(0)
        assert left == [3, 2, 1, 0]
        assert await working == 3
        await bury(app)


async def test_a_mail_that_is_delivered_is_kept_as_far_as_it_is_read(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = game.app()
        number = app.inbound.keep_one(HELP + b"x" * MAX_READ_BYTES)
        with app.store.transaction() as session:
            assert len(intake.get(session, number).raw) == MAX_READ_BYTES
        await bury(app)


def _waiting(app: App) -> int:
    with app.store.transaction() as session:
        return len(intake.waiting(session))
