"""A database that is copied to a second folder with its own service, on a real Dovecot and Postfix."""

import asyncio
import os
import shutil
import signal
import sys
from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from takmail.runtime.net.smtp import Sent
from takmail.store.backup import back_up
from tests.stack.mailstack import MailStack
from tests.stack.service import Service, write_config
from tests.stack.test_play import Players, filed, players
from tests.support.closing import Sender

pytestmark = pytest.mark.stack

NUMBERS = count(1)
FORBIDDEN = "belongs to another"
THE_LEASE_ENDS = 120.0
"""Seconds that a copy may wait, at the most, for a lease that its database has taken along."""


async def run(*words: str | Path) -> int:
    """Run a command of takmail. Return its exit code."""
    program = Path(sys.executable).with_name("takmail")
    return await (await asyncio.create_subprocess_exec(program, *words)).wait()


def copied(config: Path, network: MailStack, folder: Path) -> Path:
    """Copy the database and the key to a folder, while their service runs. Return the config of the copy."""
    os.mkdir(folder)
    back_up(config.with_name("takmail.sqlite"), folder / "takmail.sqlite")
    shutil.copy(config.with_name("takmail.key"), folder)
    return write_config(folder, network, "all", answers=100)


async def write(network: MailStack, mails: int = 1) -> None:
    """Hand in mails of Ada, who is a stranger: each is answered, as none looks like an automatic reply."""
    async with Sender(network.smtp(network.ada)) as sender:
        for _ in range(mails):
            head = f"From: Ada <{network.ada}>\r\nTo: {network.tak}\r\nMessage-ID: <{next(NUMBERS)}@example.test>\r\n"
            mail = f"{head}\r\nhelp\r\n".encode()
            assert isinstance(await sender.send(mail, network.ada, network.tak), Sent)


async def answered(two: Players, network: MailStack, mails: int) -> None:
    await write(network, mails)
    await two.ada.read(mails)


async def test_one_of_two_copies_stops_and_each_mail_has_one_answer(stack: MailStack, tmp_path: Path) -> None:
    network = stack.with_newcomers()
    config = write_config(tmp_path, network, "all", answers=100)
    async with Service(config) as first, players(network) as two:
        await answered(two, network, 4)
        copy = copied(config, network, tmp_path / "copy")
        async with Service(copy) as second:
            # The copy has the lease of the first one, too, until that ends.
            assert await second.within(THE_LEASE_ENDS, lambda: "waiting for" in second.log)
            await answered(two, network, 4)
            await first.says(FORBIDDEN)
            await answered(two, network, 4)
            assert FORBIDDEN not in second.log
            assert await second.stopped() == 0
        assert await first.stopped() == 0
        async with Service(config) as first:  # the old machine, which somebody turns on again
            await first.says(FORBIDDEN)
            await write(network)
            async with Service(copy):
                await two.ada.read()
            assert await first.stopped() == 0
        await two.ada.look()
        assert two.ada.doubles == []
        answers = Counter(str(letter["In-Reply-To"]) for letter in two.ada.letters)
        assert (len(answers), set(answers.values())) == (13, {1})


async def test_copies_in_flight_of_before_and_put_back_answer_each_mail_once(
    stack: MailStack, tmp_path: Path
) -> None:
    network = stack.with_newcomers()
    config = write_config(tmp_path, network, "all", answers=100)
    file = tmp_path / "takmail.sqlite"
    async with players(network) as two:
        async with Service(config) as first:
            await answered(two, network, 1)
            older = copied(config, network, tmp_path / "older")
            assert await first.stopped() == 0
        async with Service(config) as first:
            assert await first.within(THE_LEASE_ENDS, lambda: "reading" in first.log)
            await write(network, 40)
            assert await first.within(THE_LEASE_ENDS, lambda: "answered" in first.log)
            first.signal(signal.SIGSTOP)  # while mails are handled and letters leave
            copy = copied(config, network, tmp_path / "copy")
            first.signal(signal.SIGCONT)
            async with Service(copy) as second:
                await two.ada.read(40)
                assert await second.within(THE_LEASE_ENDS, lambda: "waiting for" in second.log)
                await answered(two, network, 1)
                await first.says(FORBIDDEN)
                assert "was handling" in second.log
                assert FORBIDDEN not in second.log
                await filed(network, 42)  # an older database would have to play what is left in the mailbox
                assert await second.stopped() == 0
            assert await first.stopped() == 0
        await write(network, 2)
        for forbidden in (older, config):
            async with Service(forbidden) as service:
                await service.says(FORBIDDEN)
                assert await service.stopped() == 0
        # An operator puts a copy back by hand, and is told what to do; then by the command, which needs no more.
        shutil.copyfile(tmp_path / "older" / "takmail.sqlite", file)
        async with Service(config) as service:
            await service.says(FORBIDDEN)
            assert await service.stopped() == 0
        assert await run("take-mailbox", "--config", config) == 0
        async with Service(config) as service:
            assert await service.within(THE_LEASE_ENDS, lambda: "waiting for" in service.log)
            await two.ada.read(2)
            await filed(network, 44)
            assert await service.stopped() == 0
        assert await run("restore", tmp_path / "copy" / "takmail.sqlite", "--config", config) == 0
        async with Service(config) as service:
            await answered(two, network, 1)
            assert await service.stopped() == 0
            assert FORBIDDEN not in service.log
        await two.ada.look()
        # Letters that only waited when the database was copied leave again, with the same Message-ID.
        answers = Counter(str(letter["In-Reply-To"]) for letter in two.ada.letters)
        assert (len(answers), set(answers.values())) == (45, {1})


async def test_ten_starts_stops_and_kills_of_one_service_are_no_alarm(
    stack: MailStack, tmp_path: Path
) -> None:
    network = stack.with_newcomers()
    config = write_config(tmp_path, network, "all", answers=100)
    async with players(network) as two:
        for number in range(10):
            async with Service(config) as service:
                await answered(two, network, 1)
                end = signal.SIGKILL if number % 2 else signal.SIGTERM
                assert await service.stopped(end) == (-signal.SIGKILL if number % 2 else 0)
                assert FORBIDDEN not in service.log
                assert "waiting for" not in service.log
