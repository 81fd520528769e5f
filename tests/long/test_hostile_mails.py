"""A service with little memory, started again whenever it dies: no stranger's mail keeps it from anybody's answer.

`make long` prints how long the answers took; LONG_KILLS is how often the service is killed, SEED when.
"""

import asyncio
import os
import resource
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest
from sqlmodel import select

from takmail.store.database import Store
from takmail.store.tables import InboxRow
from takmail.world.kinds import MailState
from tests.support.databases import url_in
from tests.support.hostile import EVERY_KIND, STRANGER
from tests.support.network import ADA, BEN, TAK, Network, begin, bury, live

pytestmark = pytest.mark.long

ADDRESS_SPACE = 700 * 1024 * 1024
"""Bytes: what `ulimit -v 716800` leaves to the service and to each process that it starts."""
PATIENCE = 120
"""Seconds after which an answer that has not come is lost; a busy machine needs some of them."""
KILLS = int(os.environ.get("LONG_KILLS") or 300)
SEED = int(os.environ.get("SEED") or Random().randrange(1_000_000))


class Service:
    """`takmail serve` as systemd keeps it: with bounded memory, and started again when it has died."""

    def __init__(self, config: Path) -> None:
        self._config = config
        self._process: asyncio.subprocess.Process | None = None
        self.starts = 0
        self._is_started = asyncio.Event()

    async def run(self) -> None:
        """Start it again and again, until cancelled."""
        try:
            while True:
                self.starts += 1
                self._is_started.set()
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "takmail", "serve", "--config", str(self._config)),
                    stdout=asyncio.subprocess.DEVNULL,
                    stderr=asyncio.subprocess.DEVNULL,
                    preexec_fn=_bound,
                )
                await self._process.wait()
        finally:
            self.kill(signal.SIGTERM)
            if self._process is not None:
                await self._process.wait()

    async def started(self, starts: int) -> None:
        """Return when it has been started so many times."""
        while self.starts < starts:
            self._is_started.clear()
            await self._is_started.wait()

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the process that runs now, if one does."""
        with suppress(ProcessLookupError):
            if self._process is not None and self._process.returncode is None:
                self._process.send_signal(how)


def _bound() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[tuple[Network, Service, EmailMessage]]:
    """A service with a game that has begun, and Ada's newest letter, which she may answer."""
    async with live(folder) as game:
        app = await begin(game)
        await bury(app)
        letter = (await game.letters(ADA))[-1]
        config = folder / "config.toml"
        config.write_text(
            f"""
            [service]
            address = "{TAK}"
            key_file = "{folder / "takmail.key"}"
            [imap]
            host = "{game.system.host}"
            port = {game.system.imap_port}
            tls = "none"
            user = "{TAK}"
            password = "secret"
            [smtp]
            host = "{game.system.host}"
            port = {game.system.smtp_port}
            tls = "none"
            user = "{TAK}"
            password = "secret"
            [store]
            url = "{url_in(folder)}"
            """
        )
        config.chmod(0o600)
        service = Service(config)
        running = asyncio.create_task(service.run())
        try:
            yield game, service, letter
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


def rows(folder: Path) -> list[InboxRow]:
    store = Store.open_read_only(url_in(folder))
    try:
        with store.transaction() as session:
            return list(session.exec(select(InboxRow).order_by(InboxRow.id)))  # type: ignore[arg-type]
    finally:
        store.close()


def waits(folder: Path, mails: int) -> bool:
    """Whether so many mails are not all handled yet."""
    found = rows(folder)
    return len(found) < mails or any(row.state == MailState.NEW for row in found)


def asks(letter: EmailMessage, number: int) -> bytes:
    """Ada asks for the board, in answer to her letter."""
    mail = EmailMessage(policy=policy.SMTP)
    mail["From"], mail["To"], mail["Subject"] = f"Ada <{ADA}>", str(letter["Reply-To"]), "Re: Tak"
    mail["Message-ID"], mail["In-Reply-To"] = f"<ask.{number}@mail.example.org>", str(letter["Message-ID"])
    mail.set_content("rs\n")
    return mail.as_bytes()


def answered(raw: bytes) -> str:
    """The Message-ID that a letter answers."""
    return str(message_from_bytes(raw, policy=policy.default)["In-Reply-To"])


async def answers_to(game: Network, seen: int, number: int) -> int:
    """Wait for the answer to Ada's mail of this number; gives how many letters she has by then."""
    while True:
        letters = await game.system.mails(ADA)
        if any(answered(raw) == f"<ask.{number}@mail.example.org>" for raw in letters[seen:]):
            return len(letters)
        await game.system.next_mail(ADA, timeout=PATIENCE)


async def test_everybody_is_answered_whatever_a_stranger_sends(tmp_path: Path) -> None:
    async with served(tmp_path) as (game, service, letter):
        seen, took = len(await game.letters(ADA)), {}
        for number, kind in enumerate(EVERY_KIND):
            hostile = kind.mail().replace(STRANGER.encode(), f"stranger{number}@example.net".encode())
            await game.system.deliver(TAK, hostile, mail_from=f"stranger{number}@example.net")
            began = time.monotonic()
            await game.system.deliver(TAK, asks(letter, number), mail_from=ADA)
            seen = await answers_to(game, seen, number)
            took[str(kind)] = time.monotonic() - began
        while any(row.state == MailState.NEW for row in rows(tmp_path)):  # noqa: ASYNC110 - a database tells nobody
            await asyncio.sleep(0.2)
        print(f"\n{service.starts} starts; seconds to the answer behind each mail:")
        print("\n".join(f"  {seconds:5.2f}  {kind}" for kind, seconds in took.items()))
        ended = rows(tmp_path)
        assert [row.state for row in ended if row.sender == ADA].count(MailState.SHUNTED) == 0
        assert len(ended) == len({row.fingerprint for row in ended}), "each came once"
        assert len([row for row in ended if row.sender != ADA and row.sender != BEN]) == len(EVERY_KIND)
    assert service.starts == 1, "no mail has ended the service"


async def test_no_innocent_mail_is_shunted_however_often_the_service_is_killed(tmp_path: Path) -> None:
    rng = Random(SEED)
    print(f"\nSEED={SEED} LONG_KILLS={KILLS}")
    async with served(tmp_path) as (game, service, letter):
        number = hostile = 0
        while service.starts <= KILLS:
            for _ in range(2):
                await game.system.deliver(TAK, asks(letter, number), mail_from=ADA)
                number += 1
            if rng.random() < 0.1:
                kind, sender = rng.choice(EVERY_KIND), f"stranger{hostile}@example.net"
                mail = kind.mail().replace(STRANGER.encode(), sender.encode())
                await game.system.deliver(TAK, mail, mail_from=sender)
                hostile += 1
            starts = service.starts
            # At any moment from before it has loaded to after its work is done.
            await asyncio.sleep(rng.uniform(0.3, 2.5))
            service.kill()
            await service.started(starts + 1)
        async with asyncio.timeout(10 * PATIENCE):
            while waits(tmp_path, number + hostile):  # noqa: ASYNC110 - a database tells nobody
                await asyncio.sleep(0.5)
        innocent = [row for row in rows(tmp_path) if row.sender == ADA]
        print(f"{service.starts} starts, {number} mails, {hostile} hostile ones")
        assert {row.state for row in innocent} <= {MailState.ANSWERED, MailState.REJECTED}
        assert max(row.attempts for row in innocent) > 1, "some were claimed at a kill"
