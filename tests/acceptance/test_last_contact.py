"""The time of the last contact with the mailbox is stored, but not at each contact."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from takmail.runtime.imap_poller import ImapPoller
from takmail.store import health
from tests.support.harness import Harness
from tests.support.network import ADA, bury, live

SECOND = timedelta(seconds=1)


def noted(harness: Harness) -> datetime | None:
    with harness.store.transaction() as session:
        return health.last_contact(session, "INBOX")


def counting(patch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Count how often the time is stored."""
    notes, original = [], health.note_contact
    patch.setattr(health, "note_contact", lambda *what: (notes.append(what), original(*what)))
    return lambda: len(notes)


async def test_it_is_noted_once_a_minute_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes = counting(monkeypatch)
    async with live(tmp_path) as game:
        app = game.app(first_start="all")
        harness = Harness(app.store)
        poller = ImapPoller(harness.store, harness.causes, harness.mail_worker)
        start = harness.now
        assert app.mailbox is not None
        async with app.mailbox as mailbox:
            await poller.round(mailbox)
            assert (notes(), noted(harness)) == (1, start)
            harness.now = start + 59 * SECOND
            await game.write(ADA, "help")
            await poller.round(mailbox)
            assert (notes(), noted(harness)) == (1, start)
            harness.now = start + 60 * SECOND
            await poller.round(mailbox)
            assert (notes(), noted(harness)) == (2, harness.now)
            harness.now = start - 3_600 * SECOND  # the clock is set back
            await poller.round(mailbox)
            assert (notes(), noted(harness)) == (3, harness.now)
        await bury(app)


async def test_where_the_mailbox_is_not_reached_nothing_is_noted(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = game.app(first_start="all")
        harness = Harness(app.store)
        poller = ImapPoller(harness.store, harness.causes, harness.mail_worker)
        assert app.mailbox is not None
        async with app.mailbox as mailbox:
            await poller.round(mailbox)
            before = noted(harness)
            harness.now += 600 * SECOND
        with pytest.raises(Exception, match="not open"):
            await poller.round(mailbox)
        assert noted(harness) == before
        await bury(app)
