"""The mailbox changes unexpectedly: its mails get new UIDs, or another program moves them."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from sqlmodel import select

from takmail.runtime.net.imap import ImapAccount, Mailbox
from takmail.store.tables import InboxRow
from tests.faults.scene import Scene, scene
from tests.support.mail_system import MailSystem
from tests.support.network import PASSWORDS, TAK, Network
from tests.support.width import combined

LONG_AGO = datetime(2020, 1, 1, 12, tzinfo=UTC)
UNREAD = ("UID SEARCH", r"UID FETCH .+SIZE\)", "UID FETCH .+BODY")
NOTHING = "{tag} OK done\r\n"
GONE = "{tag} NO [EXPUNGEISSUED] Some of the messages no longer exist\r\n"
MOMENTS = (*UNREAD, "UID STORE", "UID MOVE")


ROBOT = (
    b"From: Someone <someone@example.net>\r\nMessage-ID: <%d@mail.example.net>\r\n"
    b"Auto-Submitted: auto-replied\r\n\r\nI am away.\r\n"
)


@asynccontextmanager
async def restored(it: Scene) -> AsyncIterator[Network]:
    """Restore the mailbox as from a backup, so that old and filed mails are in it again, with new UIDs."""
    async with MailSystem(PASSWORDS) as system:
        for number in range(2):
            await system.deliver(TAK, ROBOT % number, received=LONG_AGO)
        for raw in await it.game.system.mails(TAK, "Processed"):
            await system.deliver(TAK, raw)
        yield Network(system, it.game.folder, written=100)


def states(it: Scene) -> Counter[str]:
    """Return the states of the mails."""
    with it.app.store.transaction() as session:
        return Counter(str(state) for state in session.exec(select(InboxRow.state)).all())


@pytest.mark.parametrize(("first_start", "is_told"), combined(["new", "all"], [True, False]))
async def test_mails_that_come_again_under_new_numbers_are_not_played_again_and_none_is_missed(
    is_told: bool, first_start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that numbers of the new mailbox are lower than that of the last old mail in this one.
    old = [ROBOT % number for number in range(100, 110)] if first_start == "new" else []
    async with scene(tmp_path, monkeypatch, old, first_start=first_start) as it:
        await it.turn()
        await it.turn()
        async with restored(it) as again:
            it.box, it.left = again, 2 if first_start == "new" else 0
            await it.write()
            it.imap.server = again.system.imap_port
            if is_told:
                it.imap.say("* OK [UIDVALIDITY 4711] numbered anew")
            else:
                it.imap.hang_up()
            await it.answered()
            await it.at_rest()
            it.check()
            assert it.copies() == 1
            # It took three mails to begin the game.
            fates = Counter(played=3, duplicate=5, **{"older" if first_start == "new" else "machine": 2})
            assert states(it) & fates == fates
            await it.turn()


async def test_a_mailbox_that_another_program_empties_costs_no_more_than_the_mails_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch, poll_seconds=0.1) as it:
        await it.turn()
        for moment, answer in combined(MOMENTS, [NOTHING, GONE]):
            it.imap.before[moment] = partial(taken_away, it)
            it.imap.answer(moment, answer)
            await it.write()
            if moment in UNREAD:
                it.played.pop()
            else:
                await it.answered()
            await it.at_rest()
            assert not it.imap.before
            it.check()
        await it.turn()


async def test_of_several_mails_one_that_is_taken_away_does_not_harm_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:

        async def two_come() -> None:
            await it.box.system.deliver(TAK, ROBOT % 1)
            await it.write()

        await it.turn()
        it.imap.before["UID SEARCH"] = two_come
        it.imap.before[r"UID FETCH .+SIZE\)"] = partial(taken_away, it, 1)
        it.imap.hang_up()
        await it.answered()
        await it.at_rest()
        it.check()
        assert "machine" not in states(it)


async def test_a_mail_that_another_program_has_read_is_handled_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scene(tmp_path, monkeypatch) as it:
        it.imap.before["UID SEARCH"] = partial(marked_as_read, it)
        await it.turn()
        assert not it.imap.before


async def taken_away(it: Scene, most: int = 50) -> None:
    """Move mails out of the mailbox, as another program would."""
    async with Mailbox(account(it)) as other:
        await other.file_away((await other.new_uids(0))[:most], "Elsewhere")


async def marked_as_read(it: Scene) -> None:
    """Mark all mails as read, as another program would."""
    async with Mailbox(account(it)) as other:
        await other._uid("STORE", "1:*", r"+FLAGS.SILENT (\Seen)")


def account(it: Scene) -> ImapAccount:
    system = it.box.system
    return ImapAccount(system.host, system.imap_port, TAK, "secret", tls="none", processed="Elsewhere")
