"""The IMAP mailbox, against a whole mail system."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from takmail.runtime.net.imap import BATCH, ImapAccount, LoginRefused, Mailbox, MailboxLost
from takmail.runtime.outages import backoff
from tests.support.cost import PATIENCE
from tests.support.mail_system import MailSystem

TAK = 'tak "the \\ bot"@example.test'


@pytest.fixture
async def system() -> AsyncIterator[MailSystem]:
    async with MailSystem({TAK: 'se"cr\\et'}) as running:
        yield running


def account(system: MailSystem, **changes: Any) -> ImapAccount:
    plain = ImapAccount(
        system.host, system.imap_port, TAK, 'se"cr\\et', tls="none", processed='Done & "filed" — fertig'
    )
    return replace(plain, **changes)


@pytest.fixture
async def mailbox(system: MailSystem) -> AsyncIterator[Mailbox]:
    async with Mailbox(account(system)) as opened:
        yield opened


async def fill(system: MailSystem, count: int) -> None:
    for n in range(count):
        await system.deliver(TAK, f"Subject: mail {n}\r\n\r\nps a{n} (not FETCH (at all\r\n".encode())


async def test_an_empty_mailbox_has_no_new_uids(mailbox: Mailbox) -> None:
    assert mailbox.uid_validity > 0
    assert await mailbox.new_uids(0) == ()
    assert await mailbox.new_uids(mailbox.uid_next) == ()
    assert await mailbox.fetch([]) == []


async def test_only_uids_above_the_watermark_are_new(system: MailSystem, mailbox: Mailbox) -> None:
    first = mailbox.uid_next
    await fill(system, 3)
    assert await mailbox.new_uids(0) == (first, first + 1, first + 2)
    assert await mailbox.new_uids(first) == (first + 1, first + 2)
    # For `n:*` the server returns the last mail even if it is below n.
    assert await mailbox.new_uids(first + 2) == ()


async def test_mails_are_fetched_byte_for_byte_with_time_and_size(
    system: MailSystem, mailbox: Mailbox
) -> None:
    raw = b"Subject: \xff\r\n\r\n* 1 EXISTS\r\nbare\nline ends) {5}\r\n)\r\n"
    arrived = datetime(2026, 2, 28, 23, 59, 59, tzinfo=UTC)
    await system.deliver(TAK, raw, "ada@example.test", arrived)
    [mail] = await mailbox.fetch(await mailbox.new_uids(0))
    assert mail.raw == (await system.mails(TAK))[0]
    assert mail.raw.endswith(raw)
    assert mail.size == len(mail.raw)
    assert mail.received == arrived


async def test_a_long_mail_is_cut_where_asked_and_its_size_is_known(
    system: MailSystem, mailbox: Mailbox
) -> None:
    await system.deliver(TAK, b"x" * 100_000)
    [mail] = await mailbox.fetch(await mailbox.new_uids(0), at_most=1000)
    assert len(mail.raw) == 1000
    assert mail.size > 100_000


async def test_how_long_mails_are_is_known_without_fetching_them(
    system: MailSystem, mailbox: Mailbox
) -> None:
    await fill(system, 2 * BATCH + 1)
    uids = await mailbox.new_uids(0)
    sizes = await mailbox.sizes([*uids, 99_999])
    assert sizes == {mail.uid: mail.size for mail in await mailbox.fetch(uids)}


async def test_a_mail_that_is_gone_is_missing(system: MailSystem, mailbox: Mailbox) -> None:
    await fill(system, 2)
    one, two = await mailbox.new_uids(0)
    await mailbox.file_away([one], mailbox.account.processed)
    assert [mail.uid for mail in await mailbox.fetch([two, one, 99_999])] == [two]


async def test_more_mails_than_a_batch_are_fetched_and_filed_away(
    system: MailSystem, mailbox: Mailbox
) -> None:
    await fill(system, 2 * BATCH + 1)
    uids = await mailbox.new_uids(0)
    mails = await mailbox.fetch(uids)
    assert [mail.uid for mail in mails] == list(uids)
    assert [mail.raw for mail in mails] == await system.mails(TAK)
    await mailbox.file_away(uids, mailbox.account.processed)
    assert await mailbox.new_uids(0) == ()
    assert len(await system.mails(TAK, account(system).processed)) == 2 * BATCH + 1


async def test_the_processed_folder_is_made_once(system: MailSystem) -> None:
    for _ in range(2):
        await Mailbox(account(system)).check()


async def test_a_wait_ends_as_soon_as_a_mail_comes(system: MailSystem, mailbox: Mailbox) -> None:
    await mailbox.new_uids(0)
    waiting = asyncio.create_task(mailbox.wait(60))
    await asyncio.wait({waiting}, timeout=0.02)
    assert not waiting.done()
    await fill(system, 1)
    async with asyncio.timeout(PATIENCE):
        assert await waiting is True
    assert len(await mailbox.new_uids(0)) == 1


async def test_a_mail_between_the_search_and_the_wait_is_not_slept_over(
    system: MailSystem, mailbox: Mailbox
) -> None:
    await fill(system, 1)
    uids = await mailbox.new_uids(0)
    await fill(system, 1)
    # The server announces the second mail here, and will not repeat the announcement in IDLE.
    await mailbox.fetch(uids)
    async with asyncio.timeout(PATIENCE):
        assert await mailbox.wait(60) is True


async def test_a_wait_in_vain_ends_in_time_and_again_and_again(mailbox: Mailbox) -> None:
    await mailbox.new_uids(0)
    for _ in range(3):
        assert await mailbox.wait(0.01) is False


async def test_a_cancelled_wait_ends_at_once_and_leaves_the_mailbox_usable(
    system: MailSystem, mailbox: Mailbox
) -> None:
    await mailbox.new_uids(0)
    before = asyncio.all_tasks()
    for _ in range(2):
        waiting = asyncio.create_task(mailbox.wait(60))
        await asyncio.wait({waiting}, timeout=0.02)
        waiting.cancel()
        async with asyncio.timeout(PATIENCE):
            with pytest.raises(asyncio.CancelledError):
                await waiting
    await fill(system, 1)
    assert len(await mailbox.new_uids(0)) == 1
    # The server, in the same event loop, has also ended its part of IDLE.
    assert asyncio.all_tasks() == before


async def test_a_cancelled_command_ends_the_connection(mailbox: Mailbox) -> None:
    searching = asyncio.create_task(mailbox.new_uids(0))
    await asyncio.sleep(0)
    searching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await searching
    with pytest.raises(MailboxLost, match="not finished"):
        await mailbox.new_uids(0)


async def test_a_wrong_password_names_server_and_user_and_no_secret(system: MailSystem) -> None:
    with pytest.raises(LoginRefused) as told:
        await Mailbox(account(system, user="nobody@example.test")).check()
    assert f"127.0.0.1:{system.imap_port} refused the login of nobody@example.test" in str(told.value)
    assert str(told.value).endswith("; check `user` and `password` in [imap]")
    assert "cr" not in str(told.value).replace("credentials", "")


async def test_a_mailbox_that_is_not_there_names_its_key(system: MailSystem) -> None:
    with pytest.raises(MailboxLost) as told:
        await Mailbox(account(system, mailbox="Elsewhere")).check()
    assert str(told.value).endswith("; check `mailbox` in [imap]")


async def test_nobody_answers(system: MailSystem) -> None:
    await system.stop()
    with pytest.raises(MailboxLost, match=str(system.imap_port)):
        await Mailbox(account(system)).check()


async def test_a_mailbox_that_is_closed_says_so(mailbox: Mailbox) -> None:
    await mailbox.close()
    await mailbox.close()
    with pytest.raises(MailboxLost, match="not open"):
        await mailbox.new_uids(0)


def test_the_password_is_in_no_repr() -> None:
    assert "hush" not in repr(ImapAccount("mail.example.org", 993, "tak", "hush"))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3", "::1"])
def test_plain_imap_is_for_this_machine(host: str) -> None:
    ImapAccount(host, 143, "tak", "secret", tls="none")


@pytest.mark.parametrize("host", ["mail.example.org", "192.0.2.1", "localhost.example.org"])
def test_plain_imap_over_a_network_is_refused(host: str) -> None:
    with pytest.raises(ValueError, match=f"{host} is another machine"):
        ImapAccount(host, 143, "tak", "secret", tls="none")


def test_a_password_cannot_smuggle_in_a_command() -> None:
    with pytest.raises(ValueError, match="line break"):
        ImapAccount("localhost", 143, "tak", "secret\r\nA1 DELETE INBOX", tls="none")


def test_lost_connections_are_taken_up_ever_more_slowly() -> None:
    seconds = [backoff(failures).total_seconds() for failures in range(11)]
    assert seconds == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300]
    assert backoff(10**6) == timedelta(minutes=5)
