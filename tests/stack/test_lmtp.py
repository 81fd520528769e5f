"""Postfix hands every mail to `takmail serve` by LMTP, without a mailbox, and keeps what nobody takes."""

import asyncio
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from tests.stack.mailstack import MailStack
from tests.stack.service import PATIENCE, Service
from tests.stack.test_play import _each_mail_was_answered, check_game, players

pytestmark = pytest.mark.stack


@pytest.fixture
def network(stack: MailStack) -> MailStack:
    """The servers, with new players and the address whose mails are handed over."""
    return replace(stack.with_newcomers(), tak="door@example.test")


def _config(folder: Path, network: MailStack) -> Path:
    """The settings of a service without a mailbox, which hands its letters to Postfix as any program here may."""
    file = folder / "config.toml"
    file.write_text(
        f'[service]\naddress = "{network.tak}"\n\n'
        # Postfix's own user has to get in, and the tests run the service as root.
        f'[lmtp]\nsocket = "{network.folder}/door/lmtp.sock"\nmode = "0666"\n\n'
        f'[smtp]\nhost = "{network.host}"\nport = {network.smtp_port}\ntls = "none"\n\n'
        "[bots]\nenabled = false\n"
    )
    return file


async def _postqueue(network: MailStack, *words: str) -> str:
    """What Postfix's postqueue says."""
    process = await asyncio.create_subprocess_exec(
        "/usr/sbin/postqueue", "-c", network.folder / "postfix", *words, stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    assert process.returncode == 0
    return said.decode()


async def _kept_by_postfix(network: MailStack) -> None:
    """Wait until Postfix has found nobody to hand a mail to, and keeps it."""
    async with asyncio.timeout(PATIENCE):
        while "No such file or directory" not in await _postqueue(network, "-p"):  # noqa: ASYNC110
            await asyncio.sleep(0.1)


async def test_a_whole_game_without_a_mailbox_while_the_service_is_down_now_and_then(
    network: MailStack, tmp_path: Path
) -> None:
    config = _config(tmp_path, network)
    async with players(network) as two:
        playing = asyncio.create_task(two.play())
        # The last of so many lines says that a letter was sent: without an answer to it Postfix would keep nothing.
        for lines, end in ((12, signal.SIGTERM), (8, signal.SIGTERM)):
            async with Service(config) as service:
                await service.says("listening at")
                await _postqueue(network, "-f")
                await service.says_lines(lines)
                assert await service.stopped(end) == 0
            await _kept_by_postfix(network)
        async with Service(config) as service:
            await service.says("listening at")
            await _postqueue(network, "-f")
            await playing
            assert await service.stopped() == 0
            assert "Warning" not in service.log
        assert "Mail queue is empty" in await _postqueue(network, "-p")
        for player in two.both:
            await player.look()
            assert player.doubles == []
        check_game(tmp_path, two)
        _each_mail_was_answered(two)


async def test_postfix_tells_the_writer_of_a_mail_to_an_address_that_is_nobodys(
    network: MailStack, tmp_path: Path
) -> None:
    """The same door with a service of another name behind it."""
    other = replace(network, tak="elsewhere@example.test")
    async with players(network) as two, Service(_config(tmp_path, other)) as service:
        await service.says("listening at")
        await two.ada.write("help", network.tak)
        await two.ada.read()
        assert "550 5.1.1 Nobody has that address here" in two.ada.letters[-1].as_string()
        assert await service.stopped() == 0


async def test_a_service_that_was_killed_leaves_no_socket_in_the_way(
    network: MailStack, tmp_path: Path
) -> None:
    config = _config(tmp_path, network)
    async with players(network) as two:
        async with Service(config) as service:
            await service.says("listening at")
            assert await service.stopped(signal.SIGKILL) == -signal.SIGKILL
        async with Service(config) as service:
            await service.says("listening at")
            await two.ada.write("help", network.tak)
            await two.ada.read()
            assert await service.stopped() == 0
