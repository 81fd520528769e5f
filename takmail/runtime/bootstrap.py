"""Build the service's parts from the settings, and start and stop them (the composition root)."""

import asyncio
import logging
import signal
import sqlite3
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

from takmail.config import Settings
from takmail.runtime import parts
from takmail.runtime.bot_worker import BotWorker
from takmail.runtime.delivery_worker import DeliveryWorker
from takmail.runtime.disk_sync import DiskSync
from takmail.runtime.fair_queue import FairQueue
from takmail.runtime.illustrator import Illustrator
from takmail.runtime.imap_poller import ImapPoller
from takmail.runtime.leader_lease import LeaderLease
from takmail.runtime.lmtp_listener import LmtpListener
from takmail.runtime.lmtp_receiver import LmtpReceiver
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.mailbox_guard import MailboxGuard, MailboxTaken, while_ours
from takmail.runtime.net.imap import CommandRefused, LoginRefused, Mailbox, MailboxLost
from takmail.runtime.net.smtp import SmtpSender
from takmail.runtime.outages import READING, SENDING, Outages, backoff, first_line, wait_for
from takmail.runtime.process_lease import ProcessLease
from takmail.runtime.rating_worker import RatingWorker
from takmail.runtime.scheduler import AT_ONCE, PASS_EVERY, READ_EVERY, Retention, Scheduler
from takmail.store import leases, marker, process_name
from takmail.store.causes import Causes
from takmail.store.database import UNAVAILABLE, is_damage
from takmail.store.due import Lane
from takmail.store.leases import Stopped
from takmail.store.machine_time import TimeSource, utc_now

log = logging.getLogger(__name__)

LAST_SECONDS = 10
"""The maximum number of seconds that a stop waits for letters and LMTP mails in transit."""

WORK_OFF_SECONDS = 60
"""The maximum number of seconds that `deliver` sends letters, and begins to think about tasks.

The mail server that started it waits for its exit.
"""

TAKEN = timedelta(minutes=1)
"""The longest pause until it is looked again whether the mailbox is this database's."""

_WHY_CHARS = 300
"""The maximum number of characters that are stored of the reason why a task has stopped."""

DATABASE_AWAY = timedelta(seconds=5)
"""The pause of a task after the database was locked or unreachable."""


class App:
    """The service with all its parts. `serve` runs until stopped. `work_off` handles what is pending and returns."""

    def __init__(
        self, settings: Settings, time_source: TimeSource = utc_now, *, upgrades: bool = False
    ) -> None:
        """Open the database, load the keys and build the parts. `upgrades` allows to upgrade an older database.

        Raises ConfigError, CannotUse and SQLAlchemy's errors.
        """
        self.settings = settings
        self._outages = Outages()
        self._has_checked_pages = False
        self.mailbox = (
            Mailbox(parts.imap_account(settings.imap, settings.oauth, time_source)) if settings.imap else None
        )
        smtp = parts.smtp_account(settings.smtp, settings.oauth, time_source)
        self._senders = [SmtpSender(smtp) for _ in range(settings.smtp.connections)]
        self.store, key = parts.opened(settings, time_source, upgrades=upgrades)
        self.services = parts.services(settings, key)
        self.causes = Causes(self.services, time_source)
        self.illustrator = Illustrator(self.services.games)
        self._disk = DiskSync(self.store)
        self._name = name = process_name.new_name()
        self.process_lease = ProcessLease(self.store, self.causes.now, name)
        self.delivery_worker = self._delivery_worker(name)
        self.mail_worker = MailWorker(
            self.store,
            self.causes,
            delivery=self.delivery_worker,
            name=name,
            on_tasks=self._wake_bots,
        )
        self._engines = {engine.name: engine for engine in parts.engines(settings)}
        self.bot_workers = self._bot_workers(name)
        self.guard = self._mailbox_guard(name)
        self.poller = self._poller()
        self._mailbox_lease = LeaderLease(self.store, marker.READING, name)
        # At most one `deliver` thinks, as each one takes a processor.
        self._thinking_lease = LeaderLease(self.store, "thinking", name)
        self.lmtp_socket = (
            LmtpReceiver(self.mail_worker).door(parts.lmtp_place(settings.lmtp), self.services)
            if settings.lmtp
            else None
        )
        self.retention = Retention(self.store, self.causes, settings.store.keep_mail_days)
        account = None if self.mailbox is None else self.mailbox.account
        self.scheduler = Scheduler(self.store, self.causes, self.delivery_worker, name, account)
        self.rating_worker = RatingWorker(self.store, self.causes.now, settings.store.url, name)

    def _bot_worker(self, name: str, queue: FairQueue) -> BotWorker:
        return BotWorker(self.store, self.causes, self.delivery_worker, name, queue, self._engines)

    def _wake_bots(self) -> None:
        for worker in self.bot_workers:
            worker.wake()

    def _delivery_worker(self, name: str) -> DeliveryWorker:
        return DeliveryWorker(
            self.store,
            self._senders,
            self.illustrator,
            self.causes.now,
            name,
            came_back=self.causes.refused_letter,
            outages=self._outages,
            disk=self._disk,
            limits=self.settings.smtp.limits,
        )

    def _mailbox_guard(self, name: str) -> MailboxGuard | None:
        """Return what guards the mailbox, if there is one. It looks at the marker whenever the mailbox is opened."""
        if self.mailbox is None:
            return None
        guard = MailboxGuard(
            self.store,
            self.mailbox.account,
            name,
            self.services.templates,
            self.causes.now,
            address=self.settings.service.address,
            place=self.settings.store.shown,
            on_trust=self.delivery_worker.wake,
        )
        self.mailbox.before_reading = guard.open
        return guard

    def _bot_workers(self, name: str) -> list[BotWorker]:
        slow = FairQueue(Lane.SLOW, self.settings.bots.at_once)
        return [
            # What takes less than a second never waits for what takes long.
            self._bot_worker(f"{name} quick", FairQueue(Lane.QUICK)),
            *(self._bot_worker(f"{name} {number}", slow) for number in range(self.settings.bots.at_once)),
        ]

    def _poller(self) -> ImapPoller:
        imap = self.settings.imap
        return ImapPoller(
            self.store,
            self.causes,
            self.mail_worker,
            all_at_first=imap is not None and imap.first_start == "all",
            disk=self._disk,
            guard=self.guard,
        )

    async def serve(self, stop: asyncio.Event | None = None) -> None:
        """Run all tasks until `stop` is set or SIGTERM or SIGINT arrives. Raises CannotListen."""
        stop = stop or stop_on_signals()
        # Open the socket first, so that a wrong address ends the start with an error.
        listener = LmtpListener(self.lmtp_socket, self._outages)
        is_open = await listener.open()
        self.delivery_worker.guard = self.guard
        process_mails = partial(self.mail_worker.run, partial(self._outages.resumed, "mail processing"))
        work: Sequence[Coroutine[Any, Any, object]] = (
            listener.listen(stop, is_open),
            self._send_letters(stop),
            self._poll_mailbox(stop),
            self._repeat("mail processing", partial(while_ours, self.guard, process_mails), stop),
            self._repeat("retention", self._run_retention, stop, READ_EVERY),
            self._repeat("ratings", self.rating_worker.work, stop, PASS_EVERY),
            self._repeat("lease renewal", self._renew_leases, stop, leases.RENEWED_EVERY),
            self._repeat("scheduler", partial(while_ours, self.guard, self._run_scheduler), stop, PASS_EVERY),
            stop.wait(),
        )
        thinking = [
            asyncio.create_task(
                self._repeat("thinking", partial(while_ours, self.guard, partial(self._think, worker)), stop)
            )
            for worker in self.bot_workers
        ]
        tasks = [*(asyncio.create_task(coroutine) for coroutine in work), *thinking]
        listening, sending, reading, working, *_ = tasks
        log.info("serving %s", self.settings.service.address)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop.set()
            self.delivery_worker.stop()
            for task in (reading, working, *thinking):
                task.cancel()
            for worker in self.bot_workers:
                worker.close()
            await asyncio.wait({listening, sending}, timeout=LAST_SECONDS)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            await self.delivery_worker.close()
            with suppress(*UNAVAILABLE):  # other processes detect by themselves that this one has ended
                await self.mail_worker.close()
                self.process_lease.leave()
            log.info("stopped")
        self._raise_first(ended)

    def _raise_first(self, ended: Iterable[object]) -> None:
        """Raise the first error with which a task has ended, and note it if it tells of a damaged database."""
        for error in ended:
            if isinstance(error, Exception):
                if self.store.pages is not None and is_damage(error):
                    self.store.pages.note(first_line(error))
                raise error

    async def work_off(self) -> None:
        """Handle the waiting mails. Then send letters for a limited time.

        If no `serve` is running, do the tasks that are due, too, and send the letters about them. If another database's
        service reads the mailbox, do nothing.
        """
        if self.guard is not None:
            with self.store.transaction() as session:
                why = marker.stopped(session)
            if why:
                log.warning("%s", why)
                return
        self.mail_worker.work()
        await self._send_off()
        if await self._think_off():
            await self._send_off()

    async def _send_off(self) -> None:
        # With a process name of its own, a service that starts meanwhile doesn't take over these letters.
        delivery_worker = self._delivery_worker("deliver")
        asyncio.get_running_loop().call_later(WORK_OFF_SECONDS, delivery_worker.stop)
        try:
            await delivery_worker.send_due()
        finally:
            await delivery_worker.close()

    async def _think_off(self) -> int:
        """Do the tasks that are due, unless another process does. Return how many there were."""
        with self.store.transaction() as session:
            is_served = leases.count_processes(session, process_name.is_gone) > 0
        if is_served or not self._thinking_lease.take():
            return 0
        worker = self._bot_worker(self._name, FairQueue())
        asyncio.get_running_loop().call_later(WORK_OFF_SECONDS, worker.stop)
        try:
            return await worker.work()
        finally:
            worker.close()
            self._thinking_lease.give_back()

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    async def _poll_mailbox(self, stop: asyncio.Event) -> None:
        """Poll the mailbox, if the settings name one. After an error reconnect, with increasing pauses."""
        mailbox, guard = self.mailbox, self.guard
        if mailbox is None or guard is None:
            await stop.wait()
            return
        failures = 0

        async def read() -> None:
            nonlocal failures
            try:
                async with mailbox:
                    log.info("reading %s", mailbox.account.mailbox)
                    while True:
                        await self.poller.round(mailbox)
                        failures = 0
                        self._outages.resumed(READING)
                        await self.poller.wait(mailbox)
            finally:
                guard.leave()

        while not stop.is_set():
            try:
                await self._mailbox_lease.run(read)
            except (
                MailboxLost,
                MailboxTaken,
                CommandRefused,
                LoginRefused,
                *UNAVAILABLE,
                OSError,
            ) as error:
                failures += 1
                pause = backoff(failures)
                if isinstance(error, UNAVAILABLE):  # the other tasks use the same pause for the database
                    pause = min(pause, DATABASE_AWAY)
                if isinstance(error, MailboxTaken):  # the operator may end that at any time
                    pause = min(pause, TAKEN)
                await self._outages.pause(READING, pause, error, stop)

    async def _repeat(
        self,
        what: str,
        work: Callable[[], Coroutine[Any, Any, bool | None]],
        stop: asyncio.Event,
        every: timedelta = timedelta(0),
    ) -> None:
        """Run the work of a task again and again until `stop` is set, also if the database was unavailable.

        `every` is the pause after work that has ended by itself. There is none if it returns that more waits.
        """
        while not stop.is_set():
            try:
                more_waits = await work()
                self._outages.resumed(what)
                if not more_waits:
                    await wait_for(stop, every)
            except (*UNAVAILABLE, sqlite3.OperationalError) as error:
                await self._outages.pause(what, DATABASE_AWAY, error, stop)

    async def _run_retention(self) -> None:
        """Read the clock, and run retention if it is due.

        Once the first retention has emptied the database's log, check the database's pages in a thread.
        """
        await self.retention.work_in_turns()
        if self.store.pages is not None and not self._has_checked_pages:
            try:
                self._has_checked_pages = await asyncio.to_thread(self.store.pages.run)
            finally:
                self.store.pages.interrupt()  # when `serve` stops, the thread must end, too

    async def _run_scheduler(self) -> bool:
        """Handle games that are due. Return whether more of them may wait."""
        return await self.scheduler.work_in_turns() == AT_ONCE

    async def _think(self, worker: BotWorker) -> None:
        """Do tasks as they become due. If this process dies, others release its claims only if they know of it."""
        self._renew()
        await worker.run(partial(self._outages.resumed, "thinking"))

    async def _renew_leases(self) -> None:
        """Renew this process's leases, and release what processes that have ended had claimed."""
        self._renew()
        if self.guard is not None:
            self.guard.follow()

    def _renew(self) -> None:
        """Renew this process's leases, and use the newest key from now on."""
        self.services.key.renew()
        self.process_lease.renew(self.services.key.id, self._stopped_tasks())

    def _stopped_tasks(self) -> Sequence[Stopped]:
        """Return the tasks that have stopped. That letters can't leave is known as long as they are tried."""
        return [
            Stopped(task, seconds, why[:_WHY_CHARS])
            for task, (seconds, why) in self._outages.ongoing.items()
            if task != SENDING or self.delivery_worker.is_blocked
        ]

    async def _send_letters(self, stop: asyncio.Event) -> None:
        """Send letters until `stop` is set. Retry after a pause if the database is unavailable."""
        while True:
            try:
                self._renew()
                await self.delivery_worker.run()
                return
            except UNAVAILABLE as error:
                if stop.is_set():
                    log.error(
                        "the database is still unavailable; a letter may be sent a second time: %s", error
                    )
                    return
                await self._outages.pause(SENDING, DATABASE_AWAY, error, stop)


def stop_on_signals() -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop
