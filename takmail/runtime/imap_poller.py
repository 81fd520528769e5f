"""From the mailbox to the intake queue, and away to the Processed folder.

Each step is taken only after the one before is committed, so that a crash between any two loses nothing; what was
half done is found again by the UIDs that are known and the rows that wait.
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
from takmail.store.tables import IntakeRow

log = logging.getLogger(__name__)

BATCH = 50
"""How many mails are fetched, kept and handled before the next ones are looked at."""

LOOKED_UP = 1_000
"""How many mails of the mailbox are looked up in the database at once."""

LOAD_BYTES = 16 * 1024 * 1024
"""How many bytes of mails are fetched at once, where there are several."""

LOOKS_AGAIN = (0.1, 0.2, 0.4)
"""Seconds after which the mailbox is looked at again where there was a mail, which is often followed by another one.

A server may tell of a new mail half a second after it came, and nothing of one that came while it was asked for others.
"""

NOTED_EVERY = timedelta(minutes=1)
"""How often it is written down at most that the mailbox was heard from."""


class ImapPoller:
    """The mailbox's side of the way in.

    `all_at_first` answers the mails that lie in the mailbox at the very first start, too.
    """

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        limits: Limits,
        inbound: MailWorker,
        *,
        all_at_first: bool = False,
    ) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._inbound = inbound
        self._all_at_first = all_at_first
        self._in_touch_at: datetime | None = None
        self._pauses: Iterator[float] = iter(())
        self._reads_apart = False

    async def wait(self, mailbox: Mailbox) -> None:
        """Return when the mailbox is to be looked at again: soon after a mail, and else when there may be a new one.

        A mail that another process reads is moved away once that is done.
        """
        await mailbox.wait(next(self._pauses, LOOKS_AGAIN[-1] if self._reads_apart else None))

    async def round(self, mailbox: Mailbox) -> int:
        """Handle all that is new in the mailbox; returns the number of mails handled."""
        floor, is_first = self._floor(mailbox)
        self._reads_apart = self._inbound.reads_apart
        if is_first and floor:
            await self._tell_left_alone(mailbox, floor)
        dealt = await self._inbound.work_in_turns()
        present = await mailbox.new_uids(floor)
        self._in_touch(mailbox)
        unknown: list[int] = []
        for uids in _batches(present, LOOKED_UP):
            unknown += self._unknown(mailbox, uids)
            # What a crash has kept from being moved, or the server.
            await self._file_away(mailbox, uids)
        for uids in _batches(unknown):
            for load, at_most in loads(await mailbox.sizes(uids), self._limits):
                self.keep(mailbox, await mailbox.fetch(load, at_most))
                self._in_touch(mailbox)
                dealt += await self._inbound.work_in_turns()
                await self._file_away(mailbox, load)
        if dealt:
            self._pauses = iter(LOOKS_AGAIN)
        self._reads_apart = self._reads_apart or self._inbound.reads_apart
        return dealt

    def _in_touch(self, mailbox: Mailbox) -> None:
        """Write down that the mailbox was heard from, for `takmail status`, and seldom, as it costs a commit."""
        now, last = self._clock(), self._in_touch_at
        # A clock that was set back must not keep it from being written for as long.
        if last is None or not timedelta(0) <= now - last < NOTED_EVERY:
            with self._store.transaction() as session:
                health.in_touch(session, mailbox.account.mailbox, now)
            self._in_touch_at = now

    def keep(self, mailbox: Mailbox, mails: Sequence[FetchedMail]) -> None:
        """Record fetched mails in the intake queue, in one transaction."""
        name, validity = mailbox.account.mailbox, mailbox.uid_validity
        with self._store.transaction() as session:
            first_start = mailboxes.first_start_to_heed(session, name, validity)
            rows = [
                self._left_alone(name, validity, mail.uid)
                if first_start is not None and mail.received < first_start
                else self._inbound.row(mail.raw, mail.size, name, validity, mail.uid)
                for mail in mails
            ]
            inbox.record_all(session, rows)

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
                    # New mails are to be read all the same; these are known and wait to be moved.
                    log.warning("%d mails stay where they are: %s", len(uids), error)
                    return
                with self._store.transaction() as session:
                    mailboxes.filed(session, name, validity, uids)

    async def _tell_left_alone(self, mailbox: Mailbox, floor: int) -> None:
        """Tell the operator how many mails get no answer, who may have written one of them to try takmail out."""
        count = sum(uid <= floor for uid in await mailbox.new_uids(0))
        if count:
            mails = "1 mail that was here before the first start stays as it is"
            if count > 1:
                mails = f"{count} mails that were here before the first start stay as they are"
            log.info("%s ([imap] first_start)", mails)

    def _floor(self, mailbox: Mailbox) -> tuple[int, bool]:
        """The UID up to which mails are left alone, and whether this is the mailbox's very first round."""
        last = 0 if self._all_at_first else mailbox.uid_next - 1
        with self._store.transaction() as session:
            name, now = mailbox.account.mailbox, self._clock()
            is_first = not mailboxes.is_known(session, name)
            return mailboxes.watermark(session, name, mailbox.uid_validity, last, now), is_first

    def _unknown(self, mailbox: Mailbox, present: Sequence[int]) -> list[int]:
        with self._store.transaction() as session:
            known = mailboxes.known(session, mailbox.account.mailbox, mailbox.uid_validity, present)
        return [uid for uid in present if uid not in known]

    def _left_alone(self, mailbox: str, uid_validity: int, uid: int) -> IntakeRow:
        """What is noted of a mail that is older than takmail: nothing of its contents, and that it stays."""
        return IntakeRow(
            mailbox=mailbox,
            uid_validity=uid_validity,
            uid=uid,
            raw=b"",
            size=0,
            fingerprint=f"older {mailbox} {uid_validity} {uid}",
            received_at=self._clock(),
            state=MailState.OLDER,
            note="was there before the first start",
            filed=True,
        )


def loads(sizes: Mapping[int, int], limits: Limits) -> Iterator[tuple[list[int], int]]:
    """The mails of these sizes by loads to be fetched at once, and how many bytes of each to fetch at most.

    A load is bounded, as fifty mails of any size are too much for small machines. Of a mail over the limit only
    the beginning is fetched, for its headers; of any other one byte more than the limit, whatever the server said.
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
