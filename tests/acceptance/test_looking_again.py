"""The time after which the mailbox is read again."""

from pathlib import Path

import pytest

from takmail.runtime.imap_poller import POLL_PAUSES
from takmail.runtime.net.imap import Mailbox
from tests.support.network import ADA, bury, live


def waits(patch: pytest.MonkeyPatch) -> list[float | None]:
    """Record the seconds of each wait, None for a wait for the server. No wait takes any time."""
    found: list[float | None] = []

    async def passes(_mailbox: Mailbox, seconds: float | None = None) -> None:
        found.append(seconds)

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
            assert found == [None, *POLL_PAUSES[:2]]
            await game.write(ADA, "rules")
            for _ in range(len(POLL_PAUSES) + 2):
                await look()
            assert found[3:] == [*POLL_PAUSES, None, None]
        await bury(app)
