"""From the outbox to the mail server: each letter is claimed, handed over and noted, in that order.

Several are on their way at once, each over a connection of its own. What the server has taken is noted, and the next
letters are claimed, in one commit for several letters, so that a crash may send a few of them once more.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from sqlmodel import Session

from takmail.commands.records import ReturnedLetter
from takmail.runtime import log_fields
from takmail.runtime.delivery_failures import Attempt, DeliveryFailures
from takmail.runtime.net.smtp import Failed, Later, Sender, Sent
from takmail.runtime.outages import Outages
from takmail.runtime.retention import wipe
from takmail.store import dispatch, inbox, leases, process_name
from takmail.store.database import Store
from takmail.store.dispatch import Claimed

log = logging.getLogger(__name__)

SERVER_AWAY = timedelta(seconds=30)
"""The pause for all letters when the server itself can't be reached."""

LONGEST_SEND = dispatch.LEASE / 2
"""How long handing one letter over may take: it has to be settled before the lease on the letter ends."""

LONGEST_WAIT = dispatch.LEASE / 4
"""How long a claimed letter may wait for a connection; then it is claimed anew, for a lease that is whole."""

LOOK_AGAIN = timedelta(seconds=1)
"""How long a letter that another process has put into the outbox may go unnoticed."""

LONGEST_PAUSE = timedelta(seconds=5)
"""How long the mails that come in wait at most for letters to leave."""

FEWER = timedelta(minutes=10)
"""How long takmail does with fewer connections where the server has refused one more."""

CLAIMED_AT_ONCE = 4
"""Letters for each connection: what one commit notes at most, and a crash sends once more at most."""


class DeliveryWorker:
    """The way out over one or more connections; `clock` gives UTC-aware datetimes, `name` is whose claims are whose.

    `came_back` is called, within the transaction that notes it, for a letter whose reader is not there.
    """

    def __init__(
        self,
        store: Store,
        senders: Sequence[Sender],
        clock: Callable[[], datetime],
        name: str = dispatch.SERVICE,
        *,
        came_back: Callable[[Session, ReturnedLetter, str], object] = lambda *_: None,
        is_gone: Callable[[str], bool] = process_name.is_gone,
        troubles: Outages | None = None,
    ) -> None:
        self._store = store
        self._senders = senders
        self._clock = clock
        self._untaken = DeliveryFailures(store, clock, came_back)
        self._name = name
        self._is_gone = is_gone
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._caught_up = asyncio.Event()
        self._caught_up.set()
        # The one used last comes first, so that no more connections are opened than are needed.
        self._free = list(reversed(senders))
        self._at_once = len(senders)
        self._refused_at = self._claimed_at = datetime.min.replace(tzinfo=UTC)
        self._is_shut = self._was_shut = False
        self._why_shut = ""
        self._troubles = troubles or Outages()
        self._ready: deque[Claimed] = deque()
        self._on_way: set[asyncio.Task[Attempt | None]] = set()
        self._handed_over: list[Attempt] = []

    def wake(self) -> None:
        """Say that there may be letters to send."""
        self._wake.set()

    def stop(self) -> None:
        """End `run` after the letters that are on their way."""
        self._stop.set()
        self._wake.set()

    def take_over(self) -> None:
        """Send again what was begun in this name before, and what those had begun who are gone."""
        with self._store.transaction() as session:
            dispatch.release(session, self._clock(), self._name)
        self.renew()

    def renew(self) -> None:
        """Say that this process is there, and free the letters and mails that those had in hand who are gone."""
        with self._store.transaction() as session:
            leases.is_here(session, self._name)
            for name in leases.gone(session, self._name, self._is_gone):
                dispatch.release(session, self._clock(), name)
                inbox.release(session, name)

    def leave(self) -> None:
        """Say that this sender is there no longer: what it still has in hand is for the others."""
        with self._store.transaction() as session:
            dispatch.release(session, self._clock(), self._name)
            leases.leaves(session, self._name)

    async def catch_up(self) -> None:
        """Wait until few letters are left that could leave now, or for some seconds."""
        await _happens(self._caught_up, LONGEST_PAUSE)

    async def run(self) -> None:
        """Send letters as they come due, until stopped."""
        while True:
            is_reached = await self.send_due()
            if self._stop.is_set():
                return
            if is_reached:
                await _happens(self._wake, self._pause())
            else:
                # A new letter is no reason to knock earlier at a door that is shut.
                await _happens(self._stop, SERVER_AWAY)

    async def close(self) -> None:
        """Hang up, and break off what is on its way."""
        for task in self._on_way:
            task.cancel()
        await asyncio.gather(*self._on_way, return_exceptions=True)
        self._on_way.clear()
        await asyncio.gather(*(sender.close() for sender in self._senders))

    async def send_due(self) -> bool:
        """Send all that is due now; False if the server could not be reached."""
        self._is_shut = False
        while True:
            self._wake.clear()
            self._keep_books()
            self._begin()
            if not self._on_way:
                if self._is_shut:
                    self._tell_shut()
                return not self._is_shut
            await self._wake.wait()

    def _keep_books(self) -> None:
        """Note the results of sending, and claim the next letters; what can't be noted now is noted later."""
        for task in [one for one in self._on_way if one.done()]:
            self._on_way.discard(task)
            if (attempt := task.result()) is not None:
                self._handed_over.append(attempt)
        now = self._clock()
        ends = self._stop.is_set() or self._is_shut
        is_late = abs(now - self._claimed_at) > LONGEST_WAIT  # the clock may be set back
        if len(self._on_way) >= self._most or (self._ready and not ends and not is_late):
            return
        self._note_trouble()
        taken = [one.letter for one in self._handed_over]
        with self._store.transaction() as session:
            is_gone = dispatch.sent(session, [letter.id for letter in taken])
            dispatch.give_back(session, self._ready, now)
            most = 1 if self._was_shut else len(self._senders) * CLAIMED_AT_ONCE
            claimed = [] if ends else dispatch.claim(session, now, self._name, most)
        if not self._was_shut:
            self._troubles.over("sending")
        for one in self._handed_over:
            facts = log_fields.of_letter(one.letter, "sent", one.ms)
            log.info("letter %d: sent, %.1f ms", one.letter.id, one.ms, extra=facts)
        self._handed_over.clear()
        self._ready, self._claimed_at = deque(claimed), now
        if len(claimed) < most:
            self._caught_up.set()
        else:
            self._caught_up.clear()
        if is_gone:
            wipe(self._store, thoroughly=True)

    def _begin(self) -> None:
        """Give each connection that has none a letter."""
        if abs(self._clock() - self._refused_at) > FEWER:
            self._at_once = len(self._senders)
        while self._ready and len(self._on_way) < self._most:
            task = asyncio.create_task(self._attempt(self._free.pop(), self._ready.popleft()))
            self._on_way.add(task)
            task.add_done_callback(lambda _: self._wake.set())

    @property
    def _most(self) -> int:
        """How many letters may be on their way; one is enough to see whether a door that was shut is open again."""
        return 1 if self._was_shut else self._at_once

    async def _attempt(self, sender: Sender, letter: Claimed) -> Attempt | None:
        """Hand one letter over; None: this connection was one too many, and the letter waits for another."""
        started = time.perf_counter()
        result = await self._hand_over(sender, letter)
        is_away = isinstance(result, Later) and result.unreachable
        open_ones = sum(one.is_connected for one in self._senders)
        if is_away and open_ones:
            self._at_once, self._refused_at = open_ones, self._clock()
            self._ready.appendleft(letter)
            self._free.insert(0, sender)
            return None
        if isinstance(result, Later) and is_away:
            self._is_shut, self._why_shut = True, result.reason
        self._was_shut = self._is_shut
        self._free.append(sender)
        return Attempt(letter, result, (time.perf_counter() - started) * 1_000)

    async def _hand_over(self, sender: Sender, letter: Claimed) -> Sent | Later | Failed:
        try:
            async with asyncio.timeout(LONGEST_SEND.total_seconds()):
                return await sender.send(letter.raw, letter.mail_from, letter.mail_to)
        except TimeoutError:
            return Later(f"not handed over within {LONGEST_SEND}")
        except (
            Exception
        ) as error:  # the one broad net on the way out: no letter may keep the others from leaving
            log.exception("letter %s: handing it over raised", letter.id)
            return Failed(f"handing it over raised {type(error).__name__}: {error}")

    def _note_trouble(self) -> None:
        """Note the letters that the server has not taken, each by itself."""
        for attempt in [one for one in self._handed_over if not isinstance(one.result, Sent)]:
            self._untaken.note(attempt, SERVER_AWAY)
            self._handed_over.remove(attempt)

    def _tell_shut(self) -> None:
        """Tell the operator that the server lets nobody in, at once and then seldom."""
        if not self._troubles.is_news("sending", self._why_shut):
            return
        with self._store.transaction() as session:
            count = dispatch.waiting(session)
        letters = "1 letter waits" if count == 1 else f"{count} letters wait"
        log.warning("sending stopped, again in %s: %s: %s", SERVER_AWAY, letters, self._why_shut)

    def _pause(self) -> timedelta:
        """How long it is until a letter is due."""
        with self._store.transaction() as session:
            due = dispatch.next_due(session)
        return LOOK_AGAIN if due is None else min(max(due - self._clock(), timedelta(0)), LOOK_AGAIN)


async def _happens(event: asyncio.Event, within: timedelta) -> None:
    """Return when the event is set, and after a time at the latest."""
    try:
        async with asyncio.timeout(within.total_seconds()):
            await event.wait()
    except TimeoutError:
        pass
