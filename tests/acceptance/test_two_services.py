"""Two takmails on one database: one reads the mailbox, every mail and letter is handled once, and in order."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import col, select, update

from takmail.runtime.bootstrap import App
from takmail.runtime.leader_lease import LeaderLease
from takmail.runtime.net.imap import FetchedMail
from takmail.store import dispatch, inbox, leases, mailboxes
from takmail.store.database import Store
from takmail.store.machine_time import utc_now
from takmail.store.tables import InboxRow, LeaseRow, OutboxRow
from takmail.world.kinds import MailState
from tests.support import rows
from tests.support.cost import PATIENCE
from tests.support.databases import ON_POSTGRESQL, url_in
from tests.support.harness import BEN, Harness
from tests.support.network import ADA, TAK, Network, bury, live
from tests.support.rows import waiting_mails

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
GONE = "elsewhere/1/2/3"
LETTER = b"Subject: A letter\r\n\r\nthat a process had claimed.\r\n"


def nobody_is_gone(_name: str) -> bool:
    return False


def hold(store: Store, name: str) -> LeaderLease:
    return LeaderLease(store, "the mailbox", name, nobody_is_gone)


class Work:
    """A task that runs until it is cancelled, and that reports when it runs."""

    def __init__(self) -> None:
        self.runs, self.has_ended = asyncio.Event(), asyncio.Event()

    async def __call__(self) -> None:
        self.runs.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.has_ended.set()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "RENEWED_EVERY", leases.RENEWED_EVERY / 1_000)


@pytest.mark.usefixtures("quick")
async def test_the_second_waits_until_the_first_has_stopped(store: Store) -> None:
    first, second = Work(), Work()
    one = asyncio.create_task(hold(store, "one").run(first))
    await first.runs.wait()
    two = asyncio.create_task(hold(store, "two").run(second))
    async with asyncio.timeout(PATIENCE):
        await asyncio.sleep(5 * leases.RENEWED_EVERY.total_seconds())
        assert not second.runs.is_set()
        one.cancel()
        await second.runs.wait()
    assert first.has_ended.is_set()
    two.cancel()
    await asyncio.gather(one, two, return_exceptions=True)


@pytest.mark.usefixtures("quick")
async def test_who_has_lost_the_lease_stops(store: Store) -> None:
    first = Work()
    one = asyncio.create_task(hold(store, "one").run(first))
    await first.runs.wait()
    with store.transaction() as session:
        leases.give_back(session, "the mailbox", "one")
        assert leases.take(session, "the mailbox", "two", nobody_is_gone)
    async with asyncio.timeout(PATIENCE):
        await one
    assert first.has_ended.is_set()


def kept(app: App, *uids: int) -> None:
    """Store mails as if they had been fetched from the mailbox."""
    assert app.mailbox is not None
    raw = [f"From: {ADA}\r\nTo: {TAK}\r\nMessage-ID: <{uid}@x.example.org>\r\n\r\nhelp\r\n" for uid in uids]
    fetched = [
        FetchedMail(uid=uid, raw=one.encode(), size=len(one), received=utc_now())
        for uid, one in zip(uids, raw, strict=True)
    ]
    app.poller.keep(app.mailbox, fetched)


async def two(game: Network) -> tuple[App, App]:
    apps = App(game.settings(first_start="all")), App(game.settings(first_start="all"))
    for app in apps:
        assert app.mailbox is not None
        app.mailbox.uid_validity = 7
    return apps


async def test_two_who_read_for_a_moment_keep_each_mail_once(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        one, other = await two(game)
        kept(one, 1, 2, 3)
        kept(other, 2, 3, 4)
        with one.store.transaction() as session:
            states = [session.get_one(InboxRow, number).state for number in waiting_mails(session)]
        assert states == [MailState.NEW] * 4
        await bury(one)
        await bury(other)


@pytest.mark.skipif(not ON_POSTGRESQL, reason="SQLite lets nobody write meanwhile")
async def test_two_who_keep_the_same_mail_at_the_same_moment_keep_it_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with live(tmp_path) as game:
        one, other = await two(game)
        look, looked = mailboxes.known, []

        def slow(*asked: object) -> set[int]:
            """Look for stored mails, and then let the other takmail store them."""
            found = look(*asked)  # type: ignore[arg-type]
            if not looked:
                looked.append(found)
                kept(other, 1, 2)
            return found

        monkeypatch.setattr(mailboxes, "known", slow)
        kept(one, 1, 2)
        with one.store.transaction() as session:
            assert inbox.count(session, []) == 2
            assert len(waiting_mails(session)) == 2
        await bury(one)
        await bury(other)


def keep(harness: Harness, sender: str, text: str, answers: object = None) -> int:
    return harness.mail_worker.keep_one(harness.mail(sender, text, answers).as_bytes())  # type: ignore[arg-type]


@pytest.mark.skipif(not ON_POSTGRESQL, reason="SQLite lets nobody write meanwhile")
def test_a_claimed_mail_keeps_back_those_of_its_game_and_no_other(harness: Harness, tmp_path: Path) -> None:
    harness.begin()
    ada, ben = harness.last(ADA), harness.last(BEN)
    first = keep(harness, f"Ada <{ADA}>", "ps a1", ada)
    keep(harness, f"Ben <{BEN}>", "ps b2", ben)
    other = keep(harness, "Other <other@example.org>", "help")
    second = Store.open(url_in(tmp_path))
    with harness.store.transaction() as session, second.transaction() as beside:
        claimed = [inbox.claim(one, harness.now, name) for one, name in ((session, "one"), (beside, "two"))]
        assert [one and one.id for one in claimed] == [first, other]
    second.close()


def test_a_mail_waits_for_those_of_its_game_that_came_before(harness: Harness) -> None:
    harness.begin()
    ada, ben = harness.last(ADA), harness.last(BEN)
    first = keep(harness, f"Ada <{ADA}>", "ps a1", ada)
    second = keep(harness, f"Ben <{BEN}>", "ps b2", ben)
    with harness.store.transaction() as session:
        queues = [session.get_one(InboxRow, number).queue for number in (first, second)]
        assert queues == ["game 1", "game 1"]
        claimed = inbox.claim(session, harness.now, "one")
        assert claimed is not None
        inbox.end(session, first, MailState.ANSWERED, claimed_by="one")
        after = inbox.claim(session, harness.now, "two")
        assert (claimed.id, after and after.id) == (first, second)
        assert session.get_one(InboxRow, first, populate_existing=True).queue is None, (
            "an address is kept no longer than it serves"
        )


def in_hand_of(process: str) -> OutboxRow:
    now = utc_now()
    return OutboxRow(
        message_id="<1@example.test>",
        mail_from=TAK,
        mail_to=ADA,
        raw=LETTER,
        text="",
        claimed_by=process,
        due_at=now + dispatch.LEASE,
        created_at=now,
    )


def run_out(store: Store) -> list[str]:
    """Return the names of the leases that have expired."""
    with store.transaction() as session:
        return list(session.exec(select(LeaseRow.name).where(col(LeaseRow.expires_at) == LONG_AGO)))


@pytest.mark.usefixtures("quick")
async def test_a_running_service_sends_what_one_that_has_died_meanwhile_had_claimed(tmp_path: Path) -> None:
    async with live(tmp_path) as game:
        app, stop = App(game.settings(first_start="all")), asyncio.Event()
        serving = asyncio.create_task(app.serve(stop))
        await game.write(ADA, "help")
        await game.system.next_mail(ADA, PATIENCE)  # so it has looked for such letters at its start already
        with app.store.transaction() as session:
            leases.renew_process(session, GONE)
            session.exec(update(LeaseRow).where(col(LeaseRow.holder) == GONE).values(expires_at=LONG_AGO))
            rows.add_letter(session, in_hand_of(GONE))
        assert (await game.system.next_mail(ADA, PATIENCE)).endswith(LETTER)
        stop.set()
        await serving
        await bury(app)


@pytest.mark.usefixtures("quick")
async def test_a_running_service_says_again_and_again_that_it_is_here_and_has_the_mailbox(
    tmp_path: Path,
) -> None:
    async with live(tmp_path) as game:
        app, stop = App(game.settings(first_start="all")), asyncio.Event()
        serving = asyncio.create_task(app.serve(stop))
        await game.write(ADA, "help")
        await game.system.next_mail(ADA, PATIENCE)  # so it has read the mailbox, and sent a letter
        with app.store.transaction() as session:
            session.exec(update(LeaseRow).values(expires_at=LONG_AGO))
        async with asyncio.timeout(PATIENCE):
            while run_out(app.store):  # noqa: ASYNC110 - a database tells nobody
                await asyncio.sleep(0.01)
        with app.store.transaction() as session:
            assert len(session.exec(select(LeaseRow)).all()) == 3
        stop.set()
        await serving
        await bury(app)
