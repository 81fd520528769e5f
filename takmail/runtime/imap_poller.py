"""Poll the mailbox: copy new mails into the inbox, and move handled mails to the Processed folder.

Each step begins only after the one before is committed, so that a crash loses nothing. The next round finds
unfinished work by the known UIDs and the waiting rows.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from takmail.commands.kinds import MailState
from takmail.mail.limits import Limits
from takmail.runtime.mail_worker import MailWorker
from takmail.runtime.net.imap import CommandRefused, FetchedMail, Mailbox
from takmail.store import health, inbox, mailboxes
from takmail.store.database import Store
from takmail.store.tables import InboxRow

log = logging.getLogger(__name__)

BATCH = 50
"""Mails that are fetched, stored and handled before the next ones are looked at."""

UIDS_PER_QUERY = 1_000
"""UIDs that are looked up in the database at once."""

LOAD_BYTES = 16 * 1024 * 1024
"""Bytes of mails that are fetched at once, unless a single mail is larger."""

POLL_PAUSES = (0.1, 0.2, 0.4)
"""Seconds until the mailbox is looked at again after a mail, as another one often follows.

A server may report a new mail half a second late, and never report one that came during other commands.
"""

NOTED_EVERY = timedelta(minutes=1)
"""How often the last contact with the mailbox is stored at most."""


class ImapPoller:
    """Polls the mailbox for new mails.

    `all_at_first`: the very first start also answers the mails that are already there.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        limits: Limits,
        mail_worker: MailWorker,
        *,
        all_at_first: bool = False,
    ) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._mail_worker = mail_worker
        self._all_at_first = all_at_first
        self._contact_stored_at: datetime | None = None
        self._pauses: Iterator[float] = iter(())
        self._reader_busy = False

    async def wait(self, mailbox: Mailbox) -> None:
        """Wait until the mailbox is to be looked at again: soon after a mail, otherwise when there may be a new one.

        A mail in the reader process is moved away once it is handled.
        """
        await mailbox.wait(next(self._pauses, POLL_PAUSES[-1] if self._reader_busy else None))

    async def round(self, mailbox: Mailbox) -> int:
        """Handle all new mails of the mailbox. Return their number."""
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
            # Moves that a crash or the server prevented.
            await self._file_away(mailbox, uids)
        for uids in _batches(unknown):
            for load, at_most in loads(await mailbox.sizes(uids), self._limits):
                self.keep(mailbox, await mailbox.fetch(load, at_most))
                self._store_contact(mailbox)
                handled_count += await self._mail_worker.work_in_turns()
                await self._file_away(mailbox, load)
        if handled_count:
            self._pauses = iter(POLL_PAUSES)
        self._reader_busy = self._reader_busy or self._mail_worker.reads_apart
        return handled_count

    def _store_contact(self, mailbox: Mailbox) -> None:
        """Store the time of contact for `takmail status`. Rarely, as it costs a commit."""
        now, last = self._clock(), self._contact_stored_at
        # After the clock was set back, it must still be stored.
        if last is None or not timedelta(0) <= now - last < NOTED_EVERY:
            with self._store.transaction() as session:
                health.note_contact(session, mailbox.account.mailbox, now)
            self._contact_stored_at = now

    def keep(self, mailbox: Mailbox, mails: Sequence[FetchedMail]) -> None:
        """Store fetched mails in the inbox, in one transaction."""
        name, validity = mailbox.account.mailbox, mailbox.uid_validity
        with self._store.transaction() as session:
            first_start = mailboxes.first_start_to_heed(session, name, validity)
            rows = [
                self._older_row(name, validity, mail.uid)
                if first_start is not None and mail.received < first_start
                else self._mail_worker.row(mail.raw, mail.size, name, validity, mail.uid)
                for mail in mails
            ]
            inbox.record_many(session, rows)

    async def _file_away(self, mailbox: Mailbox, present: Sequence[int]) -> None:
        """Move the handled mails among these out of the mailbox."""
        name, validity = mailbox.account.mailbox, mailbox.uid_validity
        with self._store.transaction() as session:
            handled = mailboxes.to_file(session, name, validity, present)
        for is_rejected, folder in ((False, mailbox.account.processed), (True, mailbox.rejected)):
            mails = [uid for uid, state in handled.items() if (state == MailState.REJECTED) == is_rejected]
            for uids in _batches(mails):
                try:
                    await mailbox.file_away(uids, folder)
                except CommandRefused as error:
                    # New mails must still be read. These are known and wait to be moved.
                    log.warning("cannot move %d mails: %s", len(uids), error)
                    return
                with self._store.transaction() as session:
                    mailboxes.filed(session, name, validity, uids)

    async def _log_left_alone(self, mailbox: Mailbox, watermark: int) -> None:
        """Log how many mails get no answer. The operator may have sent one of them as a test."""
        count = sum(uid <= watermark for uid in await mailbox.new_uids(0))
        if count:
            mails = "1 mail from before the first start is ignored"
            if count > 1:
                mails = f"{count} mails from before the first start are ignored"
            log.info("%s ([imap] first_start)", mails)

    def _watermark(self, mailbox: Mailbox) -> tuple[int, bool]:
        """Return the UID up to which mails are left alone, and whether this is the very first round."""
        last = 0 if self._all_at_first else mailbox.uid_next - 1
        with self._store.transaction() as session:
            name, now = mailbox.account.mailbox, self._clock()
            is_first = not mailboxes.is_known(session, name)
            return mailboxes.watermark(session, name, mailbox.uid_validity, last, now), is_first

    def _unknown(self, mailbox: Mailbox, present: Sequence[int]) -> list[int]:
        with self._store.transaction() as session:
            known = mailboxes.known(session, mailbox.account.mailbox, mailbox.uid_validity, present)
        return [uid for uid in present if uid not in known]

    def _older_row(self, mailbox: str, uid_validity: int, uid: int) -> InboxRow:
        """Return the row for a mail that is older than the service. It has none of the mail's contents."""
        return InboxRow(
            mailbox=mailbox,
            uid_validity=uid_validity,
            uid=uid,
            raw=b"",
            size=0,
            fingerprint=f"older {mailbox} {uid_validity} {uid}",
            received_at=self._clock(),
            state=MailState.OLDER,
            note="was there before the first start",
            is_filed=True,
        )


def loads(sizes: Mapping[int, int], limits: Limits) -> Iterator[tuple[list[int], int]]:
    """Split mails into loads to fetch at once. Yield UIDs and how many bytes of each mail to fetch at most.

    A load is bounded, as fifty large mails are too much for small machines. Of a mail over the limit only the headers
    are fetched. Of any other mail one byte more than the limit is fetched, whatever size the server reported.
    """
    load: list[int] = []
    weight = 0
    for uid, size in sizes.items():
        if size > limits.mail_bytes:
            continue
        if load and weight + size > LOAD_BYTES:
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
