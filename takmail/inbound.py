"""From the mailbox to the intake queue, through the service, and away to the Processed folder.

Each step is taken only after the one before is committed, so that a crash between any two loses nothing; what was
half done is found again by the UIDs that are known and the rows that wait.
"""

import asyncio
import logging
import traceback
from collections.abc import Callable, Iterator, Sequence

from takmail.mail.imap import FetchedMail, Mailbox
from takmail.mail.limits import MAX_READ_BYTES
from takmail.mail.reader import light
from takmail.service.desk import Desk
from takmail.service.receive import receive
from takmail.store import intake
from takmail.store.database import AWAY, Store
from takmail.store.tables import IntakeRow, MailState

log = logging.getLogger(__name__)

BATCH = 50
"""How many mails are fetched, kept and dealt with before the next ones are looked at."""


class Inbound:
    """The way in; `all_at_first` answers the mails that lie in the mailbox at the very first start, too.

    `letters_wait` is called after each mail, as there may be letters to send then.
    """

    def __init__(
        self,
        store: Store,
        desk: Desk,
        *,
        all_at_first: bool = False,
        letters_wait: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._desk = desk
        self._all_at_first = all_at_first
        self._letters_wait = letters_wait

    async def round(self, mailbox: Mailbox) -> int:
        """Deal with all that is new in the mailbox; gives the number of mails dealt with."""
        floor = self._floor(mailbox)
        dealt = await self.work_in_turns()
        present = await mailbox.new_uids(floor)
        await self._file_away(mailbox, present)
        for uids in _batches(self._unknown(mailbox, present)):
            # Nothing beyond is ever read, and fifty mails of any size at once are too much for small machines.
            self.keep(mailbox, await mailbox.fetch(uids, MAX_READ_BYTES))
            dealt += await self.work_in_turns()
            await self._file_away(mailbox, present)
        return dealt

    def keep(self, mailbox: Mailbox, mails: Sequence[FetchedMail]) -> None:
        """Record fetched mails in the intake queue, in one transaction."""
        name, validity = mailbox.account.mailbox, mailbox.uid_validity
        with self._store.transaction() as session:
            first_start = intake.first_start_to_heed(session, name, validity)
            for mail in mails:
                if first_start is not None and mail.received < first_start:
                    intake.record(session, self._left_alone(name, validity, mail.uid))
                else:
                    intake.record(session, self._row(mail.raw, name, validity, mail.uid))

    def keep_one(self, raw: bytes) -> int:
        """Record a mail that came without a mailbox, as much of it as is ever read; gives its number."""
        with self._store.transaction() as session:
            row = intake.record(session, self._row(raw[:MAX_READ_BYTES], "", None, None))
            assert row is not None
            assert row.id is not None
            return row.id

    def work(self) -> int:
        """Deal with every mail that waits, each in its own transaction; gives their number."""
        return sum(1 for _ in self._steps())

    async def work_in_turns(self) -> int:
        """As `work`, but a signal to stop and the letters on their way get their turn after each mail."""
        dealt = 0
        for _ in self._steps():
            dealt += 1
            await asyncio.sleep(0)
        return dealt

    def _steps(self) -> Iterator[None]:
        with self._store.transaction() as session:
            waiting = intake.waiting(session)
        for number in waiting:
            while self._deal(number) == MailState.NEW:
                pass
            self._letters_wait()
            yield

    def _deal(self, number: int) -> MailState:
        """Deal with one mail; a mail that raises is tried again a few times and then kept for the operator."""
        try:
            with self._store.transaction() as session:
                row = intake.get(session, number)
                if row.state != MailState.NEW:
                    return row.state  # Another process, `deliver` or `serve`, has been quicker.
                receive(self._desk, session, row)
            log.info("mail %d: %s", number, row.state)
            return row.state
        except AWAY:
            raise  # The database is away, busy or full: no fault of the mail's, which waits in the queue.
        except Exception:  # the one broad net: nothing in a mail may stop the others
            note = traceback.format_exc()
        with self._store.transaction() as session:
            shunted = intake.stumbled(session, number, note)
        if shunted:
            log.error("mail %d can't be dealt with and is kept (shunted):\n%s", number, note)
        return MailState.SHUNTED if shunted else MailState.NEW

    async def _file_away(self, mailbox: Mailbox, present: tuple[int, ...]) -> None:
        """Move what is dealt with out of the mailbox; what isn't there any more was moved before a crash."""
        name, validity = mailbox.account.mailbox, mailbox.uid_validity
        with self._store.transaction() as session:
            dealt_with = intake.to_file(session, name, validity)
        there = set(present)
        for uids in _batches(dealt_with):
            await mailbox.file_away([uid for uid in uids if uid in there])
            with self._store.transaction() as session:
                intake.filed(session, name, validity, uids)

    def _floor(self, mailbox: Mailbox) -> int:
        last = 0 if self._all_at_first else mailbox.uid_next - 1
        with self._store.transaction() as session:
            return intake.watermark(
                session, mailbox.account.mailbox, mailbox.uid_validity, last, self._desk.clock()
            )

    def _unknown(self, mailbox: Mailbox, present: tuple[int, ...]) -> list[int]:
        name, validity = mailbox.account.mailbox, mailbox.uid_validity
        with self._store.transaction() as session:
            known: set[int] = set()
            for uids in _batches(present, 1_000):
                known |= intake.known(session, name, validity, uids)
        return [uid for uid in present if uid not in known]

    def _row(self, raw: bytes, mailbox: str, uid_validity: int | None, uid: int | None) -> IntakeRow:
        message_id, sender = light(raw)
        return IntakeRow(
            mailbox=mailbox,
            uid_validity=uid_validity,
            uid=uid,
            raw=raw,
            fingerprint=intake.fingerprint(raw, message_id, sender),
            received_at=self._desk.clock(),
        )

    def _left_alone(self, mailbox: str, uid_validity: int, uid: int) -> IntakeRow:
        """What is noted of a mail that is older than takmail: nothing of its contents, and that it stays."""
        return IntakeRow(
            mailbox=mailbox,
            uid_validity=uid_validity,
            uid=uid,
            raw=b"",
            fingerprint=f"older {mailbox} {uid_validity} {uid}",
            received_at=self._desk.clock(),
            state=MailState.IGNORED,
            note="was there before the first start",
            filed=True,
        )


def _batches(uids: Sequence[int], size: int = BATCH) -> Iterator[Sequence[int]]:
    return (uids[start : start + size] for start in range(0, len(uids), size))
