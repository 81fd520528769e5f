"""The one composition root: builds the parts from the settings, starts and stops them."""

import asyncio
import logging
import signal
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from random import Random, SystemRandom

from sqlalchemy.exc import OperationalError

from takmail.config import ConfigError, ImapSettings, Settings, SmtpSettings
from takmail.inbound import Inbound
from takmail.mail.delays import backoff
from takmail.mail.imap import CommandRefused, ImapAccount, LoginRefused, Mailbox, MailboxLost
from takmail.mail.smtp import Sender, SmtpAccount
from takmail.outbound import Outbound
from takmail.render.templates import Templates, folder
from takmail.service.desk import Desk
from takmail.service.tokens import SeatKey, load_key
from takmail.store.database import Store

log = logging.getLogger(__name__)

LAST_LETTER_SECONDS = 10
"""How long a stop waits for the letter that is on its way."""


def utc_now() -> datetime:
    """The time, UTC-aware."""
    return datetime.now(UTC)


class App:
    """takmail, put together: `serve` runs it, `deliver` puts one mail through it."""

    def __init__(self, settings: Settings, *, lot: Random | None = None) -> None:
        """Open the database and the key; raises ConfigError and SQLAlchemy's errors."""
        service = settings.service
        try:
            key = SeatKey(load_key(service.key_file), service.address, service.recipient_delimiter)
        except (OSError, ValueError) as error:
            raise ConfigError([f"[service] key_file: {error}"]) from None
        self.settings = settings
        self.store = Store.open(settings.store.url)
        self.desk = Desk(
            service.address, service.name, key, Templates(folder()), lot or SystemRandom(), utc_now
        )
        self.mailbox = Mailbox(imap_account(settings.imap)) if settings.imap else None
        self.inbound = Inbound(
            self.store,
            self.desk,
            all_at_first=settings.imap is not None and settings.imap.first_start == "all",
        )
        self.outbound = Outbound(self.store, Sender(smtp_account(settings.smtp)), utc_now)

    async def serve(self, stop: asyncio.Event | None = None) -> None:
        """Read, play and answer until `stop` is set, or SIGTERM or SIGINT comes."""
        stop = stop or stop_on_signals()
        self.outbound.take_over()
        sending = asyncio.create_task(self._sending())
        reading = asyncio.create_task(self._reading())
        stopped = asyncio.create_task(stop.wait())
        log.info("serving %s", self.settings.service.address)
        try:
            await asyncio.wait({sending, reading, stopped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.outbound.stop()
            for task in (reading, stopped):
                task.cancel()
            await asyncio.wait({sending}, timeout=LAST_LETTER_SECONDS)
            sending.cancel()
            for task in (reading, sending):
                with suppress(asyncio.CancelledError):
                    await task
            log.info("stopped")

    async def deliver(self, raw: bytes) -> None:
        """Put one mail through, and send what follows from it if the mail server can be reached now."""
        self.inbound.keep_one(raw)
        self.inbound.work()
        await self.outbound.send_due()

    def close(self) -> None:
        """Give the database back."""
        self.store.close()

    async def _reading(self) -> None:
        """Watch the mailbox; after any trouble start afresh, with growing pauses."""
        if self.mailbox is None:
            await asyncio.Event().wait()
            return
        failures = 0
        while True:
            try:
                async with self.mailbox:
                    while True:
                        if await self.inbound.round(self.mailbox):
                            self.outbound.wake()
                        failures = 0
                        await self.mailbox.wait()
            except (MailboxLost, CommandRefused, LoginRefused, OperationalError, OSError) as error:
                failures += 1
                pause = backoff(failures)
                log.warning("reading stopped, again in %s: %s", pause, error)
                await asyncio.sleep(pause.total_seconds())

    async def _sending(self) -> None:
        """Send letters; a database that is busy or away is asked again after a pause."""
        failures = 0
        while True:
            try:
                await self.outbound.run()
                return
            except OperationalError as error:
                failures += 1
                pause = backoff(failures)
                log.warning("sending stopped, again in %s: %s", pause, error)
                await asyncio.sleep(pause.total_seconds())


def stop_on_signals() -> asyncio.Event:
    """An event that SIGTERM and SIGINT set."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def imap_account(settings: ImapSettings) -> ImapAccount:
    """The mailbox's account; raises ConfigError if its password can't be read."""
    return ImapAccount(
        host=settings.host,
        port=settings.port,
        user=settings.user,
        password=settings.secret() or "",
        tls=settings.tls,
        mailbox=settings.mailbox,
        processed=settings.processed,
        poll_seconds=settings.poll_seconds,
        ca_file=_text(settings.ca_file),
    )


def smtp_account(settings: SmtpSettings) -> SmtpAccount:
    """The mail server's account; raises ConfigError if its password can't be read."""
    return SmtpAccount(
        host=settings.host,
        port=settings.port,
        user=settings.user,
        password=settings.secret(),
        tls=settings.tls,
        ca_file=_text(settings.ca_file),
    )


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
