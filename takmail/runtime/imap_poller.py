"""Poll the mailbox: copy new mails into the inbox, and move handled mails to the Processed folder.

Each step begins after the previous one is committed, so that a crash loses nothing. The next round detects unfinished
work: mails whose UIDs are not stored, waiting mails, and handled mails that are not moved.

Mails for which there is no room stay in the mailbox, unread, and others are not delayed by them.
"""

import asyncio
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from takmail.limits.mails import MAX_FETCH_BYTES, MAX_HEAD_BYTES, Limits
from takmail.runtime.disk_sync import DiskSync
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.mailbox_guard import LOOK_EVERY, TRUSTED, MailboxGuard, MarkerMoved
from takmail.runtime.net.imap import CommandRefused, FetchedMail, Mailbox
from takmail.runtime.reception import new_mail
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

LOOK_FOR_ROOM_EVERY = timedelta(minutes=1)
"""The minimum interval between two looks whether there is room for the mails that were left in the mailbox."""

NOTED_EVERY = timedelta(minutes=1)
"""The minimum interval between two commits that store the last contact with the mailbox."""


class ImapPoller:
    """Polls the mailbox for new mails.

    If `all_at_first` is true, the first start ever also answers the mails that are already in the mailbox. `guard`
    forbids to take in mails that another database's service answers.
    """

    def __init__(
        self,
        store: Store,
        causes: Causes,
        mail_worker: MailWorker,
        *,
        all_at_first: bool = False,
        disk: DiskSync | None = None,
        guard: MailboxGuard | None = None,
    ) -> None:
        self._store = store
        self._services = causes.services
        self._now = causes.now
        self._mail_worker = mail_worker
        self._disk = disk or DiskSync(store)
        self._all_at_first = all_at_first
        self._guard = guard
        self._contact_stored_at: datetime | None = None
        self._pauses: Iterator[float] = iter(())
        self._reader_busy = False
        # The mails for which there was no room in their budgets, and the time at which room was last looked for.
        self._left: dict[tuple[int, int], str] = {}
        self._looked_at: datetime | None = None

    async def wait(self, mailbox: Mailbox) -> None:
        """Wait until there may be a new mail.

        Soon after a mail, wait only for one of POLL_PAUSES. Do the same while the reader process has a mail, which has
        to be moved once it is handled.
        """
        await mailbox.wait(next(self._pauses, POLL_PAUSES[-1] if self._reader_busy else None))

    async def round(self, mailbox: Mailbox) -> int:
        """Fetch and handle all new mails of the mailbox, and move handled ones. Return how many mails were handled.

        Raises MarkerMoved.
        """
        await self._look(mailbox)
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
        handled_count += await self._handle(mailbox, self._not_left(mailbox, unknown))
        if handled_count:
            self._pauses = iter(POLL_PAUSES)
        self._reader_busy = self._reader_busy or self._mail_worker.reads_apart
        return handled_count

    async def _handle(self, mailbox: Mailbox, unknown: Sequence[int]) -> int:
        """Fetch, store, handle and move these mails. Return how many were handled.

        While some mails are handled, the next ones are fetched and the ones before are moved. Once another service may
        read the mailbox, no more are fetched, and those that are known are handled and moved, as it waits so long.
        """
        handled_count, before = 0, list[int]()
        handling: asyncio.Task[int] | None = None
        try:
            for uids in _batches(unknown):
                sizes = await mailbox.sizes(uids)
                if self._left:
                    sizes = await self._with_room(mailbox, sizes)
                for load, at_most in loads(sizes, self._services.limits):
                    await self._look(mailbox)
                    mails = await mailbox.fetch(load, at_most)
                    if handling is not None:
                        handled_count += await self._awaited(handling, mailbox)
                    self.keep(mailbox, mails)
                    del mails  # they may need much memory
                    self._store_contact(mailbox)
                    handling = asyncio.create_task(self._mail_worker.work_in_turns())
                    await self._file_away(mailbox, before)
                    before = load
            if handling is not None:
                handled_count += await self._awaited(handling, mailbox)
        except MarkerMoved:
            if handling is not None:
                await asyncio.wait({handling}, timeout=TRUSTED.total_seconds())
                await self._file_away(mailbox, before)
            raise
        finally:
            if handling is not None:
                handling.cancel()
                await asyncio.gather(handling, return_exceptions=True)
        await self._file_away(mailbox, before)
        return handled_count

    def _store_contact(self, mailbox: Mailbox) -> None:
        """Store the time of contact for `takmail status`, at most every NOTED_EVERY, as it costs a commit."""
        now, last = self._now(), self._contact_stored_at
        # A negative difference means that the clock was set back.
        if last is None or not timedelta(0) <= now - last < NOTED_EVERY:
            with self._store.transaction() as session:
                health.note_contact(session, mailbox.account.mailbox, now)
            self._contact_stored_at = now

    async def _look(self, mailbox: Mailbox) -> None:
        if self._guard is not None:
            await self._guard.look(mailbox)

    async def _awaited(self, handling: asyncio.Task[int], mailbox: Mailbox) -> int:
        """Return how many mails were handled, and look at the marker until then, without which no letter leaves."""
        while not handling.done():
            await asyncio.wait({handling}, timeout=LOOK_EVERY.total_seconds())
            await self._look(mailbox)
        return handling.result()

    def keep(self, mailbox: Mailbox, mails: Sequence[FetchedMail]) -> None:
        """Store fetched mails in the inbox, in one transaction. They are on disk before they are moved."""
        name, validity = mailbox.account.mailbox, mailbox.uid_validity
        with self._store.transaction(durable=False) as session:
            first_start = mailboxes.first_start_to_heed(session, name, validity)
            new = [
                self._older_mail(name, validity, mail.uid)
                if first_start is not None and mail.received is not None and mail.received < first_start
                else self._new_mail(mailbox, mail)
                for mail in mails
            ]
            if admitted := self._admitted(session, mailbox, new):
                inbox.record_many(session, admitted)

    def _new_mail(self, mailbox: Mailbox, mail: FetchedMail) -> NewMail:
        return new_mail(
            self._services,
            self._now(),
            mail.raw,
            mail.size,
            mailbox=mailbox.account.mailbox,
            uid_validity=mailbox.uid_validity,
            uid=mail.uid,
            arrived_at=mail.received,
        )

    def _admitted(self, session: Session, mailbox: Mailbox, mails: Sequence[NewMail]) -> list[NewMail]:
        """Return the mails for which there is room, and remember the others."""
        admitted = []
        for mail, has_room in self._mail_worker.admission.admitted(session, mails, self._now()):
            if has_room:
                admitted.append(mail)
            elif mail.uid is not None and mail.budget is not None:
                self._left[mailbox.uid_validity, mail.uid] = mail.budget
        return admitted

    async def _with_room(self, mailbox: Mailbox, sizes: Mapping[int, int]) -> dict[int, int]:
        """Return those of these mails for which there is room. Fetch only their beginnings, as they may be large."""
        heads = await mailbox.fetch(sizes, MAX_HEAD_BYTES)
        with self._store.transaction(durable=False) as session:
            new = [replace(self._new_mail(mailbox, head), raw=b"") for head in heads]
            admitted = {mail.uid for mail in self._admitted(session, mailbox, new)}
        return {uid: size for uid, size in sizes.items() if uid in admitted}

    def _not_left(self, mailbox: Mailbox, uids: Sequence[int]) -> Sequence[int]:
        """Return the mails that may be fetched now, without those that are left until there is room for many."""
        now, last = self._now(), self._looked_at
        if self._left and (last is None or not timedelta(0) <= now - last < LOOK_FOR_ROOM_EVERY):
            self._looked_at = now
            with self._store.transaction(durable=False) as session:
                budgets = set(self._left.values())
                free = self._mail_worker.admission.with_much_room(session, budgets, now)
            self._left = {mail: budget for mail, budget in self._left.items() if budget not in free}
        return [uid for uid in uids if (mailbox.uid_validity, uid) not in self._left]

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
            name, now = mailbox.account.mailbox, self._now()
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
            received_at=self._now(),
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
