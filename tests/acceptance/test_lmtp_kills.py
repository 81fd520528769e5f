"""A kill at any moment while a mail is handed over by LMTP."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from takmail.app import App
from takmail.inbound import Inbound
from takmail.store import inbox
from takmail.store.tables import IntakeRow
from tests.acceptance.by_lmtp import KEPT, app_on, mail, place, play, reply_address, rows, serving, turns
from tests.acceptance.test_serving import said
from tests.support.lmtp import connected
from tests.support.network import ADA, BEN, bury, live


class Killed(BaseException):
    """The process is gone; nothing that runs on an ordinary exception may run."""


KILLS = [
    "before it is kept",
    "while it is kept",
    "between its commit and the answer",
    "after the answer",
]


@pytest.mark.parametrize("when", KILLS)
async def test_a_kill_at_any_moment_leaves_the_mail_with_one_of_the_two(when: str, tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        async with serving(game), play(game) as post:
            to = reply_address(post.last[ADA])
        handed_over = mail(ADA, "ps b4", to, 20)
        died = app_on(game)
        assert died.door is not None
        alive = _killed(when)
        await died.door.open()
        async with connected(place(game)) as client:
            await client.begin([to], ADA)
            client.send(handed_over + b".\r\n")
            if when == "after the answer":
                assert await client.answer() == KEPT.format(4)
            else:
                await _dies(died)
        alive.undo()
        await _buried(died)
        with said(": played") as played:
            async with serving(game) as app, connected(place(game)) as client:
                if when != "after the answer":
                    await client.sent(handed_over, [to], ADA)
                async with asyncio.timeout(10):
                    await played.wait()
                assert turns(app) == ["ps b4"]
                twice = when == "between its commit and the answer"
                assert [row.state for row in rows(app)[3:]] == ["played", "duplicate"][: 1 + twice]
        for who in (ADA, BEN):
            copies = Counter(str(letter["Message-ID"]) for letter in await game.letters(who))
            assert max(copies.values()) == 1


def _killed(when: str) -> pytest.MonkeyPatch:
    """Let the process die there; to be undone."""
    patch = pytest.MonkeyPatch()
    keep, record = Inbound.keep, inbox.record

    def killed(*_: object) -> None:
        raise Killed

    def kept(self: Inbound, mails: list[tuple[bytes, int]]) -> None:
        keep(self, mails)
        raise Killed

    def recorded(session: object, row: IntakeRow) -> None:
        record(session, row)  # type: ignore[arg-type]
        raise Killed

    match when:
        case "before it is kept":
            patch.setattr(Inbound, "keep", killed)
        case "while it is kept":
            patch.setattr(inbox, "record", recorded)
        case "between its commit and the answer":
            patch.setattr(Inbound, "keep", kept)
    return patch


async def _dies(app: App) -> None:
    """Wait until what deals with the client has died."""
    assert app.door is not None
    async with asyncio.timeout(10):
        await asyncio.wait(app.door._inside)


async def _buried(app: App) -> None:
    """Let go of what the operating system closes; the file of the socket stays."""
    assert app.door is not None
    assert app.door._server is not None
    app.door._server.close()
    await bury(app)
