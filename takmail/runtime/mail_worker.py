"""Handle the mails of the inbox: claim each one, read it, and store what the pipeline decides."""

import asyncio
import logging
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from sqlmodel import Session

from takmail.limits.mails import MAX_SHORT_BODY_BYTES
from takmail.mail.message import Mail
from takmail.mail.reader import MailToRead
from takmail.pipeline.process import Outcome
from takmail.runtime import log_fields
from takmail.runtime.child_process import Closed, LimitExceeded, NoAnswer
from takmail.runtime.delivery_worker import Delivery
from takmail.runtime.outages import checkpoint, isolated, wait_for
from takmail.runtime.reader_process import ReaderProcess, read_if_cheap
from takmail.runtime.reception import Admission, new_mail
from takmail.store import inbox, process_name, split_mails
from takmail.store.causes import Causes, with_retries
from takmail.store.database import Store, has_collided
from takmail.store.inbox import StoredMail
from takmail.store.parts_answered import answer_parts
from takmail.store.write import ToSend
from takmail.world import MailState
from takmail.world.operations import ErasePlayer, Operation, RunTask

log = logging.getLogger(__name__)

LOOK_AGAIN = timedelta(seconds=1)
"""The maximum time until a mail that another process has stored is noticed, while few mails arrive."""

BUSY = timedelta(milliseconds=20)
"""The maximum time until a mail that another process has stored is noticed, while many mails arrive."""

LOOP_TURNS = 2
"""The number of turns of the event loop after each mail. A server's answer takes one or two, and so does the next one.

Each costs a system call: with four, a mail took 6 % more.
"""

COSTLY = timedelta(milliseconds=50)
"""The time after which a mail counts as costly. An ordinary one takes a tenth."""

MAILS_AHEAD = 50
"""The number of mails after which the worker waits until most of the waiting letters are sent."""


LONGEST_CLAIM = timedelta(minutes=10)
"""The maximum age of another process's claim. After that the process counts as ended, and its mail is released."""

SPAWN_RETRY = timedelta(seconds=5)
"""The pause after the reader process could not be started."""


@dataclass(frozen=True, slots=True)
class _ClaimedMail:
    """A mail that this process has claimed. `started` is `time.perf_counter()` at the claim."""

    row: StoredMail
    to_read: MailToRead
    started: float

    @property
    def number(self) -> int:
        """The mail's number in the inbox."""
        return self.row.id


class NoRoom(Exception):  # noqa: N818 - it is no error
    """There is no room for a mail that may be forged until older ones are a day old."""


class MailWorker:
    """Handles the mails of the inbox. Its `admission` tells for which new mails there is room.

    `delivery` sends the letters. `name` is this process's name in claims, of letters too. `is_gone` returns whether the
    process with a name is known to have ended. `on_tasks` is called after a mail that leaves something to think about.

    A mail takes two transactions. The first claims the mail and counts the attempt. The body is read with no
    transaction open. The second transaction stores the outcome. A long mail takes another transaction in between,
    which stores the outcome if the headers alone decide it. The reader process reads bodies that may take long.
    Meanwhile other mails are handled, except those of the same queue.
    """

    def __init__(
        self,
        store: Store,
        causes: Causes,
        *,
        delivery: Delivery | None = None,
        name: str | None = None,
        reader: ReaderProcess | None = None,
        is_gone: Callable[[str], bool] = process_name.is_gone,
        on_tasks: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._causes = causes
        self._limits = causes.services.limits
        self.admission = Admission(causes.services)
        self._delivery = delivery or Delivery()
        self._name = name or process_name.new_name()
        self._reader = reader or ReaderProcess()
        self._is_gone = is_gone
        self._on_tasks = on_tasks
        self._wake = asyncio.Event()
        # Mails for the reader process, each with the time of its claim. The bytes of all of them may need much memory.
        self._for_reader: dict[int, float] = {}
        # Mails whose error could not be stored. This process still has them claimed and must not claim them again.
        self._unstorable: set[int] = set()
        self._reader_task: asyncio.Task[None] | None = None

    def keep_one(self, raw: bytes, size: int = 0) -> int:
        """Store a mail that doesn't come from an IMAP mailbox. Return its number. `size` is as in `keep`.

        Raises NoRoom.
        """
        number = self.keep([(raw, size)])[0]
        if number is None:
            raise NoRoom
        return number

    def keep(self, mails: Sequence[tuple[bytes, int]]) -> list[int | None]:
        """Store pairs of a mail and its full length, unless there is no room for them. If one fails, store none.

        Return the mails' numbers, and None for each for which there is no room.
        """
        services, now = self._causes.services, self._causes.now()
        new = [new_mail(services, now, raw, size) for raw, size in mails]
        with self._store.transaction() as session:
            numbers = [
                inbox.record(session, mail) if has_room else None
                for mail, has_room in self.admission.admitted(session, new, now)
            ]
        self._wake.set()
        return numbers

    async def run(self, goes_on: Callable[[], None] = lambda: None) -> None:
        """Handle mails as they are stored, until cancelled. `goes_on` is called whenever no more mails wait."""
        pause = BUSY
        while True:
            self._wake.clear()
            # After a round that handled mails, more are likely to follow, so the next check comes sooner.
            pause = BUSY if await self.work_in_turns() else min(2 * pause, LOOK_AGAIN)
            if not self._for_reader:
                goes_on()
            await wait_for(self._wake, pause)

    @property
    def reads_apart(self) -> bool:
        """Whether there are mails that the reader process is reading or has to read."""
        return bool(self._for_reader)

    def work(self) -> int:
        """Handle all waiting mails. Return how many were handled."""
        handled = 0
        while (mail := self._next()) is not None:
            handled += 1
            if not self._handle_in_process(mail):
                self._decide_read(mail, self._read_now(mail))
        return handled

    async def work_in_turns(self) -> int:
        """Handle all waiting mails, and let other tasks of the event loop run after each mail.

        Mails for the reader process are handled later. Return the number of the other mails.
        """
        handled = 0
        await self._delivery.catch_up()
        self._start_reader_task()
        while (mail := self._next()) is not None:
            handled += 1
            if not self._handle_in_process(mail):
                self._for_reader[mail.number] = mail.started
                self._start_reader_task()
            await _let_others_run(mail.started)
            if handled % MAILS_AHEAD == 0:
                await self._delivery.catch_up()
        return handled

    async def close(self) -> None:
        """Release the claimed mails, and end the reader process."""
        self._reader.close()
        if self._reader_task is not None:
            self._reader_task.cancel()
            await asyncio.gather(self._reader_task, return_exceptions=True)
        if self._for_reader:
            with self._store.transaction() as session:
                for number in self._for_reader:
                    inbox.unclaim(session, number, self._name)
            self._for_reader.clear()

    def _next(self) -> _ClaimedMail | None:
        """Claim the next mail. Return None if no mail is free."""
        self._causes.services.key.renew()
        started, claimed = time.perf_counter(), (*self._for_reader, *self._unstorable)
        with self._store.transaction(durable=False) as session:
            row = inbox.claim(session, self._causes.now(), self._name, claimed)
            if row is None and self._release_stale_claims(session):
                row = inbox.claim(session, self._causes.now(), self._name, claimed)
        return None if row is None else self._claimed(row, started)

    def _claimed(self, row: StoredMail, started: float) -> _ClaimedMail:
        return _ClaimedMail(row, self._causes.to_read(row.raw, row.size, row.excess), started)

    def _release_stale_claims(self, session: Session) -> bool:
        """Release claims of ended processes, and claims older than LONGEST_CLAIM. Return whether there were any."""
        now = self._causes.now()
        others = [(name, last) for name, last in inbox.holders(session) if name != self._name]
        gone = [name for name, last in others if abs(now - last) > LONGEST_CLAIM or self._is_gone(name)]
        for name in gone:
            inbox.release(session, name)
        return bool(gone)

    def _handle_in_process(self, mail: _ClaimedMail) -> bool:
        """Handle a mail that is cheap to read or decided by its headers. Otherwise return False."""
        with self._guarded(mail):
            head = mail.to_read.read_head()
            # Reading a short body costs less than another transaction for the headers.
            if len(head.body) > MAX_SHORT_BODY_BYTES and self._decide(mail, head.mail, has_body=False):
                return True
            # After an attempt that did not end, even a cheap mail is read apart.
            message = read_if_cheap(head, self._limits) if mail.row.attempts == 1 else None
            if message is None:
                return False
            self._decide(mail, message)
        return True

    def _decide(
        self, mail: _ClaimedMail, message: Mail, unreadable: str | None = None, *, has_body: bool = True
    ) -> bool:
        """Decide a mail that was read, or that is `unreadable` for a reason, and store the outcome.

        Return whether there is one: without the body (`has_body`), the headers alone may not decide the mail. Raises
        Conflict if retries don't help.
        """

        def decide(session: Session) -> tuple[Outcome, ToSend] | None:
            by, sends = self._name, self._delivery.takes_letters
            return self._causes.mail(
                session, mail.row, message, unreadable, by=by, sends=sends, has_body=has_body
            )

        try:
            # `durable=False` is safe: the delivery worker syncs the disk before letters leave, and the poller does
            # before mails are moved.
            handled = with_retries(self._store, decide, durable=False)
        except inbox.ClaimLost:
            return True  # handling took so long that another process has claimed the mail
        if handled is None:
            return False
        outcome, to_send = handled
        self._hand_over(mail, outcome, to_send)
        return True

    def _hand_over(self, mail: _ClaimedMail, outcome: Outcome, to_send: ToSend) -> None:
        """Tell whom it concerns what was stored."""
        if to_send.claimed:
            self._delivery.hand_over(to_send.claimed)
        if to_send.are_others_due:
            self._delivery.wake()
        if _has(outcome, RunTask):
            self._on_tasks()
        if mail.row.part_of is not None:
            self._answer_parts(mail.row.part_of)
        self._log_outcome(mail, outcome)
        if _has(outcome, ErasePlayer):
            checkpoint(self._store)

    def _answer_parts(self, mail: int) -> None:
        """Answer the parts of a mail if this one was the last. If that fails, the scheduler does it."""
        with isolated(partial(self._log_failed_answer, mail)):
            outcome = with_retries(self._store, partial(answer_parts, self._causes, mail=mail), durable=False)
            if outcome is not None:
                self._delivery.wake()

    def _log_failed_answer(self, mail: int, error: Exception) -> None:
        log.warning("answering the parts of mail %d failed with %s", mail, log_fields.cause(error))

    def _log_outcome(self, mail: _ClaimedMail, outcome: Outcome) -> None:
        """Log the state in which a mail ended."""
        number, state, note = mail.number, outcome.state, outcome.note
        assert state is not None
        if state is MailState.SHUNTED:
            facts = log_fields.of_mail(number, state, note, (outcome.game, None))
            log.error("%s is shunted: %s", mail.row.name, note, extra=facts)
            return
        ms = (time.perf_counter() - mail.started) * 1_000
        facts = log_fields.of_mail(number, state, note, (outcome.game, outcome.turn), ms)
        log.info("%s: %s (%s), %.1f ms", mail.row.name, state, note, ms, extra=facts)

    def _guarded(self, mail: _ClaimedMail) -> AbstractContextManager[None]:
        """Store an exception of the block as that of a mail, which is retried and finally shunted."""
        return isolated(partial(self._store_error, mail))

    def _store_error(self, mail: _ClaimedMail, error: Exception) -> None:
        """Store the error that a mail caused. After too many errors the mail is shunted.

        A mail that was in another transaction's way is tried again at once. If the error can't be stored, this process
        skips the mail. The next process to start claims it again.
        """
        if has_collided(error):
            return
        number, note, cause = mail.number, "".join(traceback.format_exception(error)), log_fields.cause(error)
        with isolated(partial(self._skip, mail, error)):
            with self._store.transaction() as session:
                is_shunted = inbox.record_error(session, number, note, self._name)
                if is_shunted and mail.row.part_of is not None:
                    split_mails.ended(session, number, mail.row.part_of, None, self._causes.now())
            if is_shunted:
                if mail.row.part_of is not None:
                    self._answer_parts(mail.row.part_of)
                # An error's message may quote a player, so it is stored with the mail and not logged.
                template = "mail %d failed with %s and is shunted; see `takmail mail show %d`"
                facts = log_fields.of_mail(number, MailState.SHUNTED, cause)
                log.error(template, number, cause, number, extra=facts)

    def _skip(self, mail: _ClaimedMail, error: Exception, storing_error: Exception) -> None:
        if has_collided(storing_error):
            return
        self._unstorable.add(mail.number)
        template = (
            "mail %d failed with %s, and storing that failed with %s; skipping the mail until the next start"
        )
        log.error(template, mail.number, log_fields.cause(error), log_fields.cause(storing_error))

    def _start_reader_task(self) -> None:
        """Start the task for mails of the reader process, if needed. Raises the error that ended the last such task."""
        if self._reader_task is not None and self._reader_task.done():
            ended, self._reader_task = self._reader_task, None
            ended.result()
        if self._for_reader and self._reader_task is None:
            self._reader_task = asyncio.create_task(self._run_reader_task())

    async def _run_reader_task(self) -> None:
        """Handle the mails for the reader process, one after the other. `_start_reader_task` raises the errors."""
        while self._for_reader:
            number, started = next(iter(self._for_reader.items()))
            with self._store.transaction(durable=False) as session:
                mail = self._claimed(inbox.claimed(session, number), started)
            try:
                read = await asyncio.to_thread(self._reader.try_read, mail.to_read)
            except Closed:
                return
            except OSError as error:
                log.warning("cannot start a process to read mail %d: %s", mail.number, error)
                await asyncio.sleep(SPAWN_RETRY.total_seconds())
                continue
            del self._for_reader[mail.number]
            self._wake.set()
            began = time.perf_counter()
            self._decide_read(mail, read)
            await _let_others_run(began)

    def _read_now(self, mail: _ClaimedMail) -> Mail | NoAnswer:
        """Read a mail in the reader process, or release it if no process reads it. Raises OSError then."""
        try:
            return self._reader.try_read(mail.to_read)
        except OSError:
            with self._store.transaction() as session:
                inbox.unclaim(session, mail.number, self._name)
            raise

    def _decide_read(self, mail: _ClaimedMail, read: Mail | NoAnswer) -> None:
        """Store the outcome of a mail that the reader process has read, or could not read."""
        with self._guarded(mail):
            match read:
                case Mail():
                    self._decide(mail, read)
                case LimitExceeded():
                    self._decide(mail, mail.to_read.read_head().mail, str(read))
                case _:
                    raise read


async def _let_others_run(began: float) -> None:
    """Let other tasks of the event loop run after a mail, for as long as a costly one has taken.

    To receive a mail takes several round trips. Without this pause, each of them would wait for a costly mail.
    """
    for _ in range(LOOP_TURNS):
        await asyncio.sleep(0)
    spent = time.perf_counter() - began
    if spent > COSTLY.total_seconds():
        await asyncio.sleep(spent)


def _has(outcome: Outcome, kind: type[Operation]) -> bool:
    return any(isinstance(operation, kind) for operation in outcome.world.operations)
