"""The verbs that talk to servers: check-config --connect, and serve as a process of its own."""

import asyncio
import os
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from itertools import chain
from pathlib import Path

import pytest
from click.testing import Result

from tests.support.command_line import TAK, config_file, takmail
from tests.support.cost import PATIENCE
from tests.support.forked import Forked, takmail_begun
from tests.support.mail_system import MailSystem
from tests.support.players import parsed

ADA, BEN = "ada@example.org", "ben@example.org"
SECRET = "a-secret-of-the-test"


@pytest.fixture
async def system() -> AsyncIterator[MailSystem]:
    async with MailSystem({TAK: SECRET, ADA: "other", BEN: "other"}) as running:
        yield running


async def connected(file: Path) -> Result:
    """`check-config --connect` in a thread, as the mail system needs this one's loop."""
    return await asyncio.to_thread(takmail, "check-config", "--config", file, "--connect")


async def test_both_servers_let_takmail_in(system: MailSystem, tmp_path: Path) -> None:
    file = config_file(tmp_path, system.imap_port, system.smtp_port, SECRET)
    result = await connected(file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[0] == f"{file} is valid, and takmail can log in"


async def test_a_wrong_password_is_told_of_both_servers_and_not_shown(
    system: MailSystem, tmp_path: Path
) -> None:
    file = config_file(tmp_path, system.imap_port, system.smtp_port, "not-it-at-all")
    result = await connected(file)
    assert (result.exit_code, result.stdout) == (os.EX_CONFIG, "")
    imap, smtp = result.stderr.splitlines()
    assert imap.startswith(f"{file}: [imap] ")
    assert smtp.startswith(f"{file}: [smtp] 127.0.0.1:{system.smtp_port}: the login of {TAK} was refused")
    assert "not-it-at-all" not in result.stderr


async def test_servers_that_are_away_are_both_told(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    result = await connected(file)
    assert (result.exit_code, result.stdout) == (os.EX_CONFIG, "")
    imap, smtp = result.stderr.splitlines()
    assert imap.startswith(f"{file}: [imap] ")
    assert smtp.startswith(f"{file}: [smtp] 127.0.0.1:1: ")


async def test_one_server_that_is_away_does_not_hide_the_other(system: MailSystem, tmp_path: Path) -> None:
    result = await connected(config_file(tmp_path, 1, system.smtp_port, SECRET))
    assert result.exit_code == os.EX_CONFIG
    assert len(result.stderr.splitlines()) == 1
    assert "[imap]" in result.stderr


async def test_ports_that_are_mixed_up_are_told_with_what_answers_there(
    system: MailSystem, tmp_path: Path
) -> None:
    result = await connected(config_file(tmp_path, system.smtp_port, system.imap_port, SECRET))
    assert result.exit_code == os.EX_CONFIG
    imap, smtp = result.stderr.splitlines()
    assert re.search(r'the server greeted with "220 .*", so it isn\'t IMAP; check `port` in \[imap\]$', imap)
    assert re.search(r'the server answered "\* OK .*", so it isn\'t SMTP; check `port` in \[smtp\]$', smtp)


class Serving:
    """`takmail serve` in a process of its own, with all that it has said on stderr."""

    def __init__(self, process: Forked) -> None:
        self._process = process
        self.said = ""

    async def says(self, *words: str) -> None:
        """Wait for lines with these words, in any order."""
        left = {*words}
        async with asyncio.timeout(PATIENCE):
            while line := (await self._process.stderr.readline()).decode():
                self.said += line
                left -= {one for one in left if one in line}
                if not left:
                    return
        raise AssertionError(f"it never said {left}, but: {self.said}")

    async def ends(self, number: signal.Signals) -> int:
        """Send a signal and wait for the end; gives the exit code."""
        self._process.send_signal(number)
        async with asyncio.timeout(PATIENCE):
            self.said += (await self._process.stderr.read()).decode()
            return await self._process.wait()


@asynccontextmanager
async def serving(file: Path) -> AsyncIterator[Serving]:
    process = await takmail_begun("serve", "--config", file)
    try:
        yield Serving(process)
    finally:
        process.kill()
        await process.wait()


async def write(system: MailSystem, text: str, to: str = TAK, sender: str = ADA) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, "Tak"
    mail["Message-ID"] = f"<{len(text)}@mail.example.org>"
    mail.set_content(text)
    await system.deliver(TAK, mail.as_bytes(), sender)


async def invite(system: MailSystem, whom: str) -> bytes:
    """Ada asks somebody to a game, and says that it is her who asks; gives the letter that wanted to know."""
    await write(system, f"new 5 vs {whom}")
    question = await system.next_mail(ADA, PATIENCE)
    await write(system, "yes", to=parsed(question)["Reply-To"].addresses[0].addr_spec)
    return question


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_serve_answers_and_ends_with_0_when_told(
    system: MailSystem, tmp_path: Path, number: signal.Signals
) -> None:
    async with serving(config_file(tmp_path, system.imap_port, system.smtp_port, SECRET)) as service:
        await service.says("reading INBOX")
        await invite(system, BEN)
        # The answer may leave before the invitation.
        await service.says("letter 2: sent", "letter 3: sent")
        assert await service.ends(number) == 0
        assert service.said.endswith("INFO stopped\n")
    assert (len(await system.mails(ADA)), len(await system.mails(BEN))) == (2, 1)


async def test_the_log_holds_no_players_address_no_token_and_no_password(
    system: MailSystem, tmp_path: Path
) -> None:
    stranger = "nobody-at-home@example.org"
    async with serving(config_file(tmp_path, system.imap_port, system.smtp_port, SECRET)) as service:
        await service.says("reading INBOX")
        # The server's answer to a letter for nobody quotes the address.
        question = await invite(system, stranger)
        await service.says("letter 2: refused for good", "letter 3: sent")
        answer = await system.next_mail(ADA, PATIENCE)
        assert await service.ends(signal.SIGTERM) == 0
    tokens = [
        re.findall(r"(?:\d|me|stop)\.([a-z2-7]{16})\b", letter.decode()) for letter in (question, answer)
    ]
    assert all(tokens)
    for private in (stranger, ADA, BEN, SECRET, *chain(*tokens)):
        assert private not in service.said
    assert "User unknown" in service.said


async def test_serve_goes_on_while_both_servers_are_away(tmp_path: Path) -> None:
    async with serving(config_file(tmp_path)) as service:
        await service.says("mailbox polling stopped; retrying in")
        assert await service.ends(signal.SIGTERM) == 0
        assert "Traceback" not in service.said


async def test_serve_warns_of_a_password_that_others_can_read(tmp_path: Path) -> None:
    file = config_file(tmp_path)
    file.chmod(0o644)
    async with serving(file) as service:
        await service.says("mailbox polling stopped; retrying in")
        assert await service.ends(signal.SIGTERM) == 0
    assert f"WARNING [imap] password: others can read it in {file}; run `chmod 600 {file}`\n" in service.said


@pytest.mark.sqlite("a file that can't be opened")
async def test_check_config_names_a_database_that_cannot_be_opened(
    system: MailSystem, tmp_path: Path
) -> None:
    store = f'[store]\nurl = "sqlite:///{tmp_path}/none/takmail.sqlite"\n'
    result = await connected(config_file(tmp_path, system.imap_port, system.smtp_port, SECRET, more=store))
    assert result.exit_code == os.EX_CONFIG
    assert "unable to open database file" in result.stderr


def _lmtp_problems(tmp_path: Path, more: str) -> list[str]:
    """What check-config --connect finds wrong about where LMTP is listened for."""
    result = takmail("check-config", "--config", config_file(tmp_path, more=more), "--connect")
    return [line.partition("[lmtp] ")[2] for line in result.stderr.splitlines() if "[lmtp]" in line]


def test_a_place_where_no_service_can_listen_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    assert _lmtp_problems(tmp_path, '[lmtp]\nsocket = "lmtp.sock"\n') == []
    (told,) = _lmtp_problems(tmp_path, '[lmtp]\nsocket = "none/lmtp.sock"\n')
    assert told.startswith(
        f"{tmp_path}/none/lmtp.sock: its folder does not exist; below /run, systemd creates it"
    )
    (told,) = _lmtp_problems(tmp_path, '[lmtp]\nsocket = "file"\n')
    assert told == f"{tmp_path}/file: a file exists there that is not a socket"


async def test_a_port_is_free_or_a_takmails_or_told(system: MailSystem, tmp_path: Path) -> None:
    more = f"[lmtp]\nport = {system.smtp_port}\n"
    (told,) = await asyncio.to_thread(_lmtp_problems, tmp_path, more)
    assert told == f"port {system.smtp_port} of 127.0.0.1: another program listens there"
    port = system.smtp_port
    await system.stop()
    assert await asyncio.to_thread(_lmtp_problems, tmp_path, more) == []
    async with serving(config_file(tmp_path, more=f"[lmtp]\nport = {port}\n")) as service:
        await service.says("listening at")
        assert await asyncio.to_thread(_lmtp_problems, tmp_path, more) == []
        assert await service.ends(signal.SIGTERM) == 0


async def test_a_second_service_leaves_the_socket_to_the_first_while_that_one_runs(
    system: MailSystem, tmp_path: Path
) -> None:
    lmtp = '[lmtp]\nsocket = "lmtp.sock"\n'
    file = config_file(tmp_path, system.imap_port, system.smtp_port, SECRET, more=lmtp)
    async with serving(file) as service:
        await service.says("reading INBOX")
        async with serving(file) as second:
            await second.says(f"another takmail listens at {tmp_path}/lmtp.sock")
            assert await second.ends(signal.SIGTERM) == 0
            assert (tmp_path / "lmtp.sock").exists()
        assert await service.ends(signal.SIGTERM) == 0
        assert not (tmp_path / "lmtp.sock").exists()
