"""From the outbox to the mail server: each letter is claimed, handed over and noted, in that order."""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlmodel import Session

from takmail import events
from takmail.keeper import wipe
from takmail.mail.delays import GIVE_UP_AFTER, retry_delay
from takmail.mail.smtp import Failed, Later, Sender, Sent
from takmail.store import outbox
from takmail.store.database import Store
from takmail.store.tables import OutboxRow

log = logging.getLogger(__name__)

SERVER_AWAY = timedelta(seconds=30)
"""The pause for all letters when the server itself can't be reached."""

LONGEST_SEND = outbox.LEASE / 2
"""How long handing one letter over may take: it has to be settled before the lease on the letter ends."""

LOOK_AGAIN = timedelta(seconds=60)
"""How long a letter that another process has put into the outbox may go unnoticed."""


class Outbound:
    """The way out; `clock` gives UTC-aware datetimes, and `name` is whose claims on letters are whose.

    `came_back` is called, within the transaction that notes it, for a letter whose reader is not there.
    """

    def __init__(
        self,
        store: Store,
        sender: Sender,
        clock: Callable[[], datetime],
        name: str = outbox.SERVICE,
        *,
        came_back: Callable[[Session, OutboxRow, str], None] = lambda *_: None,
    ) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock
        self._name = name
        self._came_back = came_back
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._handed_over: tuple[OutboxRow, Sent | Later | Failed, float] | None = None

    def wake(self) -> None:
        """Say that there may be letters to send."""
        self._wake.set()

    def stop(self) -> None:
        """End `run` after the letter that is on its way."""
        self._stop.set()
        self._wake.set()

    def take_over(self) -> None:
        """Send again what a service that is gone had begun to send."""
        with self._store.transaction() as session:
            outbox.release(session, self._clock(), self._name)

    async def run(self) -> None:
        """Send letters as they come due, until stopped."""
        while not self._stop.is_set():
            self._wake.clear()
            if await self.send_due():
                await _happens(self._wake, self._pause())
            else:
                # A new letter is no reason to knock earlier at a door that is shut.
                await _happens(self._stop, SERVER_AWAY)
        self._settle()
        await self.close()

    async def close(self) -> None:
        """Hang up."""
        await self._sender.close()

    async def send_due(self) -> bool:
        """Send all that is due now; False if the server could not be reached."""
        self._settle()
        while not self._stop.is_set():
            with self._store.transaction() as session:
                letter = outbox.claim(session, self._clock(), self._name)
            if letter is None:
                return True
            started = time.perf_counter()
            result = await self._hand_over(letter)
            self._handed_over = (letter, result, (time.perf_counter() - started) * 1_000)
            self._settle()
            if isinstance(result, Later) and result.unreachable:
                return False
        return True

    async def _hand_over(self, letter: OutboxRow) -> Sent | Later | Failed:
        try:
            async with asyncio.timeout(LONGEST_SEND.total_seconds()):
                return await self._sender.send(letter.raw, letter.mail_from, letter.mail_to)
        except TimeoutError:
            return Later(f"not handed over within {LONGEST_SEND}", unreachable=True)
        except (
            Exception
        ) as error:  # the one broad net on the way out: no letter may keep the others from leaving
            log.exception("letter %s: handing it over raised", letter.id)
            return Failed(f"handing it over raised {type(error).__name__}: {error}")

    def _settle(self) -> None:
        """Note what became of the letter handed over last; kept for the next call if the database is busy."""
        if self._handed_over is not None:
            self._note(*self._handed_over)
            self._handed_over = None

    def _note(self, letter: OutboxRow, result: Sent | Later | Failed, ms: float) -> None:
        assert letter.id is not None
        now = self._clock()
        match result:
            # A server that lets nobody in is the operator's to mend, and no letter's fault.
            case Later(reason, unreachable=False) if now - letter.created_at > GIVE_UP_AFTER:
                result = Failed(f"given up after {GIVE_UP_AFTER.days} days: {reason}")
        with self._store.transaction() as session:
            match result:
                case Sent():
                    outbox.sent(session, letter.id)
                    log.info(
                        "letter %d: sent, %.1f ms", letter.id, ms, extra=events.of_letter(letter, "sent", ms)
                    )
                case Later(reason):
                    # Knocking at a shut door is no attempt: one 451 after it must not delay a letter for hours.
                    attempts = letter.attempts + (not result.unreachable)
                    delay = SERVER_AWAY if result.unreachable else retry_delay(attempts)
                    outbox.later(session, letter.id, now + delay, attempts, reason)
                    facts = events.of_letter(letter, "later", ms, reason)
                    log.warning("letter %d: not yet, again in %s: %s", letter.id, delay, reason, extra=facts)
                case Failed(reason, no_such_reader):
                    outbox.failed(session, letter.id, reason)
                    if no_such_reader:
                        self._came_back(session, outbox.get(session, letter.id), reason)
                    facts = events.of_letter(letter, "failed", ms, reason)
                    log.error("letter %d: refused for good: %s", letter.id, reason, extra=facts)

        if letter.is_fleeting:
            wipe(self._store, thoroughly=True)

    def _pause(self) -> timedelta:
        """How long it is until a letter is due."""
        with self._store.transaction() as session:
            due = outbox.next_due(session)
        return LOOK_AGAIN if due is None else min(max(due - self._clock(), timedelta(0)), LOOK_AGAIN)


async def _happens(event: asyncio.Event, within: timedelta) -> None:
    """Return when the event is set, and after a time at the latest."""
    try:
        async with asyncio.timeout(within.total_seconds()):
            await event.wait()
    except TimeoutError:
        pass
