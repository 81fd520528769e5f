"""From an empty folder to the first answered mail, against a real Dovecot and Postfix."""

import asyncio
import stat
from pathlib import Path

import pytest

from takmail.runtime.net.imap import Mailbox
from takmail.runtime.net.smtp import Sent
from tests.stack.mailstack import MailStack
from tests.stack.service import PATIENCE, Service
from tests.support.closing import Sender
from tests.support.command_line import takmail

pytestmark = pytest.mark.stack


async def first_mail(mailbox: Mailbox) -> bytes:
    async with asyncio.timeout(PATIENCE):
        while not (uids := await mailbox.new_uids(0)):
            await mailbox.wait()
    (mail,) = await mailbox.fetch(uids)
    return mail.raw


async def test_one_command_and_a_password_are_enough(stack: MailStack, tmp_path: Path) -> None:
    network, config = stack.with_newcomers(), tmp_path / "config.toml"
    options = (
        "--imap",
        f"{stack.host}:{stack.imaps_port}",
        "--smtp",
        f"{stack.host}:{stack.submission_port}",
    )
    made = await asyncio.to_thread(
        takmail, "init", network.tak, "--config", config, *options, "--ca-file", stack.ca_file,
        stdin=f"not this one\n{stack.password}\n".encode(),
    )  # fmt: skip
    assert made.exit_code == 0
    assert "AUTHENTICATIONFAILED" in made.stderr
    assert "takmail can log in to both servers" in made.stdout
    assert stat.S_IMODE((await asyncio.to_thread(config.stat)).st_mode) == 0o600
    async with (
        Service(config) as service,
        Sender(network.smtp(network.ada)) as sender,
        Mailbox(network.imap(network.ada)) as mailbox,
    ):
        await service.says("reading INBOX")
        mail = f"From: {network.ada}\r\nTo: {network.tak}\r\nSubject: Tak\r\n\r\nnew 5 vs {network.ben}\r\n"
        assert isinstance(await sender.send(mail.encode(), network.ada, network.tak), Sent)
        assert b"is this from you?" in await first_mail(mailbox)
