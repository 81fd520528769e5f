"""A game between real servers that let takmail in by OAuth 2 alone, while its tokens are revoked and rotated."""

import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from takmail.cli.demo.story import BEGINNING, GAME, Scene
from tests.mail.imap_script import imap_server
from tests.mail.smtp_script import smtp_server
from tests.stack.mailstack import MailStack
from tests.stack.service import Service, write_config
from tests.stack.test_play import Players, check_game, filed, players
from tests.support.token_server import CLIENT, SECRET, TokenServer

pytestmark = pytest.mark.stack

CUT = 4
"""The number of mails between two things that happen to the tokens."""


class Relay:
    """A port through which takmail reaches a server, so that its connections alone can be cut."""

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._writers: set[asyncio.StreamWriter] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[int]:
        """Yield the port."""
        listening = await asyncio.start_server(self._carry, "127.0.0.1")
        try:
            yield listening.sockets[0].getsockname()[1]
        finally:
            listening.close()
            self.cut()

    def cut(self) -> None:
        """End all connections, so that takmail has to log in anew."""
        for writer in self._writers:
            writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._server_port)
        self._writers |= {writer, far_writer}
        ways = [self._copy(reader, far_writer), self._copy(far_reader, writer)]
        await asyncio.gather(*ways, return_exceptions=True)
        self._writers -= {writer, far_writer}

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                writer.write(data)
        finally:
            writer.close()


class Setting:
    """The servers as takmail reaches them, its settings, and its provider."""

    def __init__(self, network: MailStack, relays: Sequence[Relay], config: Path) -> None:
        self.network = network
        self.config = config
        self._relays = relays

    @property
    def provider(self) -> TokenServer:
        return self.network.provider

    @property
    def token_file(self) -> Path:
        return self.config.with_name("takmail.token")

    def cut(self) -> None:
        for relay in self._relays:
            relay.cut()

    async def takmail(self, *words: str) -> tuple[int, str]:
        """Run a command; gives its exit code, and all that it says."""
        program = str(Path(sys.executable).with_name("takmail"))
        process = await asyncio.create_subprocess_exec(
            program,
            *words,
            "--config",
            str(self.config),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await process.communicate()
        return process.returncode or 0, said.decode()


@asynccontextmanager
async def setting(stack: MailStack, folder: Path, login: str, section: str = "") -> AsyncIterator[Setting]:
    """`login` are the lines for both servers in place of a password, and `section` is [oauth]."""
    network = stack.with_newcomers()
    relays = [Relay(network.imaps_port), Relay(network.submission_port)]
    async with relays[0].running() as imaps, relays[1].running() as submission:
        config = write_config(folder, replace(network, imaps_port=imaps, submission_port=submission))
        text = config.read_text().replace('password_file = "password"', f'auth = "oauth2"\n{login}')
        config.write_text(f"{text}\n{section}")
        config.chmod(0o600)
        network.provider.user = network.tak
        network.provider.life = 60
        yield Setting(network, relays, config)


Happening = Callable[[Service], Awaitable[None]]


async def play(here: Setting, folder: Path, happenings: Sequence[Happening]) -> None:
    """Play the whole game while these things happen, each after some mails; no letter may fail."""
    scenes: list[tuple[Scene, ...]] = [BEGINNING]
    scenes += [GAME[start : start + CUT] for start in range(0, len(GAME), CUT)]
    assert len(happenings) < len(scenes)
    async with Service(here.config) as service, players(here.network) as two:
        await service.says("reading INBOX")
        for number, part in enumerate(scenes):
            if 0 < number <= len(happenings):
                await happenings[number - 1](service)
            await two.play(part)
        await filed(here.network, sum(map(len, scenes)))
        assert await service.stopped() == 0
        await check(here, folder, two, service)


async def check(here: Setting, folder: Path, two: Players, service: Service) -> None:
    for player in two.both:
        await player.look()
        assert player.doubles == []
    check_game(folder, two)
    assert "Warning" not in service.log
    assert "Traceback" not in service.log
    assert not any(secret in service.log for secret in here.provider.secrets())


OAUTH = '[oauth]\nprovider = "{issuer}"\nclient_id = "{client}"\nclient_secret = "{secret}"\nscope = "mail"\n'


async def test_a_game_with_takmails_own_tokens(stack: MailStack, tmp_path: Path) -> None:
    provider = stack.provider
    section = OAUTH.format(issuer=provider.issuer, client=CLIENT, secret=SECRET)
    async with setting(stack, tmp_path, "", section) as here:
        provider.has_device, provider.rotates = True, False

        async def log_in() -> None:
            here.token_file.touch()
            here.token_file.chmod(0o644)
            code, said = await here.takmail("login")
            assert (code, "type the code ABCD-EFGH" in said) == (0, True), said
            assert f"log in as {here.network.tak}" in said
            assert not any(secret in said for secret in provider.secrets())

        async def revoked(_: Service) -> None:
            renewals = provider.renewals
            provider.revoke_access()
            here.cut()
            await until(lambda: provider.renewals > renewals)

        async def rotated(service: Service) -> None:
            provider.rotates = True
            here.token_file.chmod(0o644)
            await revoked(service)

        async def refused_once(service: Service) -> None:
            provider.refusals = [(503, "server_error"), (400, "temporarily_unavailable")]
            await revoked(service)
            await service.says("answered temporarily_unavailable")

        async def refused_for_good(service: Service) -> None:
            provider.revoke_all()
            here.cut()
            await service.says("invalid_grant")
            await service.says("run `takmail login`")
            code, said = await here.takmail("status")
            assert (code, "the login with OAuth 2 is refused; run `takmail login`" in said) == (
                1,
                True,
            ), said
            code, said = await here.takmail("check-config", "--connect")
            assert code == os.EX_CONFIG
            assert said.count("invalid_grant") == 2
            await log_in()
            code, said = await here.takmail("check-config", "--connect")
            assert code == 0, said

        await log_in()
        code, said = await here.takmail("check-config", "--connect")
        assert (code, said.splitlines()[0]) == (0, f"{here.config} is valid, and takmail can log in"), said
        await play(here, tmp_path, [revoked, rotated, refused_once, refused_for_good, revoked])
        assert stat.S_IMODE(here.token_file.stat().st_mode) == 0o600
        code, said = await here.takmail("status")
        assert (code, "OAuth" in said) == (0, False), said


async def test_a_game_with_the_tokens_of_a_program(stack: MailStack, tmp_path: Path) -> None:
    provider, token = stack.provider, tmp_path / "token"
    program = tmp_path / "print-token"
    program.write_text(f"#!/bin/sh\necho run >>{tmp_path}/runs\nexec cat {token}\n")
    program.chmod(0o700)
    async with setting(stack, tmp_path, 'token_command = ["./print-token"]\n') as here:

        def runs() -> int:
            return len((tmp_path / "runs").read_text().splitlines())

        async def renewed(_: Service) -> None:
            before = runs()
            provider.revoke_access()
            token.write_text(provider.new_access_token(here.network.tak))
            here.cut()
            await until(lambda: runs() > before)

        async def revoked(service: Service) -> None:
            provider.revoke_access()
            here.cut()
            await service.says("refused the login")
            await service.says("check `user`, and what `token_command` prints")
            code, said = await here.takmail("check-config", "--connect")
            assert code == os.EX_CONFIG
            assert "[imap] " in said
            assert "[smtp] " in said
            assert token.read_text() not in said
            token.write_text(provider.new_access_token(here.network.tak))

        async def failed(service: Service) -> None:
            kept = token.read_text()
            token.unlink()
            here.cut()
            await service.says("(token_command) ended with exit code 1; run it by hand")
            token.write_text(kept)

        token.write_text(provider.new_access_token(here.network.tak))
        await play(here, tmp_path, [renewed, revoked, failed, renewed])


async def test_servers_that_refuse_passwords_as_microsofts_do_lead_to_oauth(
    stack: MailStack, tmp_path: Path
) -> None:
    """What an operator sees first: a password is refused by both servers, and with what is advised a game is played."""
    refusals = {
        "LOGIN": "{tag} NO Basic authentication is disabled.\r\n* BYE Microsoft Exchange Server signing off.\r\n"
    }
    smtp_refusal = (
        "535 5.7.139 Authentication unsuccessful, basic authentication is disabled. [AM0.OUTLOOK.COM]\r\n"
    )
    provider = stack.provider
    section = OAUTH.format(issuer=provider.issuer, client=CLIENT, secret=SECRET)
    async with (
        imap_server(**refusals) as imap,
        smtp_server({"AUTH": smtp_refusal}) as smtp,
        setting(stack, tmp_path, "", section) as here,
    ):
        provider.has_device, provider.rotates = True, True
        wanted = here.config.read_text()
        login = f'host = "127.0.0.1"\ntls = "none"\nuser = "{here.network.tak}"\npassword = "secret"\n'
        here.config.write_text(
            f'[service]\naddress = "{here.network.tak}"\n'
            f"[imap]\nport = {imap.port}\n{login}[smtp]\nport = {smtp.port}\n{login}"
        )
        code, said = await here.takmail("check-config", "--connect")
        assert code == os.EX_CONFIG
        for name, line in zip(("imap", "smtp"), said.splitlines(), strict=True):
            assert line.startswith(f"{here.config}: [{name}] ")
            assert f'set auth = "oauth2" in [{name}] (docs/providers.md)' in line
            assert "`password`" not in line
        async with Service(here.config) as service:
            await service.says('set auth = "oauth2" in [imap]')
            assert await service.stopped() == 0
        here.config.write_text(wanted)
        assert (await here.takmail("login"))[0] == 0
        await play(here, tmp_path, [])


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not happened():  # noqa: ASYNC110 - another process tells nobody
            await asyncio.sleep(0.05)
