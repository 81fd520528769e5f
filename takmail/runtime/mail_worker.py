"""Handle the mails of the inbox: claim each one, read it, and store what the pipeline decides."""

import asyncio
import logging
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Protocol

from sqlmodel import Session

from takmail.limits.mails import MAX_SHORT_BODY_BYTES
from takmail.mail.message import Message
from takmail.mail.queue import queue_of
from takmail.mail.reader import Head, MailToRead, read_body, read_id_and_sender
from takmail.pipeline.process import Outcome
from takmail.runtime import log_fields
from takmail.runtime.child_process import ChildFailed, Closed, LimitExceeded
from takmail.runtime.outages import wait_for
from takmail.runtime.reader_process import ReaderProcess
from takmail.runtime.retention import checkpoint
from takmail.store import inbox, process_name
from takmail.store.causes import Causes, Claimant, Handled, with_retries
from takmail.store.database import UNAVAILABLE, Store, has_collided, is_damage
from takmail.store.dispatch import Claimed
from takmail.store.inbox import NewMail, StoredMail
from takmail.world import MailState
from takmail.world.operations import ErasePlayer, Operation, ReleaseLetters, RunTask

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


class Delivery(Protocol):
    """The part of a `DeliveryWorker` that a mail worker uses."""

    @property
    def takes_letters(self) -> bool:
        """Whether it sends letters that are stored as claimed by this process."""

    def hand_over(self, letters: Sequence[Claimed]) -> None:
        """Send these letters, which are stored as claimed by this process."""

    def wake(self) -> None:
        """Look for letters that are due."""

    async def catch_up(self) -> None:
        """Return when few letters wait."""


class NoDelivery:
    """A `Delivery` that sends nothing."""

    takes_letters = False

    def hand_over(self, letters: Sequence[Claimed]) -> None:
        """Do nothing, as no letters are taken."""

    def wake(self) -> None:
        """Do nothing."""

    async def catch_up(self) -> None:
        """Return at once."""


@dataclass(frozen=True, slots=True)
class _ClaimedMail:
    """A mail that this process has claimed. `started` is `time.perf_counter()` at the claim."""

    row: StoredMail
    mail: MailToRead
    started: float

    @property
    def number(self) -> int:
        """The mail's number in the inbox."""
        return self.row.id


class MailWorker:
    """Handles the mails of the inbox.

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
        self._delivery: Delivery = delivery or NoDelivery()
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
        """Store a mail that doesn't come from an IMAP mailbox. Return its number. `size` is as in `keep`."""
        return self.keep([(raw, size)])[0]

    def keep(self, mails: Sequence[tuple[bytes, int]]) -> list[int]:
        """Store pairs of a mail and its full length, all or none. Return the mails' numbers."""
        numbers = []
        with self._store.transaction() as session:
            for raw, size in mails:
                number = inbox.record(session, self.new_mail(raw, size))
                assert number is not None
                numbers.append(number)
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
                self._guard(mail, partial(self._finish_or_raise, mail, self._read_now(mail)))
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

    async def settle(self) -> None:
        """Wait until all mails for the reader process are handled. Raises the errors of `work_in_turns`."""
        if self._reader_task is not None:
            await asyncio.wait({self._reader_task})
            self._start_reader_task()

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
        started, claimed = time.perf_counter(), (*self._for_reader, *self._unstorable)
        with self._store.transaction(durable=False) as session:
            row = inbox.claim(session, self._causes.clock(), self._name, claimed)
            if row is None and self._release_stale_claims(session):
                row = inbox.claim(session, self._causes.clock(), self._name, claimed)
        return None if row is None else self._claimed(row, started)

    def _claimed(self, row: StoredMail, started: float) -> _ClaimedMail:
        return _ClaimedMail(row, self._causes.to_read(row.raw, row.size), started)

    def _release_stale_claims(self, session: Session) -> bool:
        """Release claims of ended processes, and claims older than LONGEST_CLAIM. Return whether there were any."""
        now = self._causes.clock()
        others = [(name, last) for name, last in inbox.holders(session) if name != self._name]
        gone = [name for name, last in others if abs(now - last) > LONGEST_CLAIM or self._is_gone(name)]
        for name in gone:
            inbox.release(session, name)
        return bool(gone)

    def _handle_in_process(self, mail: _ClaimedMail) -> bool:
        """Handle a mail that is cheap to read or decided by its headers. Otherwise return False."""
        outcome: list[Message | None] = []

        def handle() -> None:
            head = mail.mail.read_head()
            # Reading a short body costs less than another transaction for the headers.
            if len(head.body) > MAX_SHORT_BODY_BYTES and self._decided_by_headers(mail, head):
                return
            outcome.append(self._read_in_process(mail, head))
            if outcome[0] is not None:
                self._finish(mail, outcome[0])

        self._guard(mail, handle)
        return outcome != [None]

    def _read_in_process(self, mail: _ClaimedMail, head: Head) -> Message | None:
        """Read the mail in this process. Return None if reading may be expensive or an earlier attempt did not end."""
        if mail.row.attempts > 1:
            return None
        read = read_body(head, self._limits.stricter())
        return None if read.excess is not None and head.mail.excess is None else read

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
            outcome: Message | LimitExceeded | ChildFailed
            try:
                outcome = await asyncio.to_thread(self._reader.read, mail.mail)
            except Closed:
                return
            except ChildFailed as error:
                outcome = error
            except OSError as error:
                log.warning("cannot start a process to read mail %d: %s", mail.number, error)
                await asyncio.sleep(SPAWN_RETRY.total_seconds())
                continue
            del self._for_reader[mail.number]
            self._wake.set()
            began = time.perf_counter()
            self._guard(mail, partial(self._finish_or_raise, mail, outcome))
            await _let_others_run(began)

    def _finish_or_raise(self, mail: _ClaimedMail, outcome: Message | LimitExceeded | ChildFailed) -> None:
        if isinstance(outcome, ChildFailed):
            raise outcome
        self._finish(mail, outcome)

    def _read_now(self, mail: _ClaimedMail) -> Message | LimitExceeded | ChildFailed:
        """Read a mail in the reader process. If that process can't be started, release the mail and raise OSError."""
        try:
            return self._reader.read(mail.mail)
        except ChildFailed as error:
            return error
        except OSError:
            with self._store.transaction() as session:
                inbox.unclaim(session, mail.number, self._name)
            raise

    def _guard(self, mail: _ClaimedMail, handle: Callable[[], None]) -> None:
        """Handle a mail. If that fails with an exception, store the error: the mail is retried and finally shunted.

        If the error can't be stored, this process skips the mail. The next process to start claims it again.
        """
        fault = _error_of(handle)
        if fault is None:
            return
        storing_error = _error_of(partial(self._store_error, mail, fault))
        if storing_error is not None:
            self._unstorable.add(mail.number)
            template = "mail %d failed with %s, and storing that failed with %s; skipping the mail until the next start"
            log.error(template, mail.number, log_fields.cause(fault), log_fields.cause(storing_error))

    def _decided_by_headers(self, mail: _ClaimedMail, head: Head) -> bool:
        """Store the outcome of a mail if its headers alone decide it. Return whether they do."""
        outcome = self._stored(
            mail, lambda session, by: self._causes.headers(session, mail.row, head.mail, by)
        )
        return outcome is not None

    def _finish(self, mail: _ClaimedMail, read: Message | LimitExceeded) -> None:
        """Store the outcome of a mail that was read, or that exceeded the limits of reading."""
        if isinstance(read, LimitExceeded):
            message, unreadable = mail.mail.read_head().mail, read.reason
        else:
            message, unreadable = read, None
        self._stored(mail, lambda session, by: self._causes.mail(session, mail.row, message, by, unreadable))

    def _stored(
        self, mail: _ClaimedMail, work: Callable[[Session, Claimant], Handled | None]
    ) -> Outcome | None:
        """Return the outcome that `work` stored in a transaction, or None. Raises Conflict if retries don't help."""
        by = Claimant(self._name, sends=self._delivery.takes_letters)
        try:
            # `durable=False` is safe: the delivery worker syncs the disk before letters leave, and the poller does
            # before mails are moved.
            handled = with_retries(self._store, lambda session: work(session, by), durable=False)
        except inbox.ClaimLost:
            return Outcome()  # handling took so long that another process has claimed the mail
        if handled is None:
            return None
        outcome = handled.outcome
        if handled.claimed:
            self._delivery.hand_over(handled.claimed)
        if len(handled.claimed) < len(outcome.letters) or _has(outcome, ReleaseLetters):
            self._delivery.wake()
        if _has(outcome, RunTask):
            self._on_tasks()
        self._log_outcome(mail, outcome)
        if _has(outcome, ErasePlayer):
            checkpoint(self._store)
        return outcome

    def _log_outcome(self, mail: _ClaimedMail, outcome: Outcome) -> None:
        """Log the state in which a mail ended."""
        number, state, note = mail.number, outcome.state, outcome.note
        assert state is not None
        if state is MailState.SHUNTED:
            facts = log_fields.of_mail(number, state, note, (outcome.game, None))
            log.error("mail %d is shunted: %s", number, note, extra=facts)
            return
        ms = (time.perf_counter() - mail.started) * 1_000
        facts = log_fields.of_mail(number, state, note, (outcome.game, outcome.turn), ms)
        log.info("mail %d: %s (%s), %.1f ms", number, state, note, ms, extra=facts)

    def _store_error(self, mail: _ClaimedMail, error: Exception) -> None:
        """Store the error that a mail caused. After too many errors the mail is shunted."""
        number, note, cause = mail.number, "".join(traceback.format_exception(error)), log_fields.cause(error)
        with self._store.transaction() as session:
            shunted = inbox.record_error(session, number, note, self._name)
        if shunted:
            # An error's message may quote a player, so it is stored with the mail and not logged.
            template = "mail %d failed with %s and is shunted; see `takmail mail show %d`"
            log.error(
                template, number, cause, number, extra=log_fields.of_mail(number, MailState.SHUNTED, cause)
            )

    def new_mail(
        self,
        raw: bytes,
        size: int,
        mailbox: str = "",
        uid_validity: int | None = None,
        uid: int | None = None,
    ) -> NewMail:
        """Return a mail to be stored. `size` is the mail's full length, as `raw` may be cut."""
        message_id, sender = read_id_and_sender(raw)
        size = max(size, len(raw))
        is_whole = size <= self._limits.mail_bytes
        return NewMail(
            mailbox=mailbox,
            uid_validity=uid_validity,
            uid=uid,
            raw=self._limits.kept(raw, size),
            size=size,
            sender=sender,
            queue=queue_of(self._causes.services.key, raw, sender),
            fingerprint=inbox.fingerprint(raw, message_id, sender, is_whole=is_whole),
            received_at=self._causes.clock(),
        )


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
    return any(isinstance(one, kind) for one in outcome.world.operations)


def _error_of(handle: Callable[[], None]) -> Exception | None:
    """Run `handle` and return the error that the mail caused, or None. Raises errors that the database caused."""
    try:
        handle()
    except UNAVAILABLE as error:
        # Only a collision with another transaction counts as an error of the mail, which is then retried. If the
        # database is unavailable, busy or full, the mail waits.
        if not has_collided(error):
            raise
    except Exception as error:  # the only broad `except`: one mail must not stop the others
        if is_damage(error):
            raise  # the mail is not the cause, and waits until the database is repaired
        return error
    return None
