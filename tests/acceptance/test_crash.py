"""takmail is killed between any two steps of one mail and restarted. The turn is played once, and no letter is lost."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack, ExitStack
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from takmail.runtime import delivery_worker, imap_poller
from takmail.runtime.bootstrap import App
from takmail.runtime.mail_worker import MailWorker
from takmail.store import inbox
from takmail.store.database import Store
from takmail.store.tables import InboxRow
from tests.crash.steps import CLAIMED, CLUB_STEPS, DUE_STEPS, IDLE, STEPS, TAKEN, Step
from tests.support.by_lmtp import KEPT, app_on, begun, mail, place, reply_address, rows, serving, turns
from tests.support.cost import PATIENCE
from tests.support.databases import disk
from tests.support.lmtp import connected
from tests.support.network import ADA, BEN, TAK, Network, begin, bury, live, logged, one_round, text_of
from tests.support.rows import letters
from tests.support.width import some_of

KILLS = [(step, 1) for step in STEPS if step not in (*DUE_STEPS, *CLUB_STEPS)]
KILLS += [(step, 2) for step in STEPS if step.words in (CLAIMED, TAKEN)]
"""Each step of a mail, and how often it was passed. Some are passed twice, as a move leads to two letters."""
BY_LMTP = [
    "before it is kept",
    "while it is kept",
    "between its commit and the answer",
    "after the answer",
]


class Killed(BaseException):
    """The process was killed. Code that handles ordinary exceptions must not run."""


class Fate:
    """Kills the process when it passes a step for the nth time."""

    def __init__(self, at: str, nth: int) -> None:
        self._at, self._left = at, nth

    def passes(self, words: str) -> None:
        self._left -= words == self._at
        if self._left == 0:
            raise Killed


@pytest.mark.parametrize(
    ("step", "nth"), some_of(KILLS, 4), ids=lambda one: one.words if isinstance(one, Step) else ""
)
async def test_a_kill_loses_nothing_and_plays_nothing_twice(
    step: Step, nth: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with begun(tmp_path) as game:
        letter = (await game.letters(ADA))[-1]
        had = {who: len(await game.letters(who)) for who in (ADA, BEN)}
        await game.write(f"Ada <{ADA}>", "ps b4", to=reply_address(letter))
        fate = Fate(step.words, nth)
        with monkeypatch.context() as patch:
            patch.setattr(step.owner, step.name, step.telling(fate.passes))
            with ExitStack() as grave:
                _buries_stores(patch, grave)
                with pytest.raises(Killed):
                    await _one_life(game, fate)
        app = game.app()
        await one_round(app)
        await one_round(app)
        assert turns(app) == ["ps b4"]
        for who in (ADA, BEN):
            new = (await game.letters(who))[had[who] :]
            copies = Counter(str(mail["Message-ID"]) for mail in new)
            assert len(copies) == 1, "exactly one letter, however often it came"
            assert max(copies.values()) <= 2
        assert await game.system.mails(TAK) == []
        assert len(await game.system.mails(TAK, "Processed")) == 4
        await bury(app)


def _buries_stores(patch: pytest.MonkeyPatch, grave: ExitStack) -> None:
    """Close each database that is opened from now on, as the operating system does after a process is killed."""
    untouched = Store.open_read_only

    def noted(url: str) -> Store:
        store = untouched(url)
        grave.callback(store.close)
        return store

    patch.setattr(Store, "open_read_only", noted)


async def _one_life(game: Network, fate: Fate) -> None:
    """Run takmail from its start until it waits for another mail."""
    async with AsyncExitStack() as stack:
        app = game.app()
        stack.push_async_callback(bury, app)
        await one_round(app)
        fate.passes(IDLE)


@pytest.mark.parametrize("when", BY_LMTP)
async def test_a_kill_while_a_mail_is_handed_over_leaves_it_with_one_of_the_two(
    when: str, tmp_path: Path
) -> None:
    async with begun(tmp_path) as game:
        to = reply_address((await game.letters(ADA))[-1])
        handed_over = mail(ADA, "ps b4", to, 20)
        died = app_on(game)
        assert died.lmtp_socket is not None
        alive = _killed(when)
        await died.lmtp_socket.open()
        async with connected(place(game)) as client:
            await client.begin([to], ADA)
            client.send(handed_over + b".\r\n")
            if when == "after the answer":
                assert await client.answer() == KEPT.format(4)
            else:
                await _dies(died)
        alive.undo()
        await _buried(died)
        with logged(": played") as played:
            async with serving(game) as app, connected(place(game)) as client:
                if when != "after the answer":
                    await client.sent(handed_over, [to], ADA)
                async with asyncio.timeout(PATIENCE):
                    await played.wait()
                assert turns(app) == ["ps b4"]
                twice = when == "between its commit and the answer"
                assert [row.state for row in rows(app)[3:]] == ["played", "duplicate"][: 1 + twice]
        for who in (ADA, BEN):
            copies = Counter(str(letter["Message-ID"]) for letter in await game.letters(who))
            assert max(copies.values()) == 1


def _killed(when: str) -> pytest.MonkeyPatch:
    """Kill the process at this step. The caller undoes the returned patch."""
    patch = pytest.MonkeyPatch()
    keep, record = MailWorker.keep, inbox.record

    def killed(*_: object) -> None:
        raise Killed

    def kept(self: MailWorker, mails: list[tuple[bytes, int]]) -> None:
        keep(self, mails)
        raise Killed

    def recorded(session: object, row: InboxRow) -> None:
        record(session, row)  # type: ignore[arg-type]
        raise Killed

    match when:
        case "before it is kept":
            patch.setattr(MailWorker, "keep", killed)
        case "while it is kept":
            patch.setattr(inbox, "record", recorded)
        case "between its commit and the answer":
            patch.setattr(MailWorker, "keep", kept)
    return patch


async def _dies(app: App) -> None:
    """Wait until the task that serves the LMTP client has ended."""
    assert app.lmtp_socket is not None
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait(app.lmtp_socket._connections)


async def _buried(app: App) -> None:
    """Close everything that the operating system closes after a process is killed. The socket's file stays."""
    assert app.lmtp_socket is not None
    assert app.lmtp_socket._server is not None
    app.lmtp_socket._server.close()
    await bury(app)


@pytest.mark.parametrize("is_handed_over", [True, False])
async def test_before_a_letter_leaves_the_disk_has_what_led_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_handed_over: bool
) -> None:
    async with live(tmp_path) as game:
        app = await begin(game)
        await game.write(f"Ada <{ADA}>", "ps b4", to=reply_address((await game.letters(ADA))[-1]))
        on_disk: set[str] = set()
        were_on_disk: list[bool] = []
        has_left = asyncio.Event()
        sync, original = Store.sync, delivery_worker.SmtpSender.send

        def synced(store: Store) -> None:
            with store.transaction(durable=False) as session:
                claimed = {one.message_id for one in letters(session) if one.claimed_by}
            sync(store)
            on_disk.update(claimed)

        async def send(sender: Any, raw: bytes, *what: Any) -> Any:
            were_on_disk.append(message_from_bytes(raw)["Message-ID"] in on_disk)
            result = await original(sender, raw, *what)
            if len(were_on_disk) == 2:
                has_left.set()
            return result

        monkeypatch.setattr(Store, "sync", synced)
        monkeypatch.setattr(delivery_worker.SmtpSender, "send", send)
        if is_handed_over:
            await _sent_by_a_running_worker(app, has_left)
        else:
            await one_round(app)
        assert were_on_disk == [True, True]
        await bury(app)


async def _sent_by_a_running_worker(app: App, has_left: asyncio.Event) -> None:
    """Handle the mails while the delivery worker runs, which gets the letters of each mail at once."""
    assert app.mailbox is not None
    sending = asyncio.create_task(app.delivery_worker.run())
    await asyncio.sleep(0)
    assert app.delivery_worker.takes_letters
    async with app.mailbox as mailbox, asyncio.timeout(PATIENCE):
        await app.poller.round(mailbox)
        await has_left.wait()
    app.delivery_worker.stop()
    await sending


async def test_before_a_mail_leaves_the_mailbox_the_disk_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        app = game.app(first_start="all")
        await game.write(f"Ada <{ADA}>", "help")
        original = imap_poller.Mailbox.file_away
        safe: list[int] = []

        async def file_away(*what: Any) -> None:
            safe.append(there.mails)
            await original(*what)

        monkeypatch.setattr(imap_poller.Mailbox, "file_away", file_away)
        with disk(app.store.engine) as there:
            await one_round(app)
        assert safe == [1]
        await bury(app)


async def test_two_mails_that_race_for_a_game_are_both_answered_in_order(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app = await begin(game)
        to = {who: reply_address((await game.letters(who))[-1]) for who in (ADA, BEN)}
        await game.write(f"Ben <{BEN}>", "ps c3", to=to[BEN])
        await game.write(f"Ada <{ADA}>", "ps b4", to=to[ADA])
        await one_round(app)
        assert turns(app) == ["ps b4"]
        assert "it is not your turn" in text_of((await game.letters(BEN))[-2])
        assert text_of((await game.letters(BEN))[-1]).startswith("ps b4")
        await bury(app)
