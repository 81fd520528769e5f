"""The one composition root: builds the parts from the settings, starts and stops them."""

import asyncio
import logging
import signal
from contextlib import suppress
from datetime import timedelta
from functools import partial

from takmail.config import Settings
from takmail.runtime import erasure, parts
from takmail.runtime.delivery_worker import DeliveryWorker
from takmail.runtime.erasure import Eraser
from takmail.runtime.imap_poller import ImapPoller
from takmail.runtime.leader_lease import LeaderLease
from takmail.runtime.lmtp_receiver import LmtpReceiver
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.net.imap import CommandRefused, LoginRefused, Mailbox, MailboxLost
from takmail.runtime.net.lmtp_socket import AddressInUse, CannotListen, LmtpSocket
from takmail.runtime.net.retry_delays import backoff
from takmail.runtime.net.smtp import Sender
from takmail.runtime.outages import Outages
from takmail.runtime.retention import EVERY, Retention
from takmail.store import leases, process_name
from takmail.store.causes import Causes
from takmail.store.database import AWAY

log = logging.getLogger(__name__)

LAST_SECONDS = 10
"""How long a stop waits for the letters that are on their way, and for the mails that are being handed over."""

WORK_OFF_SECONDS = 60
"""How long letters are sent before a mail that came by a pipe is done with: whoever handed it over is waiting."""

FORGETTING_SECONDS = 60
"""How long it then looks for those who have left: what is left of that is for the next mail, or for `serve`."""

DATABASE_AWAY = timedelta(seconds=5)
"""The pause of whoever finds the database locked or away."""


class App:
    """takmail, put together: `serve` runs it, `work_off` does once what there is to do."""

    def __init__(self, settings: Settings) -> None:
        """Open the database and the key; raises ConfigError and SQLAlchemy's errors."""
        self.settings = settings
        self._troubles = Outages()
        self.mailbox = Mailbox(parts.imap_account(settings.imap)) if settings.imap else None
        account = parts.smtp_account(settings.smtp)
        self._senders = [Sender(account) for _ in range(settings.smtp.connections)]
        self.store, key = parts.opened(settings)
        self.services = parts.services(settings, key)
        self.causes = Causes(self.services, parts.utc_now)
        name = process_name.new_name()
        self.outbound = self._outbound(name)
        self.inbound = MailWorker(
            self.store,
            self.causes,
            letters_wait=self.outbound.wake,
            letters_leave=self.outbound.catch_up,
            name=name,
        )
        answers_all = settings.imap is not None and settings.imap.first_start == "all"
        self.poller = ImapPoller(
            self.store, parts.utc_now, self.services.limits, self.inbound, all_at_first=answers_all
        )
        self._mailbox_is_ours = LeaderLease(self.store, "the mailbox", name)
        self.door = self._door()
        self.retention = Retention(self.store, self.causes, settings.store.keep_mail_days)
        self.forgetter = Eraser(self.store, self.services.limits)

    def _outbound(self, name: str) -> DeliveryWorker:
        return DeliveryWorker(
            self.store,
            self._senders,
            parts.utc_now,
            name,
            came_back=self.causes.refused_letter,
            troubles=self._troubles,
        )

    def _door(self) -> LmtpSocket | None:
        """Where mails are handed over, if the settings name a place."""
        lmtp = self.settings.lmtp
        return (
            None if lmtp is None else LmtpReceiver(self.inbound).door(parts.lmtp_place(lmtp), self.services)
        )

    async def serve(self, stop: asyncio.Event | None = None) -> None:
        """Read, play and answer until `stop` is set, or SIGTERM or SIGINT comes; raises CannotListen."""
        stop = stop or stop_on_signals()
        # Before all else: what is wrong with the place is for whoever starts the service.
        is_open = await self._opens()
        listening = asyncio.create_task(self._listening(stop, is_open))
        sending = asyncio.create_task(self._sending(stop))
        reading = asyncio.create_task(self._reading(stop))
        working = asyncio.create_task(self._working(stop))
        keeping = asyncio.create_task(self._keeping(stop))
        forgetting = asyncio.create_task(self._forgetting(stop))
        renewing = asyncio.create_task(self._renewing(stop))
        stopped = asyncio.create_task(stop.wait())
        tasks = (listening, sending, reading, working, keeping, forgetting, renewing, stopped)
        log.info("serving %s", self.settings.service.address)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stop.set()
            self.outbound.stop()
            reading.cancel()
            working.cancel()
            await asyncio.wait({listening, sending}, timeout=LAST_SECONDS)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
            await self.outbound.close()
            with suppress(*AWAY):  # the others find it out by themselves
                await self.inbound.close()
                self.outbound.leave()
            log.info("stopped")
        for error in ended:
            if isinstance(error, Exception):
                raise error

    async def work_off(self) -> None:
        """Deal with the mails that wait, and send letters for a while if the mail server can be reached now."""
        self.inbound.work()
        # Under a name of its own, so that a service that starts meanwhile lets it finish.
        outbound = self._outbound("deliver")
        asyncio.get_running_loop().call_later(WORK_OFF_SECONDS, outbound.stop)
        try:
            await outbound.send_due()
        finally:
            await outbound.close()
        # With its pauses, as a service may run on the same database.
        with suppress(TimeoutError):
            async with asyncio.timeout(FORGETTING_SECONDS):
                await self.forgetter.work_in_turns()

    def close(self) -> None:
        """Give the database back."""
        self.store.close()

    async def _opens(self) -> bool:
        """Listen, where there is a place for it; False: another takmail does there. Raises CannotListen."""
        if self.door is None:
            return True
        try:
            await self.door.open()
        except AddressInUse as taken:
            log.debug("%s", taken)
            return False
        log.info("listening at %s", self.door.place)
        return True

    async def _listening(self, stop: asyncio.Event, is_open: bool) -> None:
        """Have mails handed over until `stop` is set, and where another takmail does, from when that one ends."""
        if self.door is not None and not is_open:
            log.info("another takmail listens at %s, and this one will when that one ends", self.door.place)
        while not is_open and not stop.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(leases.RENEWED_EVERY.total_seconds()):
                    await stop.wait()
            try:
                is_open = not stop.is_set() and await self._opens()
                if is_open:
                    self._troubles.over("listening")
            except CannotListen as error:
                await self._troubles.pause("listening", leases.RENEWED_EVERY, error, stop)
        await stop.wait()
        if self.door is not None and is_open:
            await self.door.close()

    async def _reading(self, stop: asyncio.Event) -> None:
        """Watch the mailbox, if there is one; after any trouble start afresh, with growing pauses."""
        mailbox = self.mailbox
        if mailbox is None:
            await stop.wait()
            return
        failures = 0

        async def read() -> None:
            nonlocal failures
            async with mailbox:
                log.info("reading %s", mailbox.account.mailbox)
                while True:
                    await self.poller.round(mailbox)
                    failures = 0
                    self._troubles.over("reading")
                    await self.poller.wait(mailbox)

        while not stop.is_set():
            try:
                await self._mailbox_is_ours.run(read)
            except (MailboxLost, CommandRefused, LoginRefused, *AWAY, OSError) as error:
                failures += 1
                pause = backoff(failures)
                if isinstance(error, AWAY):  # whoever else asks the database tries again as soon
                    pause = min(pause, DATABASE_AWAY)
                await self._troubles.pause("reading", pause, error, stop)

    async def _working(self, stop: asyncio.Event) -> None:
        """Deal with the mails that come without a mailbox; a database that is away is asked again after a pause."""
        while not stop.is_set():
            try:
                await self.inbound.run(partial(self._troubles.over, "working"))
            except AWAY as error:
                await self._troubles.pause("working", DATABASE_AWAY, error, stop)

    async def _keeping(self, stop: asyncio.Event) -> None:
        """Reduce what is old, at once and then daily; a database that is busy or away is asked again after a pause."""
        while not stop.is_set():
            try:
                await self.retention.work_in_turns()
                self._troubles.over("keeping little")
                await asyncio.sleep(EVERY.total_seconds())
            except AWAY as error:
                await self._troubles.pause("keeping little", DATABASE_AWAY, error, stop)

    async def _forgetting(self, stop: asyncio.Event) -> None:
        """Take those who have left out of the mails of others; a database that is away is asked again after a pause."""
        while not stop.is_set():
            try:
                await self.forgetter.work_in_turns()
                self._troubles.over("forgetting")
                await asyncio.sleep(erasure.EVERY.total_seconds())
            except AWAY as error:
                await self._troubles.pause("forgetting", DATABASE_AWAY, error, stop)

    async def _renewing(self, stop: asyncio.Event) -> None:
        """Tell the other processes that this one lives, and take over the letters of those that don't."""
        while not stop.is_set():
            await asyncio.sleep(leases.RENEWED_EVERY.total_seconds())
            try:
                self.outbound.renew()
                self._troubles.over("renewing")
            except AWAY as error:
                await self._troubles.pause("renewing", DATABASE_AWAY, error, stop)

    async def _sending(self, stop: asyncio.Event) -> None:
        """Send letters; a database that is busy or away is asked again after a pause."""
        taken_over = False
        while True:
            try:
                if not taken_over:
                    self.outbound.take_over()
                    taken_over = True
                await self.outbound.run()
                return
            except AWAY as error:
                if stop.is_set():
                    log.error("the database stays away; a letter may go out once more: %s", error)
                    return
                await self._troubles.pause("sending", DATABASE_AWAY, error, stop)


def stop_on_signals() -> asyncio.Event:
    """An event that SIGTERM and SIGINT set."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop
