"""An outbox with a fixed clock, and a mail server with scripted answers."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from takmail.games.registry import GAMES
from takmail.runtime.delivery_worker import Delivery, DeliveryWorker
from takmail.runtime.disk_sync import DiskSync
from takmail.runtime.illustrator import Illustrator
from takmail.runtime.net.smtp import Failed, Later, Sent, SmtpSender
from takmail.runtime.process_lease import ProcessLease
from takmail.store import dispatch, process_name
from takmail.store.database import Store
from takmail.store.tables import OutboxRow
from tests.support import rows

AWAY = Later("nobody opens", unreachable=True)
Result = Sent | Later | Failed


@dataclass
class Server:
    """A mail server that gives scripted answers and accepts all other letters."""

    answers: list[Result | Exception] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    holding: bool = False
    knocked: asyncio.Event = field(default_factory=asyncio.Event)
    let_go: asyncio.Event = field(default_factory=asyncio.Event)
    is_connected: bool = False

    async def send(self, _raw: bytes, _mail_from: str, to: str) -> Result:
        self.asked.append(to)
        self.knocked.set()
        if self.holding:
            await self.let_go.wait()
        answer = self.answers.pop(0) if self.answers else Sent()
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def close(self) -> None:
        """Do nothing, as there is no connection to close."""


class NoDisk(DiskSync):
    """A disk that has everything at once, so that a test knows how many turns of the event loop a letter takes."""

    async def wait(self) -> None:
        """Return at once."""


class TakesLetters(Delivery):
    """A delivery worker that runs, as in a service, but sends nothing."""

    takes_letters = True


@dataclass
class Post:
    """An outbox whose clock changes only when a test changes it."""

    store: Store
    server: Server = field(default_factory=Server)
    now: datetime = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)

    def sender(
        self, name: str = dispatch.SERVICE, server: Server | None = None, connections: int = 1, **how: Any
    ) -> DeliveryWorker:
        """Return a sender with this number of connections to the server."""
        senders = [cast(SmtpSender, server or self.server)] * connections
        return DeliveryWorker(
            self.store, senders, Illustrator(GAMES), lambda: self.now, name, disk=NoDisk(self.store), **how
        )

    def lease(
        self, name: str = dispatch.SERVICE, is_gone: Callable[[str], bool] = process_name.is_gone
    ) -> ProcessLease:
        """Return the lease of a process."""
        return ProcessLease(self.store, lambda: self.now, name, is_gone)

    def letters(self, *readers: str) -> list[int]:
        with self.store.transaction() as session:
            return [
                rows.add_letter(session, rows.new_letter(f"{reader}@example.org", self.now))
                for reader in readers
            ]

    def state(self, letter: int) -> str:
        with self.store.transaction() as session:
            return str(session.get_one(OutboxRow, letter).state)
