"""Into the intake queue, and from there through the pipeline: each mail is kept whole before anything is made of it."""

import asyncio
import logging
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from sqlmodel import Session

from takmail.commands.kinds import MailState
from takmail.mail.message import Message
from takmail.mail.queue import queue_of
from takmail.mail.reader import Head, ToRead, light, read_body
from takmail.pipeline.values import Outcome
from takmail.runtime import log_fields
from takmail.runtime.reader_process import Closed, Overrun, ReaderFailed, ReaderProcess
from takmail.store import inbox, process_name
from takmail.store.causes import Causes, again
from takmail.store.database import AWAY, Store, has_collided, is_damage
from takmail.store.tables import IntakeRow

log = logging.getLogger(__name__)

LOOK_AGAIN = timedelta(seconds=1)
"""How long a mail that another process has put into the queue may go unnoticed."""

BUSY = timedelta(milliseconds=20)
"""The same while there are many."""

TURNS = 4
"""Turns of the loop after each mail: what a server says passes through as many hands until it is answered."""

MAILS_AHEAD = 50
"""After so many mails the letters that follow from them have to have left, but for a few."""

SHORT_BYTES = 16 * 1024
"""A body of so many bytes is read before the headers are judged, which costs a transaction of its own."""

LONGEST_IN_HAND = timedelta(minutes=10)
"""After so long a mail is claimed anew that a process on another machine has in hand, which may have ended."""

NO_PROCESS = timedelta(seconds=5)
"""The pause where no process can be started to read a mail."""


async def _at_once() -> None:
    """Where no letters leave meanwhile, there is nothing to wait for."""


@dataclass(frozen=True, slots=True)
class _InHand:
    """A mail that this process has claimed: its row, itself, and the moment on which that began."""

    row: IntakeRow
    mail: ToRead
    started: float

    @property
    def number(self) -> int:
        """Its number in the queue."""
        assert self.row.id is not None
        return self.row.id


class MailWorker:
    """The way in; `letters_wait` is called after each mail, as there may be letters to send then.

    `letters_leave` is awaited now and then, so that no more letters come to wait than can leave. `name` is whose claims
    are whose; `is_gone` tells of a name whether its process is known to be gone.

    A mail takes two transactions: it is claimed and counted, and once its body is read, with none open, all that it
    leads to is stored. Between them the headers of a long one are judged in a third. A body that could take long is
    read by another process; the mails behind it go on meanwhile, but for those of its queue.
    """

    def __init__(
        self,
        store: Store,
        causes: Causes,
        *,
        letters_wait: Callable[[], None] = lambda: None,
        letters_leave: Callable[[], Awaitable[None]] = _at_once,
        name: str | None = None,
        reader: ReaderProcess | None = None,
        is_gone: Callable[[str], bool] = process_name.is_gone,
    ) -> None:
        self._store = store
        self._causes = causes
        self._limits = causes.services.limits
        self._letters_wait = letters_wait
        self._letters_leave = letters_leave
        self._name = name or process_name.new_name()
        self._reader = reader or ReaderProcess()
        self._is_gone = is_gone
        self._wake = asyncio.Event()
        # The mails that another process is to read, and when each was claimed: their bytes may be many.
        self._apart: dict[int, float] = {}
        # The mails of which it could not even be noted that they raise: as they were claimed, they would come next.
        self._left_alone: set[int] = set()
        self._reading_apart: asyncio.Task[None] | None = None

    def keep_one(self, raw: bytes, size: int = 0) -> int:
        """Record a mail that came without a mailbox; gives its number. `size` is its length where `raw` is cut."""
        return self.keep([(raw, size)])[0]

    def keep(self, mails: Sequence[tuple[bytes, int]]) -> list[int]:
        """As `keep_one` for each of these mails, all of them or none."""
        numbers = []
        with self._store.transaction() as session:
            for raw, size in mails:
                row = inbox.record(session, self.row(raw, size, "", None, None))
                assert row is not None
                assert row.id is not None
                numbers.append(row.id)
        self._wake.set()
        return numbers

    async def run(self, goes_on: Callable[[], None] = lambda: None) -> None:
        """Handle mails as they come into the queue, until cancelled; those of other processes a while later.

        `goes_on` is called whenever all are handled.
        """
        pause = BUSY
        while True:
            self._wake.clear()
            # While there is much to do, what others keep is soon to be found.
            pause = BUSY if await self.work_in_turns() else min(2 * pause, LOOK_AGAIN)
            if not self._apart:
                goes_on()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause.total_seconds()):
                    await self._wake.wait()

    @property
    def reads_apart(self) -> bool:
        """Whether another process is reading mails now, which end some time later."""
        return bool(self._apart)

    def work(self) -> int:
        """Handle every mail that waits; gives their number."""
        handled = 0
        while (mail := self._next()) is not None:
            handled += 1
            if not self._handled_here(mail):
                self._guarded(mail, partial(self._end_or_raise, mail, self._read_now(mail)))
            self._letters_wait()
        return handled

    async def work_in_turns(self) -> int:
        """As `work`, but a signal to stop and the letters on their way get their turn after each mail.

        Mails that another process reads are handled when they are read, which may be later.
        """
        handled = 0
        await self._letters_leave()
        self._go_on_apart()
        while (mail := self._next()) is not None:
            handled += 1
            if not self._handled_here(mail):
                self._apart[mail.number] = mail.started
                self._go_on_apart()
            self._letters_wait()
            for _ in range(TURNS):
                await asyncio.sleep(0)
            if handled % MAILS_AHEAD == 0:
                await self._letters_leave()
        return handled

    async def settle(self) -> None:
        """Return once every mail is handled that another process reads; raises what `work_in_turns` does."""
        if self._reading_apart is not None:
            await asyncio.wait({self._reading_apart})
            self._go_on_apart()

    async def close(self) -> None:
        """Give back the mails that are in hand, and end the process that reads them."""
        self._reader.close()
        if self._reading_apart is not None:
            self._reading_apart.cancel()
            await asyncio.gather(self._reading_apart, return_exceptions=True)
        if self._apart:
            with self._store.transaction() as session:
                for number in self._apart:
                    inbox.give_back(session, number, self._name)
            self._apart.clear()

    def _next(self) -> _InHand | None:
        """Claim the next mail, before a byte of it is read; None: there is none that others haven't in hand."""
        started, in_hand = time.perf_counter(), (*self._apart, *self._left_alone)
        with self._store.transaction(lasting=False) as session:
            row = inbox.claim(session, self._causes.clock(), self._name, in_hand)
            if row is None and self._releases_those_gone(session):
                row = inbox.claim(session, self._causes.clock(), self._name, in_hand)
        return None if row is None else self._in_hand(row, started)

    def _in_hand(self, row: IntakeRow, started: float) -> _InHand:
        return _InHand(row, self._causes.to_read(row.raw, row.size), started)

    def _releases_those_gone(self, session: Session) -> bool:
        """Let go of the mails of processes that are gone, or have had them in hand for long; True: there are some."""
        now = self._causes.clock()
        others = [(name, last) for name, last in inbox.holders(session) if name != self._name]
        gone = [name for name, last in others if abs(now - last) > LONGEST_IN_HAND or self._is_gone(name)]
        for name in gone:
            inbox.release(session, name)
        return bool(gone)

    def _handled_here(self, mail: _InHand) -> bool:
        """Handle a mail that costs little to read, or ends by its headers; False: its body is to be read apart."""
        outcome: list[Message | None] = []

        def handle() -> None:
            head = mail.mail.read_head()
            # A short body costs less to read than the question whether it is to be read.
            if len(head.body) > SHORT_BYTES and self._turned_away(mail, head):
                return
            outcome.append(self._read_here(mail, head))
            if outcome[0] is not None:
                self._end(mail, outcome[0])

        self._guarded(mail, handle)
        return outcome != [None]

    def _read_here(self, mail: _InHand, head: Head) -> Message | None:
        """The mail with its body, if that costs little to read, and no attempt at it has failed; else None."""
        if mail.row.attempts > 1:
            return None
        read = read_body(head, self._limits.of_cheap_mail())
        return None if read.excess is not None and head.mail.excess is None else read

    def _go_on_apart(self) -> None:
        """Read mails apart, if there are any; raises what has ended that, such as a database that is away."""
        if self._reading_apart is not None and self._reading_apart.done():
            ended, self._reading_apart = self._reading_apart, None
            ended.result()
        if self._apart and self._reading_apart is None:
            self._reading_apart = asyncio.create_task(self._read_apart())

    async def _read_apart(self) -> None:
        """Handle the mails that another process reads, one after the other; `_go_on_apart` raises what ends it."""
        while self._apart:
            number, started = next(iter(self._apart.items()))
            with self._store.transaction(lasting=False) as session:
                mail = self._in_hand(inbox.get(session, number), started)
            outcome: Message | Overrun | ReaderFailed
            try:
                outcome = await asyncio.to_thread(self._reader.read, mail.mail)
            except Closed:
                return
            except ReaderFailed as error:
                outcome = error
            except OSError as error:
                log.warning("no process can be started to read mail %d: %s", mail.number, error)
                await asyncio.sleep(NO_PROCESS.total_seconds())
                continue
            del self._apart[mail.number]
            self._wake.set()
            self._guarded(mail, partial(self._end_or_raise, mail, outcome))
            self._letters_wait()

    def _end_or_raise(self, mail: _InHand, outcome: Message | Overrun | ReaderFailed) -> None:
        if isinstance(outcome, ReaderFailed):
            raise outcome
        self._end(mail, outcome)

    def _read_now(self, mail: _InHand) -> Message | Overrun | ReaderFailed:
        """The mail as another process reads it; raises OSError, and gives the mail back, where there can be none."""
        try:
            return self._reader.read(mail.mail)
        except ReaderFailed as error:
            return error
        except OSError:
            with self._store.transaction() as session:
                inbox.give_back(session, mail.number, self._name)
            raise

    def _guarded(self, mail: _InHand, handle: Callable[[], None]) -> None:
        """Handle a mail; one that raises is tried again a few times and then kept for the operator.

        Where that can't be noted, it is left alone until another process claims it.
        """
        fault = _fault_of(handle)
        if fault is None:
            return
        unnoted = _fault_of(partial(self._raised, mail, fault))
        if unnoted is not None:
            self._left_alone.add(mail.number)
            said = "mail %d raised %s, and noting it %s; it is left alone until the next start"
            log.error(said, mail.number, log_fields.cause(fault), log_fields.cause(unnoted))

    def _turned_away(self, mail: _InHand, head: Head) -> bool:
        """Whether the mail ends by its headers alone, which is stored then."""
        outcome = self._stored(
            mail, lambda session: self._causes.headers(session, mail.row, head.mail, self._name)
        )
        return outcome is not None

    def _end(self, mail: _InHand, read: Message | Overrun) -> None:
        """Store all that a mail leads to, or that it takes too much to read."""
        if isinstance(read, Overrun):
            head, reason = mail.mail.read_head().mail, read.reason
            self._stored(
                mail, lambda session: self._causes.unreadable(session, mail.row, head, reason, self._name)
            )
        else:
            self._stored(mail, lambda session: self._causes.mail(session, mail.row, read, self._name))

    def _stored(self, mail: _InHand, work: Callable[[Session], Outcome | None]) -> Outcome | None:
        """What a mail leads to, stored. None: nothing was done. Raises Conflict where others stay in its way."""
        try:
            # A letter is claimed before it leaves, by a commit that waits until the disk has this one, too.
            outcome = again(self._store, work, lasting=False)
        except inbox.NotOurs:
            return Outcome()  # it took so long that another process has it now
        if outcome is not None:
            self._tell(mail, outcome)
        return outcome

    def _tell(self, mail: _InHand, outcome: Outcome) -> None:
        """Say in the log where a mail has ended."""
        number, state, note = mail.number, outcome.state, outcome.note
        assert state is not None
        if state is MailState.SHUNTED:
            facts = log_fields.of_mail(number, state, note, (outcome.game, None))
            said = (
                "mail %d is kept (shunted): %s" if outcome.is_costly else "mail %d is kept (shunted), as %s"
            )
            log.error(said, number, note, extra=facts)
            return
        ms = (time.perf_counter() - mail.started) * 1_000
        facts = log_fields.of_mail(number, state, note, (outcome.game, outcome.turn), ms)
        log.info("mail %d: %s (%s), %.1f ms", number, state, note, ms, extra=facts)

    def _raised(self, mail: _InHand, error: Exception) -> None:
        """Note that a mail has raised."""
        number, note, cause = mail.number, "".join(traceback.format_exception(error)), log_fields.cause(error)
        with self._store.transaction() as session:
            shunted = inbox.stumbled(session, number, note, self._name)
        if shunted:
            # What an error says may be a player's words; they are kept with the mail.
            said = "mail %d raised %s and is kept (shunted); `takmail mail show %d` tells more"
            log.error(said, number, cause, number, extra=log_fields.of_mail(number, MailState.SHUNTED, cause))

    def row(
        self, raw: bytes, size: int, mailbox: str, uid_validity: int | None, uid: int | None
    ) -> IntakeRow:
        """A mail as it is kept; `size` is its length where `raw` is cut."""
        message_id, sender = light(raw)
        size = max(size, len(raw))
        is_whole = size <= self._limits.mail_bytes
        return IntakeRow(
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


def _fault_of(handle: Callable[[], None]) -> Exception | None:
    """What handling a mail raises; None: nothing that is the mail's fault. Raises what is the database's."""
    try:
        handle()
    except AWAY as error:
        # Another process's transaction was in the way, and the mail is the next one again; or the database is
        # away, busy or full: no fault of the mail's, which waits in the queue.
        if not has_collided(error):
            raise
    except Exception as error:  # the one broad net: nothing in a mail may stop the others
        if is_damage(error):
            raise  # no fault of the mail's either; it waits in what can be saved of the queue
        return error
    return None
