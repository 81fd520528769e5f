"""The mail system of the demo and the tests behaves like a real one."""

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from takmail.runtime.net.imap import ImapAccount, LoginRefused, Mailbox, MailboxLost
from takmail.runtime.net.smtp import Failed, Later, Sent, SmtpAccount
from tests.support.closing import Sender
from tests.support.cost import PATIENCE
from tests.support.mail_system import MailSystem

TAK, ADA = "tak@example.test", "ada@example.test"
RAW = b"Subject: hello\r\n\r\nps a1\r\n"


@pytest.fixture
async def system() -> AsyncIterator[MailSystem]:
    async with MailSystem({TAK: "secret", ADA: "other"}) as running:
        yield running


@pytest.fixture
async def sender(system: MailSystem) -> AsyncIterator[Sender]:
    account = SmtpAccount(system.host, system.smtp_port, ADA, "other", tls="none")
    async with Sender(account) as connected:
        yield connected


def inbox(system: MailSystem, password: str = "secret") -> ImapAccount:
    return ImapAccount(system.host, system.imap_port, TAK, password, tls="none")


async def test_a_letter_arrives_with_the_headers_of_an_mta(system: MailSystem, sender: Sender) -> None:
    assert isinstance(await sender.send(RAW, ADA, TAK), Sent)
    head = f"Return-Path: <{ADA}>\r\nDelivered-To: {TAK}\r\n".encode()
    assert await system.mails(TAK) == [head + RAW]
    assert await system.mails(ADA) == []


async def test_a_plus_address_belongs_to_its_owner_and_stands_in_delivered_to(
    system: MailSystem, sender: Sender
) -> None:
    assert isinstance(await sender.send(RAW, ADA, "tak+12.AbC@example.test"), Sent)
    assert b"Delivered-To: tak+12.AbC@example.test\r\n" in await system.next_mail(TAK)


async def test_the_null_sender_has_an_empty_return_path(system: MailSystem, sender: Sender) -> None:
    await sender.send(RAW, "", TAK)
    assert (await system.next_mail(TAK)).startswith(b"Return-Path: <>\r\n")


async def test_a_letter_to_nobody_is_refused(system: MailSystem, sender: Sender) -> None:
    result = await sender.send(RAW, ADA, "nobody@example.test")
    assert isinstance(result, Failed)
    assert "550 5.1.1" in result.reason
    with pytest.raises(LookupError):
        await system.deliver("nobody@example.test", RAW)


async def test_nobody_sends_without_a_login(system: MailSystem) -> None:
    async with Sender(SmtpAccount(system.host, system.smtp_port, tls="none")) as stranger:
        result = await stranger.send(RAW, ADA, TAK)
    assert isinstance(result, Later)
    assert "530" in result.reason
    assert await system.mails(TAK) == []


async def test_nobody_reads_or_sends_with_a_wrong_password(system: MailSystem) -> None:
    with pytest.raises(LoginRefused):
        await Mailbox(inbox(system, "wrong")).check()
    async with Sender(SmtpAccount(system.host, system.smtp_port, ADA, "wrong", tls="none")) as stranger:
        result = await stranger.send(RAW, ADA, TAK)
    assert isinstance(result, Later)
    assert "535" in result.reason


async def test_next_mail_waits_for_the_delivery_and_never_tells_a_mail_twice(system: MailSystem) -> None:
    waiting = asyncio.create_task(system.next_mail(TAK))
    await system.deliver(TAK, b"Subject: one\r\n\r\n")
    await system.deliver(TAK, b"Subject: two\r\n\r\n")
    assert b"one" in await waiting
    assert b"two" in await system.next_mail(TAK)
    with pytest.raises(TimeoutError, match=TAK):
        await system.next_mail(TAK, timeout=0.01)


async def test_a_mail_moved_over_imap_is_found_in_its_folder(system: MailSystem) -> None:
    await system.deliver(TAK, RAW, ADA)
    async with Mailbox(inbox(system)) as mailbox:
        await mailbox.file_away(await mailbox.new_uids(0), "Processed")
    assert await system.mails(TAK) == []
    assert [mail.endswith(RAW) for mail in await system.mails(TAK, "Processed")] == [True]
    assert await system.mails(TAK, "Elsewhere") == []


async def test_the_next_letters_get_the_answer_that_a_test_asks_for(
    system: MailSystem, sender: Sender
) -> None:
    system.answer_next("451 4.3.0 later", letters=2)
    results = [await sender.send(RAW, ADA, TAK) for _ in range(3)]
    assert [type(result) for result in results] == [Later, Later, Sent]
    assert len(await system.mails(TAK)) == 1


async def test_a_mail_nested_too_deep_is_deferred(sender: Sender) -> None:
    deep = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(600)
    )
    result = await sender.send(b"Subject: deep\r\n" + deep, ADA, TAK)
    assert isinstance(result, Later)
    assert "451" in result.reason
    assert isinstance(await sender.send(RAW, ADA, TAK), Sent)


async def test_after_a_stop_it_starts_on_the_same_ports_with_its_mails(
    system: MailSystem, sender: Sender
) -> None:
    await system.deliver(TAK, RAW)
    async with Mailbox(inbox(system)) as mailbox:
        validity, ports = mailbox.uid_validity, (system.imap_port, system.smtp_port)
        waiting = asyncio.create_task(mailbox.wait(30))
        await system.stop()
        with pytest.raises(MailboxLost):
            async with asyncio.timeout(PATIENCE):
                await mailbox.new_uids(0) if await waiting else None
    assert isinstance(await sender.send(RAW, ADA, TAK), Later)
    await system.start()
    assert (system.imap_port, system.smtp_port) == ports
    assert isinstance(await sender.send(RAW, ADA, TAK), Sent)
    async with Mailbox(inbox(system)) as mailbox:
        assert mailbox.uid_validity == validity
        assert len(await mailbox.new_uids(0)) == 2


async def test_it_leaves_no_task_behind_and_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    levels = {name: logging.getLogger(name).level for name in ("mail.log", "pymap")}
    before = asyncio.all_tasks()
    async with MailSystem({TAK: "secret"}) as system:
        mailbox = Mailbox(inbox(system))
        await mailbox.open()
        await mailbox.new_uids(0)
        waiting = asyncio.create_task(mailbox.wait(30))
        strangers = [
            await asyncio.open_connection(system.host, port) for port in (system.smtp_port, system.imap_port)
        ]
        for _, writer in strangers:
            writer.write(b"NONSENSE\r\n")
    with pytest.raises(MailboxLost):
        await waiting
    await mailbox.close()
    for _, writer in strangers:
        writer.close()
        await asyncio.gather(writer.wait_closed(), return_exceptions=True)
    assert asyncio.all_tasks() == before
    assert caplog.text == ""
    assert {name: logging.getLogger(name).level for name in levels} == levels
