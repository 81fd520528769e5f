"""Into the intake queue, and from there through the service: each mail is kept whole before anything is made of it."""

import asyncio
import logging
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta

from takmail import events
from takmail.mail.reader import light
from takmail.service import frozen
from takmail.service.desk import Desk
from takmail.service.order import queue_of
from takmail.service.receive import receive
from takmail.service.soundness.fault import BrokenGame, Fault
from takmail.service.soundness.finding import note_of
from takmail.store import intake
from takmail.store.database import AWAY, Store, has_collided, is_damage
from takmail.store.tables import IntakeRow, MailState

log = logging.getLogger(__name__)

LOOK_AGAIN = timedelta(seconds=1)
"""How long a mail that another process has put into the queue may go unnoticed."""

BUSY = timedelta(milliseconds=20)
"""The same while there are many."""

TURNS = 4
"""Turns of the loop after each mail: what a server says passes through as many hands until it is answered."""

MAILS_AHEAD = 50
"""After so many mails the letters that follow from them have to have left, but for a few."""


async def _at_once() -> None:
    """Where no letters leave meanwhile, there is nothing to wait for."""


class Inbound:
    """The way in; `letters_wait` is called after each mail, as there may be letters to send then.

    `letters_leave` is awaited now and then, so that no more letters come to wait than can leave.
    """

    def __init__(
        self,
        store: Store,
        desk: Desk,
        *,
        letters_wait: Callable[[], None] = lambda: None,
        letters_leave: Callable[[], Awaitable[None]] = _at_once,
    ) -> None:
        self._store = store
        self._desk = desk
        self._letters_wait = letters_wait
        self._letters_leave = letters_leave
        self._wake = asyncio.Event()
        self._in_hand = 0

    def keep_one(self, raw: bytes, size: int = 0) -> int:
        """Record a mail that came without a mailbox; gives its number. `size` is its length where `raw` is cut."""
        return self.keep([(raw, size)])[0]

    def keep(self, mails: Sequence[tuple[bytes, int]]) -> list[int]:
        """As `keep_one` for each of these mails, all of them or none."""
        numbers = []
        with self._store.transaction() as session:
            for raw, size in mails:
                row = intake.record(session, self.row(raw, size, "", None, None))
                assert row is not None
                assert row.id is not None
                numbers.append(row.id)
        self._wake.set()
        return numbers

    async def run(self, goes_on: Callable[[], None] = lambda: None) -> None:
        """Deal with mails as they come into the queue, until cancelled; with those of other processes a while later.

        `goes_on` is called whenever all are dealt with.
        """
        pause = BUSY
        while True:
            self._wake.clear()
            # While there is much to do, what others keep is soon to be found.
            pause = BUSY if await self.work_in_turns() else min(2 * pause, LOOK_AGAIN)
            goes_on()
            with suppress(TimeoutError):
                async with asyncio.timeout(pause.total_seconds()):
                    await self._wake.wait()

    def work(self) -> int:
        """Deal with every mail that waits, each in its own transaction; gives their number."""
        return sum(1 for _ in self._steps())

    async def work_in_turns(self) -> int:
        """As `work`, but a signal to stop and the letters on their way get their turn after each mail."""
        dealt = 0
        await self._letters_leave()
        for _ in self._steps():
            dealt += 1
            for _ in range(TURNS):
                await asyncio.sleep(0)
            if dealt % MAILS_AHEAD == 0:
                await self._letters_leave()
        return dealt

    def _steps(self) -> Iterator[None]:
        while self._deal():
            self._letters_wait()
            yield

    def _deal(self) -> bool:
        """Deal with the next mail; one that raises is tried again a few times and then kept for the operator.

        False: there is none that others haven't in hand.
        """
        self._in_hand = 0
        try:
            return self._receive()
        except AWAY as error:
            if has_collided(error):
                return True  # with another process's; the mail waits, and is the next one again
            raise  # The database is away, busy or full: no fault of the mail's, which waits in the queue.
        except Exception as error:  # the one broad net: nothing in a mail may stop the others
            if is_damage(error) or not self._in_hand:
                raise  # No fault of the mail's either; it waits in what can be saved of the queue.
            self._stumble(self._in_hand, error)
            return True

    def _stumble(self, number: int, error: Exception) -> None:
        """Note that a mail has raised."""
        note, cause = "".join(traceback.format_exception(error)), events.cause(error)
        with self._store.transaction() as session:
            shunted = intake.stumbled(session, number, note)
        if shunted:
            # What an error says may be a player's words; they are kept with the mail.
            said = "mail %d raised %s and is kept (shunted); `takmail mail show %d` tells more"
            log.error(said, number, cause, number, extra=events.of_mail(number, MailState.SHUNTED, cause))

    def _receive(self) -> bool:
        """Have the service deal with the next mail; one about a broken game is kept, and the game frozen."""
        started = time.perf_counter()
        try:
            # A letter is claimed before it leaves, by a commit that waits until the disk has this one, too.
            with self._store.transaction(lasting=False) as session:
                row = intake.claim(session)
                if row is None:
                    return False
                number = self._in_hand = row.id or 0
                case = receive(self._desk, session, row)
        except BrokenGame as broken:
            if self._freeze(number, broken.fault):
                return True
            raise  # What is stored is sound: the mail's own doing, or mended meanwhile.
        ms = (time.perf_counter() - started) * 1_000
        facts = events.of_mail(number, row.state, row.note, events.about(case), ms)
        log.info("mail %d: %s (%s), %.1f ms", number, row.state, row.note, ms, extra=facts)
        return True

    def _freeze(self, number: int, fault: Fault) -> bool:
        """Have a broken game stand still and keep the mail; False: as it is stored the game is sound."""
        with self._store.transaction() as session:
            wrong = frozen.freeze(self._desk, session, fault.game, number)
        if wrong is None:
            return False
        facts = events.of_mail(number, MailState.SHUNTED, note_of(fault) + wrong, (fault.game, None))
        log.error("mail %d is kept (shunted), as %s%s", number, note_of(fault), wrong, extra=facts)
        return True

    def row(
        self, raw: bytes, size: int, mailbox: str, uid_validity: int | None, uid: int | None
    ) -> IntakeRow:
        """A mail as it is kept; `size` is its length where `raw` is cut."""
        message_id, sender = light(raw)
        size = max(size, len(raw))
        is_whole = size <= self._desk.limits.mail_bytes
        return IntakeRow(
            mailbox=mailbox,
            uid_validity=uid_validity,
            uid=uid,
            raw=self._desk.limits.kept(raw, size),
            size=size,
            sender=sender,
            queue=queue_of(self._desk, raw, sender),
            fingerprint=intake.fingerprint(raw, message_id, sender, is_whole=is_whole),
            received_at=self._desk.clock(),
        )
