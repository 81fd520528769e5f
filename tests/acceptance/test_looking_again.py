"""How soon the mailbox is looked at again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from takmail.mail.servers.imap import Mailbox, MailboxLost
from takmail.poller import LOOKS_AGAIN
from tests.acceptance.live import ADA, bury, live


def waits(patch: pytest.MonkeyPatch) -> list[float | None]:
    """Notes the seconds of each pause, None for a wait until the server speaks; none of them takes any time."""
    found: list[float | None] = []

    async def passes(_mailbox: Mailbox, seconds: float | None = None) -> None:
        found.append(seconds)

    patch.setattr(Mailbox, "pause", passes)
    patch.setattr(Mailbox, "wait", passes)
    return found


async def test_after_a_mail_it_is_looked_at_a_few_times_before_the_server_has_to_speak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = waits(monkeypatch)
    async with live(tmp_path) as game:
        app = game.app(first_start="all")
        assert app.mailbox is not None
        async with app.mailbox as mailbox:

            async def look() -> None:
                await app.poller.round(mailbox)
                await app.poller.wait(mailbox)

            await look()
            assert found == [None], "there was no mail"
            await game.write(ADA, "help")
            for _ in range(2):
                await look()
            assert found == [None, *LOOKS_AGAIN[:2]]
            await game.write(ADA, "rules")
            for _ in range(5):
                await look()
            assert found[3:] == [*LOOKS_AGAIN, None, None]
        await bury(app)


@asynccontextmanager
async def pausing(folder: Path) -> AsyncIterator[tuple[Mailbox, asyncio.Task[None]]]:
    """A mailbox in which there was nothing new, and a long pause that has begun."""
    async with live(folder) as game:
        app = game.app(first_start="all")
        assert app.mailbox is not None
        async with app.mailbox as mailbox, asyncio.timeout(60):
            await mailbox.new_uids(0)
            pause = asyncio.create_task(mailbox.pause(3_600))
            await asyncio.sleep(0)
            assert not pause.done()
            yield mailbox, pause
        await bury(app)


async def test_a_pause_ends_when_the_server_speaks(tmp_path: Path) -> None:
    async with pausing(tmp_path) as (mailbox, pause):
        mailbox._line.protocol.data_received(b"* 1 EXISTS\r\n")
        await pause


async def test_a_pause_ends_when_the_server_hangs_up(tmp_path: Path) -> None:
    async with pausing(tmp_path) as (mailbox, pause):
        mailbox._line.transport.abort()
        with pytest.raises(MailboxLost):
            await pause
