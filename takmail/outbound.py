"""From the outbox to the mail server: each letter is claimed, handed over and noted, in that order."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from takmail.mail.delays import GIVE_UP_AFTER, retry_delay
from takmail.mail.smtp import Failed, Later, Sender, Sent
from takmail.store import outbox
from takmail.store.database import Store
from takmail.store.tables import OutboxRow

log = logging.getLogger(__name__)

SERVER_AWAY = timedelta(seconds=30)
"""The pause for all letters when the server itself can't be reached."""


class Outbound:
    """The way out; `clock` gives UTC-aware datetimes."""

    def __init__(self, store: Store, sender: Sender, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock
        self._wake = asyncio.Event()
        self._stopping = False

    def wake(self) -> None:
        """Say that there may be letters to send."""
        self._wake.set()

    def stop(self) -> None:
        """End `run` after the letter that is on its way."""
        self._stopping = True
        self._wake.set()

    def take_over(self) -> None:
        """Send again what a sender that is gone had begun to send."""
        with self._store.transaction() as session:
            outbox.release(session, self._clock())

    async def run(self) -> None:
        """Send letters as they come due, until stopped."""
        while not self._stopping:
            self._wake.clear()
            reached = await self.send_due()
            await self._pause(reached)
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        await self._sender.close()

    async def send_due(self) -> bool:
        """Send all that is due now; False if the server could not be reached."""
        while not self._stopping:
            with self._store.transaction() as session:
                letter = outbox.claim(session, self._clock())
            if letter is None:
                return True
            result = await self._sender.send(letter.raw, letter.mail_from, letter.mail_to)
            self._note(letter, result)
            if isinstance(result, Later) and result.unreachable:
                return False
        return True

    def _note(self, letter: OutboxRow, result: Sent | Later | Failed) -> None:
        assert letter.id is not None
        now = self._clock()
        if isinstance(result, Later) and now - letter.created_at > GIVE_UP_AFTER:
            result = Failed(f"given up after {GIVE_UP_AFTER.days} days: {result.reason}")
        with self._store.transaction() as session:
            match result:
                case Sent():
                    outbox.sent(session, letter.id)
                    log.info("letter %d: sent", letter.id)
                case Later(reason):
                    delay = SERVER_AWAY if result.unreachable else retry_delay(letter.attempts)
                    outbox.later(session, letter.id, now + delay, reason)
                    log.warning("letter %d: not yet, again in %s: %s", letter.id, delay, reason)
                case Failed(reason):
                    outbox.failed(session, letter.id, reason)
                    log.error("letter %d: refused for good: %s", letter.id, reason)

    async def _pause(self, reached: bool) -> None:
        """Wait until a letter is due or one has come; an unreachable server gets its full pause."""
        with self._store.transaction() as session:
            due = outbox.next_due(session)
        seconds = None if due is None else max(0.0, (due - self._clock()).total_seconds())
        if not reached:
            seconds = SERVER_AWAY.total_seconds()
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            pass
