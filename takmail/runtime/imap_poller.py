"""Poll the mailbox: copy new mails into the inbox, and move handled mails to the Processed folder.

Each step begins after the previous one is committed, so that a crash loses nothing. The next round detects unfinished
work: mails whose UIDs are not stored, waiting mails, and handled mails that are not moved.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from takmail.limits.mails import MAX_FETCH_BYTES, Limits
from takmail.runtime.disk_sync import DiskSync
from takmail.runtime.mail_worker import MailWorker, new_mail
from takmail.runtime.net.imap import CommandRefused, FetchedMail, Mailbox
from takmail.store import health, inbox, mailboxes
from takmail.store.causes import Causes
from takmail.store.database import Store
from takmail.store.inbox import NewMail
from takmail.world import MailState

log = logging.getLogger(__name__)

BATCH = 50
"""The maximum number of mails that are fetched, stored and handled before the next ones are fetched."""

UIDS_PER_QUERY = 1_000
"""The maximum number of UIDs in one database query."""


POLL_PAUSES = (0.08,) * 8
"""The pauses in seconds between the polls after a mail, as another mail often follows.

Dovecot reports changes half a second late, and tells one client sooner than another: a client that has just started
IDLE waits the whole time. So for a bit more than that time, polls find a mail sooner than the report would. A server
may also never report a mail that arrived during another command.
"""

NOTED_EVERY = timedelta(minutes=1)
"""The minimum interval between two commits that store the last contact with the mailbox."""


class ImapPoller:
    """Polls the mailbox for new mails.

    If `all_at_first` is true, the first start ever also answers the mails that are already in the mailbox.
    """

    def __init__(
        self,
        store: Store,
        causes: Causes,
        mail_worker: MailWorker,
        *,
        all_at_first: bool = False,
        disk: DiskSync | None = None,
    ) -> None:
        self._store = store
        self._services = causes.services
        self._clock = causes.clock
        self._mail_worker = mail_worker
        self._disk = disk or DiskSync(store)
        self._all_at_first = all_at_first
        self._contact_stored_at: datetime | None = None
        self._pauses: Iterator[float] = iter(())
        self._reader_busy = False

    async def wait(self, mailbox: Mailbox) -> None:
        """Wait until there may be a new mail.

        Soon after a mail, wait only for one of POLL_PAUSES. Do the same while the reader process has a mail, which has
        to be moved once it is handled.
        """
        await mailbox.wait(next(self._pauses, POLL_PAUSES[-1] if self._reader_busy else None))

    async def round(self, mailbox: Mailbox) -> int:
        """Fetch and handle all new mails of the mailbox, and move handled ones. Return how many mails were handled."""
        watermark, is_first = self._watermark(mailbox)
        self._reader_busy = self._mail_worker.reads_apart
        if is_first and watermark:
            await self._log_left_alone(mailbox, watermark)
        handled_count = await self._mail_worker.work_in_turns()
        present = await mailbox.new_uids(watermark)
        self._store_contact(mailbox)
        unknown: list[int] = []
        for uids in _batches(present, UIDS_PER_QUERY):
            unknown += self._unknown(mailbox, uids)
            # Retry moves that a crash or the server has prevented.
            await self._file_away(mailbox, uids)
        handled_count += await self._handle(mailbox, unknown)
        if handled_count:
            self._pauses = iter(POLL_PAUSES)
        self._reader_busy = self._reader_busy or self._mail_worker.reads_apart
        return handled_count

    async def _handle(self, mailbox: Mailbox, unknown: Sequence[int]) -> int:
        """Fetch, store, handle and move these mails. Return how many were handled.

        While some mails are handled, the next ones are fetched and the ones before are moved.
        """
        handled_count, before = 0, list[int]()
        handling: asyncio.Task[int] | None = None
        try:
            for uids in _batches(unknown):
                for load, at_most in loads(await mailbox.sizes(uids), self._services.limits):
                    mails = await mailbox.fetch(load, at_most)
                    if handling is not None:
                        handled_count += await handling
                    self.keep(mailbox, mails)
                    del mails  # they may need much memory
                    self._store_contact(mailbox)
                    handling = asyncio.create_task(self._mail_worker.work_in_turns())
                    await self._file_away(mailbox, before)
                    before = load
            if handling is not None:
                handled_count += await handling
        finally:
            if handling is not None:
                handling.cancel()
                await asyncio.gather(handling, return_exceptions=True)
        await self._file_away(mailbox, before)
        return handled_count

    def _store_contact(self, mailbox: Mailbox) -> None:
        """Store the time of contact for `takmail status`, at most every NOTED_EVERY, as it costs a commit."""
        now, last = self._clock(), self._contact_stored_at
        # A negative difference means that the clock was set back.
        if last is None or not timedelta(0) <= now - last < NOTED_EVERY:
            with self._store.transaction() as session:
                health.note_contact(session, mailbox.account.mailbox, now)
            self._contact_stored_at = now

    def keep(self, mailbox: Mailbox, mails: Sequence[FetchedMail]) -> None:
        """Store fetched mails in the inbox, in one transaction. They are on disk before they are moved."""
        name, validity, now = mailbox.account.mailbox, mailbox.uid_validity, self._clock()
        with self._store.transaction(durable=False) as session:
            first_start = mailboxes.first_start_to_heed(session, name, validity)
            new = [
                self._older_mail(name, validity, mail.uid)
                if first_start is not None and mail.received is not None and mail.received < first_start
                else new_mail(
                    self._services,
                    now,
                    mail.raw,
                    mail.size,
                    mailbox=name,
                    uid_validity=validity,
                    uid=mail.uid,
                    arrived_at=mail.received,
                )
                for mail in mails
            ]
            inbox.record_many(session, new)

    async def _file_away(self, mailbox: Mailbox, present: Sequence[int]) -> None:
        """Move handled mails out of the mailbox. `present` are the UIDs of the mails in it."""
        name, validity = mailbox.account.mailbox, mailbox.uid_validity
        if not present:
            return
        with self._store.transaction(durable=False) as session:
            handled = mailboxes.to_file(session, name, validity, present)
        if handled:
            await self._disk.wait()
        for is_rejected, folder in ((False, mailbox.account.processed), (True, mailbox.rejected)):
            mails = [uid for uid, state in handled.items() if (state == MailState.REJECTED) == is_rejected]
            for uids in _batches(mails):
                try:
                    await mailbox.file_away(uids, folder)
                except CommandRefused as error:
                    # The error must not stop the polling of new mails. Moving is retried in the next round.
                    log.warning("cannot move %d mails: %s", len(uids), error)
                    return
                with self._store.transaction(durable=False) as session:
                    mailboxes.filed(session, name, validity, uids)

    async def _log_left_alone(self, mailbox: Mailbox, watermark: int) -> None:
        """Log how many mails are ignored because they are older than the first start.

        The operator may have sent one of them as a test.
        """
        count = sum(uid <= watermark for uid in await mailbox.new_uids(0))
        if count:
            mails = "1 mail from before the first start is ignored"
            if count > 1:
                mails = f"{count} mails from before the first start are ignored"
            log.info("%s ([imap] first_start)", mails)

    def _watermark(self, mailbox: Mailbox) -> tuple[int, bool]:
        """Return the UID up to which mails are ignored, and whether this is the first round ever."""
        last = 0 if self._all_at_first else mailbox.uid_next - 1
        with self._store.transaction() as session:
            name, now = mailbox.account.mailbox, self._clock()
            return mailboxes.watermark(session, name, mailbox.uid_validity, last, now)

    def _unknown(self, mailbox: Mailbox, present: Sequence[int]) -> list[int]:
        with self._store.transaction(durable=False) as session:
            known = mailboxes.known(session, mailbox.account.mailbox, mailbox.uid_validity, present)
        return [uid for uid in present if uid not in known]

    def _older_mail(self, mailbox: str, uid_validity: int, uid: int) -> NewMail:
        """Return a mail that is older than the service, without anything of it."""
        return NewMail(
            mailbox=mailbox,
            uid_validity=uid_validity,
            uid=uid,
            fingerprint=f"older {mailbox} {uid_validity} {uid}",
            received_at=self._clock(),
            state=MailState.OLDER,
            note="was there before the first start",
            is_filed=True,
        )


def loads(sizes: Mapping[int, int], limits: Limits) -> Iterator[tuple[list[int], int]]:
    """Split mails into groups to fetch at once. Yield the UIDs of each group and the bytes to fetch of each mail.

    A group is limited to LOAD_BYTES, as fifty large mails need too much memory on small machines. Only the headers of a
    mail over the size limit are fetched. Of any other mail, at most one byte more than the limit is fetched, as the
    server may report a wrong size.
    """
    load: list[int] = []
    weight = 0
    for uid, size in sizes.items():
        if size > limits.mail_bytes:
            continue
        if load and weight + size > MAX_FETCH_BYTES:
            yield load, limits.mail_bytes + 1
            load, weight = [], 0
        load.append(uid)
        weight += size
    if load:
        yield load, limits.mail_bytes + 1
    if too_large := [uid for uid, size in sizes.items() if size > limits.mail_bytes]:
        yield too_large, limits.header_bytes


def _batches(uids: Sequence[int], size: int = BATCH) -> Iterator[Sequence[int]]:
    return (uids[start : start + size] for start in range(0, len(uids), size))
