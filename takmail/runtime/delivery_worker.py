"""Send the letters of the outbox: claim each letter, hand it to the mail server, and store the result.

Most letters come from this process's mail worker, which has stored them as claimed (`hand_over`). The others are
claimed in the outbox: those that were not due, that another letter to the same recipient preceded, that another
process stored, or that are of the last class. Letters of the last class are claimed only while no letter waits for a
connection, and few at once, so that letters of the other classes never wait behind many of them.

A letter is sent only when the disk has its claim, and all that led to it. Several letters are sent at once, each over a
connection of its own. One commit stores which letters the server has accepted. After a crash a few letters may
therefore be sent twice.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from operator import attrgetter

from sqlmodel import Session

from takmail.limits.letters import UNLIMITED, SendingLimits
from takmail.runtime import log_fields
from takmail.runtime.delivery_failures import Attempt, DeliveryFailures, SendingThrottle
from takmail.runtime.disk_sync import DiskSync
from takmail.runtime.illustrator import Illustrator
from takmail.runtime.mailbox_guard import MailboxGuard
from takmail.runtime.net.smtp import Failed, Later, Sent, SmtpSender
from takmail.runtime.outages import SENDING, Outages, checkpoint, wait_for
from takmail.store import dispatch, outbox
from takmail.store.database import Store
from takmail.store.dispatch import Claimed
from takmail.store.machine_time import TimeSource
from takmail.world import DeliveryClass, LetterState, ReturnedLetter

log = logging.getLogger(__name__)

SERVER_RETRY = timedelta(seconds=30)
"""The pause of all sending when the server can't be reached."""

LONGEST_SEND = dispatch.LEASE / 2
"""The maximum time to hand over one letter. Its result has to be stored before the lease on the letter ends."""

LONGEST_WAIT = dispatch.LEASE / 4
"""The maximum time that a claimed letter waits for a connection. After that it is released and claimed again."""

LOOK_AGAIN = timedelta(seconds=1)
"""The maximum time until a letter that another process has stored in the outbox is noticed."""

LONGEST_PAUSE = timedelta(seconds=5)
"""The maximum time that incoming mails wait for letters to be sent."""

FEWER_CONNECTIONS = timedelta(minutes=10)
"""How long fewer connections are used after the server has refused one."""

CLAIMED_AT_ONCE = 4
"""The number of letters for each connection that are claimed at once, and whose acceptance is stored at once.

A crash can send these and the letters in transit a second time.
"""

OTHERS_AT_ONCE = 4
"""The number of letters of the last class that are claimed at once."""

MAX_WAITING = 100
"""The number of claimed letters that wait above which new ones are left unclaimed."""


class Delivery:
    """What those who store letters ask of the one who sends them. By itself it sends nothing."""

    @property
    def takes_letters(self) -> bool:
        """Whether letters may be stored as claimed by this process, to be handed over."""
        return False

    def hand_over(self, letters: Sequence[Claimed]) -> None:
        """Send letters that a committed transaction has stored as claimed by this process."""

    def wake(self) -> None:
        """Look for letters of the outbox to send."""

    async def catch_up(self) -> None:
        """Wait until few due letters are left."""


class DeliveryWorker(Delivery):
    """Sends letters over one or more connections. `limits` says how many may leave.

    `illustrator` draws the letters' pictures. `disk` syncs the disk before letters leave. `name` is this process's name
    in claims. `came_back` is called for a letter whose recipient does not exist, in the transaction that stores its
    failure.
    """

    def __init__(
        self,
        store: Store,
        senders: Sequence[SmtpSender],
        illustrator: Illustrator,
        time_source: TimeSource,
        name: str = dispatch.SERVICE,
        *,
        came_back: Callable[[Session, ReturnedLetter, str], object] = lambda *_: None,
        outages: Outages | None = None,
        disk: DiskSync | None = None,
        limits: SendingLimits = UNLIMITED,
    ) -> None:
        self._store = store
        self._senders = senders
        self._illustrator = illustrator
        self._disk = disk or DiskSync(store)
        self._now = time_source
        self._failures = DeliveryFailures(store, time_source, came_back)
        self._name = name
        self._wake = asyncio.Event()
        self._stop = asyncio.Event()
        self._caught_up = asyncio.Event()
        self._caught_up.set()
        # The connection that was used last is used first, so that no more connections are opened than needed.
        self._free = list(reversed(senders))
        self._usable = len(senders)
        self._refused_at = datetime.min.replace(tzinfo=UTC)
        self._limits = limits
        self.guard: MailboxGuard | None = None
        """Forbids letters while another database's service may read the mailbox."""
        self._throttle = SendingThrottle()
        self._outages = outages or Outages()
        self._is_running = False
        # Whether the outbox may have due letters that nobody has claimed, when it was last searched for them, and
        # whether it then had more than were claimed.
        self._may_be_due = True
        self._searched_at = -LOOK_AGAIN.total_seconds()
        self._is_behind = False
        self._unsynced: list[Claimed] = []
        self._sync: asyncio.Task[None] | None = None
        self._ready: deque[Claimed] = deque()
        self._in_transit: set[asyncio.Task[Attempt | None]] = set()
        self._accepted: list[Claimed] = []
        self._failed: deque[Attempt] = deque()

    @property
    def takes_letters(self) -> bool:
        few = len(self._ready) + len(self._unsynced) < MAX_WAITING
        return (
            self._is_running
            and few
            and self._limits == UNLIMITED
            and not self._throttle.is_slow
            and not self._claims_none
        )

    @property
    def is_blocked(self) -> bool:
        """Whether no letter can leave: the server can't be reached, refuses the login or has a limit on our sending."""
        return self._throttle.is_blocked(self._now())

    def hand_over(self, letters: Sequence[Claimed]) -> None:
        self._unsynced.extend(letters)
        self._wake.set()

    def wake(self) -> None:
        self._may_be_due = True
        self._wake.set()

    def stop(self) -> None:
        """Make `run` return after the letters in transit."""
        self._stop.set()
        self._wake.set()

    async def catch_up(self) -> None:
        """Wait until few due letters are left, but at most LONGEST_PAUSE."""
        await wait_for(self._caught_up, LONGEST_PAUSE)

    async def run(self) -> None:
        """Send each letter when it is due, until `stop` is called."""
        self._is_running = True
        try:
            while True:
                await self._send_all()
                if self._stop.is_set():
                    return
                pause = self._throttle.remaining(self._now())
                await wait_for(self._wake, min(pause or LOOK_AGAIN, LOOK_AGAIN))
        finally:
            self._is_running = False

    async def close(self) -> None:
        """Cancel the letters in transit and close the connections."""
        tasks = [*self._in_transit, *([] if self._sync is None else [self._sync])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._in_transit.clear()
        await asyncio.gather(*(sender.close() for sender in self._senders))

    async def send_due(self) -> bool:
        """Send all letters that may leave now. Return False if sending pauses."""
        self._may_be_due = True
        return await self._send_all()

    async def _send_all(self) -> bool:
        """Send the letters that are claimed, and those that are due. Return False if sending pauses."""
        while True:
            self._wake.clear()
            self._collect()
            self._release()
            self._store_and_claim()
            self._start_sync()
            self._start_sending()
            self._set_caught_up()
            if not self._in_transit and self._sync is None:
                return not self._throttle.remaining(self._now())
            await self._wake.wait()

    @property
    def _claims_none(self) -> bool:
        is_shut = self.guard is not None and not self.guard.may_claim
        return self._stop.is_set() or is_shut or bool(self._throttle.remaining(self._now()))

    def _collect(self) -> None:
        """Note the results of the letters that are no longer in transit, and the end of a sync."""
        for task in [task for task in self._in_transit if task.done()]:
            self._in_transit.discard(task)
            attempt = task.result()
            if attempt is None:
                continue
            if isinstance(attempt.result, Sent):
                letter = attempt.letter
                facts = log_fields.of_letter(letter, "sent", attempt.ms)
                log.info("letter %d: sent, %.1f ms", letter.id, attempt.ms, extra=facts)
                self._accepted.append(letter)
            else:
                self._failed.append(attempt)
        if self._sync is not None and self._sync.done():
            ended, self._sync = self._sync, None
            ended.result()

    def _release(self) -> None:
        """Release claimed letters that can't be sent now, or that have waited for too long."""
        now = self._now()
        # If one at a time is tried, it is chosen among all letters.
        are_kept = not self._claims_none and not (self._throttle.is_slow and len(self._ready) > 1)
        # `abs`, as the clock may be set back.
        kept = [letter for letter in self._ready if are_kept and abs(now - letter.claimed_at) <= LONGEST_WAIT]
        if len(kept) < len(self._ready):
            with self._store.transaction() as session:
                dispatch.unclaim(
                    session, [letter for letter in self._ready if letter not in kept], now, self._name
                )
            self._ready, self._may_be_due = deque(kept), True

    def _store_and_claim(self) -> None:
        """Store results, and claim due letters of the outbox. Results that can't be stored now are stored later."""
        self._store_failures()
        is_idle = len(self._in_transit) < self._max_in_transit and not self._ready
        is_time = time.monotonic() - self._searched_at >= LOOK_AGAIN.total_seconds()
        searches = not self._claims_none and (is_time or (is_idle and self._may_be_due))
        at_once = len(self._senders) * CLAIMED_AT_ONCE
        if not searches and not (self._accepted and (is_idle or len(self._accepted) >= at_once)):
            return
        most = 1 if self._throttle.is_slow else at_once
        most_others = 0 if self._ready or self._unsynced else OTHERS_AT_ONCE
        # A sync follows before the claimed letters are sent.
        with self._store.transaction(durable=False) as session:
            is_purged = dispatch.sent(session, [letter.id for letter in self._accepted])
            claimed: list[Claimed] = []
            for avoided in self._throttle.avoided if searches else ():
                claimed = claimed or dispatch.claim(
                    session, self._now(), self._name, most, most_others, self._limits, avoided
                )
        if not self._throttle.is_slow:
            self._outages.resumed(SENDING)
        self._accepted.clear()
        if searches:
            self._unsynced.extend(claimed)
            self._searched_at = time.monotonic()
            # A letter that has not left may be followed by others to the same recipient.
            others = bool(self._in_transit or self._ready or self._unsynced)
            self._may_be_due = bool(claimed) or (self._may_be_due and others)
            # Mails need not wait for letters of the last class, as those don't delay the letters to players.
            self._is_behind = sum(letter.delivery_class < DeliveryClass.OTHERS for letter in claimed) == most
        if is_purged:
            checkpoint(self._store)

    def _set_caught_up(self) -> None:
        """Note whether more letters wait than leave soon. While none can leave, nobody has to wait for them."""
        if self._claims_none or not (
            self._is_behind or len(self._ready) + len(self._unsynced) > MAX_WAITING // 2
        ):
            self._caught_up.set()
        else:
            self._caught_up.clear()

    def _start_sync(self) -> None:
        """Start to wait for the disk, if letters need it. While others can be sent, more gather for one sync."""
        if self._unsynced and self._sync is None and len(self._ready) < len(self._senders):
            self._sync = asyncio.create_task(self._synced())
            self._sync.add_done_callback(lambda _: self._wake.set())

    async def _synced(self) -> None:
        """Wait until the claims of letters are on disk, so that they can be sent."""
        letters = len(self._unsynced)
        await self._disk.wait()
        ready = [*self._ready, *self._unsynced[:letters]]
        self._ready = deque(sorted(ready, key=attrgetter("delivery_class")))
        del self._unsynced[:letters]

    def _start_sending(self) -> None:
        """Start sending a letter over each free connection."""
        if abs(self._now() - self._refused_at) > FEWER_CONNECTIONS:
            self._usable = len(self._senders)
        if self._ready and self.guard is not None and not self.guard.may_send:
            self.guard.ask()
            return
        while self._ready and len(self._in_transit) < self._max_in_transit:
            task = asyncio.create_task(self._attempt(self._free.pop(), self._ready.popleft()))
            self._in_transit.add(task)
            task.add_done_callback(lambda _: self._wake.set())

    @property
    def _max_in_transit(self) -> int:
        """Return the maximum number of letters in transit."""
        return 1 if self._throttle.is_slow else self._usable

    async def _attempt(self, sender: SmtpSender, letter: Claimed) -> Attempt | None:
        """Hand one letter to the server. If the server refuses the connection, return None: the letter waits again."""
        started, was_alone = time.perf_counter(), self._throttle.is_slow
        result = await self._send(sender, letter)
        is_away = isinstance(result, Later) and result.unreachable and not sender.is_connected
        open_ones = sum(sender.is_connected for sender in self._senders)
        if is_away and open_ones:
            self._usable, self._refused_at = open_ones, self._now()
            self._ready.appendleft(letter)
            self._free.insert(0, sender)
            return None
        pause = self._throttle.note(letter.mail_to, result, self._now(), SERVER_RETRY, was_alone=was_alone)
        self._free.append(sender)
        return Attempt(letter, result, (time.perf_counter() - started) * 1_000, pause)

    async def _send(self, sender: SmtpSender, letter: Claimed) -> Sent | Later | Failed:
        try:
            async with asyncio.timeout(LONGEST_SEND.total_seconds()):
                return await sender.send(
                    await self._illustrator.with_pictures(letter), letter.mail_from, letter.mail_to
                )
        except TimeoutError:
            return Later(f"not handed over within {LONGEST_SEND}")
        except Exception as error:  # one letter must not keep the others from being sent
            log.exception("letter %d: sending failed with an exception", letter.id)
            return Failed(f"sending failed with {type(error).__name__}: {error}")

    def _store_failures(self) -> None:
        """Store the results of letters that the server did not accept, each in a transaction of its own."""
        while self._failed:
            attempt = self._failed[0]
            self._failures.note(attempt)
            self._failed.popleft()
            if attempt.pause is not None and isinstance(attempt.result, Later):
                self._log_pause(attempt.pause, attempt.result)

    def _log_pause(self, pause: timedelta, why: Later) -> None:
        """Log that no letter can be sent, unless this was logged recently."""
        # Each answer about a limit may have other numbers in it.
        if not self._outages.should_log(SENDING, "a limit on sending" if why.is_limit else why.reason):
            return
        with self._store.transaction() as session:
            count = outbox.count(session, [LetterState.QUEUED])
        letters = "1 letter waits" if count == 1 else f"{count} letters wait"
        log.warning("delivery stopped; retrying in %s: %s: %s", pause, letters, why.reason)
