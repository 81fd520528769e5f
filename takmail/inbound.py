"""From the mailbox to the intake queue, through the service, and away to the Processed folder.

Each step is taken only after the one before is committed, so that a crash between any two loses nothing; what was
half done is found again by the UIDs that are known and the rows that wait.
"""

import logging
import traceback

from sqlalchemy.exc import OperationalError

from takmail.mail.imap import FetchedMail, Mailbox
from takmail.mail.reader import light
from takmail.service.desk import Desk
from takmail.service.receive import receive
from takmail.store import intake
from takmail.store.database import Store
from takmail.store.tables import IntakeRow, MailState

log = logging.getLogger(__name__)

BATCH = 50
"""How many mails are fetched, kept and dealt with before the next ones are looked at."""


class Inbound:
    """The way in; `all_at_first` answers the mails that lie in the mailbox at the very first start, too."""

    def __init__(self, store: Store, desk: Desk, *, all_at_first: bool = False) -> None:
        self._store = store
        self._desk = desk
        self._all_at_first = all_at_first

    async def round(self, mailbox: Mailbox) -> int:
        """Deal with all that is new in the mailbox; gives the number of mails dealt with."""
        floor = self._floor(mailbox)
        present = await mailbox.new_uids(floor)
        with self._store.transaction() as session:
            known = intake.known(session, mailbox.account.mailbox, mailbox.uid_validity, present)
        fresh = [uid for uid in present if uid not in known]
        dealt = self.work()
        for start in range(0, len(fresh), BATCH):
            self.keep(mailbox, await mailbox.fetch(fresh[start : start + BATCH]))
            dealt += self.work()
            await self._file_away(mailbox, present)
        await self._file_away(mailbox, present)
        return dealt

    def keep(self, mailbox: Mailbox, mails: list[FetchedMail]) -> None:
        """Record fetched mails in the intake queue, in one transaction."""
        with self._store.transaction() as session:
            for mail in mails:
                intake.record(
                    session, self._row(mail.raw, mailbox.account.mailbox, mailbox.uid_validity, mail.uid)
                )

    def keep_one(self, raw: bytes) -> int:
        """Record a mail that came without a mailbox; gives its number."""
        with self._store.transaction() as session:
            row = intake.record(session, self._row(raw, "", None, None))
            assert row is not None
            assert row.id is not None
            return row.id

    def work(self) -> int:
        """Deal with every mail that waits, each in its own transaction; gives their number."""
        with self._store.transaction() as session:
            waiting = intake.waiting(session)
        for number in waiting:
            while self._deal(number) == MailState.NEW:
                pass
        return len(waiting)

    def _deal(self, number: int) -> MailState:
        """Deal with one mail; a mail that raises is tried again a few times and then kept for the operator."""
        try:
            with self._store.transaction() as session:
                row = intake.get(session, number)
                receive(self._desk, session, row)
            log.info("mail %d: %s", number, row.state)
            return row.state
        except OperationalError:
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
        if not dealt_with:
            return
        there = set(present)
        await mailbox.file_away([uid for uid in dealt_with if uid in there])
        with self._store.transaction() as session:
            intake.filed(session, name, validity, dealt_with)

    def _floor(self, mailbox: Mailbox) -> int:
        last = 0 if self._all_at_first else mailbox.uid_next - 1
        with self._store.transaction() as session:
            return intake.watermark(
                session, mailbox.account.mailbox, mailbox.uid_validity, last, self._desk.clock()
            )

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
