"""The network side of mail against a real Dovecot and Postfix."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from takmail.runtime.net.imap import FetchedMail, LoginRefused, Mailbox, MailboxLost
from takmail.runtime.net.smtp import CannotSend, Failed, Later, Sent
from takmail.store.machine_time import utc_now
from tests.stack.mailstack import MailStack
from tests.support.closing import Sender

pytestmark = pytest.mark.stack


def letter(subject: str, body: bytes = b"ps a1\r\n") -> bytes:
    # Postfix adds a Date and a Message-ID where there is none.
    head = ("From: ada@example.test", "To: tak@example.test", f"Subject: {subject}")
    dated = ("Date: Sat, 21 Nov 2026 10:00:00 +0000", f"Message-ID: <{uuid4().hex}@example.test>", "", "")
    return "\r\n".join(head + dated).encode() + body


async def arrival(mailbox: Mailbox, subject: str) -> FetchedMail:
    """The mail with this subject, as soon as it is there; all tests share the mailbox."""
    async with asyncio.timeout(20):
        while True:
            for mail in await mailbox.fetch(await mailbox.new_uids(0)):
                if f"Subject: {subject}\r\n".encode() in mail.raw:
                    return mail
            await mailbox.wait()


async def test_a_letter_goes_out_with_starttls_and_is_fetched_over_tls(stack: MailStack) -> None:
    subject = uuid4().hex
    raw = letter(subject, b".a dot\r\n..two\r\n.\r\nzwei W\xc3\xa4nde\r\n")
    async with Sender(stack.smtp(stack.ada)) as sender, Mailbox(stack.imap(stack.tak)) as mailbox:
        assert isinstance(await sender.send(raw, stack.ada, stack.tak), Sent)
        mail = await arrival(mailbox, subject)
        assert mail.raw.endswith(raw)
        assert mail.raw.startswith(b"Return-Path: <ada@example.test>\r\n")
        assert mail.size == len(mail.raw)
        assert abs(mail.received - utc_now()) < timedelta(minutes=1)


async def test_idle_wakes_when_a_mail_is_delivered(stack: MailStack) -> None:
    async with Sender(stack.smtp(stack.ada)) as sender, Mailbox(stack.imap(stack.ben)) as mailbox:
        await mailbox.new_uids(0)
        waiting = asyncio.create_task(mailbox.wait(30))
        assert isinstance(await sender.send(letter("wake"), stack.ada, stack.ben), Sent)
        async with asyncio.timeout(10):
            assert await waiting is True
        assert await mailbox.new_uids(mailbox.uid_next - 1)


async def test_a_wait_that_is_cancelled_leaves_the_connection_good(stack: MailStack) -> None:
    async with Mailbox(stack.imap(stack.ben)) as mailbox:
        await mailbox.new_uids(0)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await mailbox.wait(30)
        async with asyncio.timeout(2):
            await mailbox.new_uids(0)


async def test_a_mail_to_a_plus_address_arrives_and_tells_it(stack: MailStack) -> None:
    subject = uuid4().hex
    async with Sender(stack.smtp(stack.ada)) as sender, Mailbox(stack.imap(stack.tak)) as mailbox:
        await sender.send(letter(subject), "", "tak+12.abcdefghijklmnop@example.test")
        mail = await arrival(mailbox, subject)
        assert b"Return-Path: <>\r\n" in mail.raw
        assert b"Delivered-To: tak+12.abcdefghijklmnop@example.test\r\n" in mail.raw


async def test_a_mail_filed_away_is_read_and_in_the_processed_folder(stack: MailStack) -> None:
    subject = uuid4().hex
    async with Sender(stack.smtp(stack.ada)) as sender, Mailbox(stack.imap(stack.tak)) as mailbox:
        await sender.send(letter(subject), stack.ada, stack.tak)
        mail = await arrival(mailbox, subject)
        await mailbox.file_away([mail.uid, 999_999], mailbox.account.processed)
        assert mail.uid not in await mailbox.new_uids(0)
        assert await mailbox.fetch([mail.uid]) == []
    processed = stack.folder / "mail" / "tak" / "Maildir" / ".Processed"
    filed = [path for path in processed.glob("*/*:2,*") if subject.encode() in path.read_bytes()]
    assert [path.name.endswith(":2,S") for path in filed] == [True]


async def test_mail_for_elsewhere_is_refused_for_good(stack: MailStack) -> None:
    async with Sender(stack.smtp(stack.ada)) as sender:
        result = await sender.send(letter("out"), stack.ada, "other@example.org")
        assert isinstance(result, Failed)
        assert "554" in result.reason
        assert isinstance(await sender.send(letter("home"), stack.ada, stack.ben), Sent)


async def test_a_recipient_beyond_ascii_does_not_disturb_the_next_letter(stack: MailStack) -> None:
    async with Sender(stack.smtp(stack.ada)) as sender:
        await sender.send(letter("umlaut"), stack.ada, "täk@example.test")
        assert isinstance(await sender.send(letter("plain"), stack.ada, stack.ben), Sent)


async def test_a_wrong_imap_password_is_told_with_server_and_user(stack: MailStack) -> None:
    account = replace(stack.imap(stack.tak), password="wrong-one")
    with pytest.raises(
        LoginRefused, match=r"127\.0\.0\.1:\d+ refused the login of tak@example\.test"
    ) as told:
        await Mailbox(account).check()
    assert "wrong-one" not in str(told.value)


async def test_a_wrong_smtp_password_only_delays_a_letter(stack: MailStack) -> None:
    async with Sender(replace(stack.smtp(stack.ada), password="wrong-one")) as sender:
        result = await sender.send(letter("no"), stack.ada, stack.tak)
        assert isinstance(result, Later)
        assert "535" in result.reason
        assert stack.ada in result.reason
        assert "wrong-one" not in result.reason
    # A connection that is refused ends by itself, a moment later: while the next one is made.
    async with Sender(stack.smtp(stack.ada)) as sender:
        assert isinstance(await sender.send(letter("yes"), stack.ada, stack.tak), Sent)


async def test_a_certificate_of_nobody_known_is_refused(stack: MailStack) -> None:
    with pytest.raises(MailboxLost, match="certificate"):
        await Mailbox(replace(stack.imap(stack.tak), ca_file=None)).check()
    async with Sender(replace(stack.smtp(stack.ada), ca_file=None)) as sender:
        with pytest.raises(CannotSend, match="certificate"):
            await sender.check()


async def test_both_checks_pass(stack: MailStack) -> None:
    await Mailbox(stack.imap(stack.tak)).check()
    async with Sender(stack.smtp(stack.ada)) as sender:
        await sender.check()
