"""Do what time brings: what is due, such as reminders and digests, and retention. Note while takmail is well.

Takmail is well while its mailbox answers and its letters can leave. While it is not, nothing is due, and no player's
clock runs (`takmail.store.machine_time`). Retention runs in steps that delay no mail: it reduces old rows to what
their games need, and closes what has expired.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from sqlmodel import Session

from takmail.commands.answers import Events
from takmail.commands.context import Context
from takmail.pipeline.clubs import on_club
from takmail.pipeline.due import close_overdue, on_digest, on_due
from takmail.pipeline.process import Conflict, Outcome
from takmail.runtime import log_fields
from takmail.runtime.delivery_worker import DeliveryWorker
from takmail.runtime.imap_poller import NOTED_EVERY
from takmail.runtime.net.imap import ImapAccount
from takmail.runtime.outages import checkpoint, isolated
from takmail.store import digests, due, health, inbox, machine_time, retention
from takmail.store.causes import Causes, new_cause, retried, with_retries
from takmail.store.database import Store
from takmail.store.due import Due
from takmail.store.machine_time import machine_seconds
from takmail.store.parts_answered import answer_parts
from takmail.world import DAY, GRACE, GameNumber, MailState, PlayerId, due_at

log = logging.getLogger(__name__)

PASS_EVERY = timedelta(minutes=1)
"""The interval between two passes."""

AT_ONCE = 200
"""The maximum number of games in one pass. Each pass looks first whether takmail is still well."""

RETENTION_EVERY = timedelta(days=1)
"""The interval at which a service runs retention."""

READ_EVERY = timedelta(hours=1)
"""The interval at which a service reads its clock, to know for how long it has stood."""

STRANGERS_MAILS_KEPT = timedelta(days=1)
"""How long the mails are kept of a sender who is no player and has proven nothing."""

ROWS_AT_ONCE = 200
"""The maximum number of rows that one transaction of retention handles."""


class Scheduler:
    """Handles the games that are due. `name` is this process's name in claims. `account` is that of the mailbox.

    `delivery` sends the letters. `running` returns seconds by a clock that can't leap.
    """

    def __init__(
        self,
        store: Store,
        causes: Causes,
        delivery: DeliveryWorker,
        name: str,
        account: ImapAccount | None,
        running: Callable[[], float] = machine_seconds,
    ) -> None:
        self._store = store
        self._causes = causes
        self._delivery = delivery
        self._name = name
        self._account = account
        self._running = running
        self._read = running()
        self._noted: float | None = None

    async def work_in_turns(self) -> int:
        """Handle at most AT_ONCE games that are due, and let mails be handled after each. Return how many there were.

        If takmail is well, note that before. Otherwise do nothing.
        """
        handled = 0
        may_act = self._note()
        while may_act and handled < AT_ONCE:
            work = self._claim()
            if work is None:
                break
            handled += 1
            self._handle(work)
            await asyncio.sleep(0)
        return handled

    def _note(self) -> bool:
        """Note that takmail is well, if it is. Return whether what is due may be handled."""
        now, running, account = self._causes.now(), self._running(), self._account
        ran = None if self._noted is None else timedelta(seconds=running - self._noted)
        with self._store.transaction() as session:
            is_known = machine_time.believed(session, now, timedelta(seconds=running - self._read)) == now
            self._read = running
            if not is_known:
                # A leap of the clock is part of the outage, as no player can have used that time.
                self._noted = None
            contact = now if account is None else health.last_contact(session, account.mailbox)
            if not is_known or contact is None or self._delivery.is_blocked:
                return False
            since = abs(now - contact)
            if account is not None and since > timedelta(seconds=account.poll_seconds) + 2 * NOTED_EVERY:
                return False
            outage = machine_time.note_well(session, now, ran)
        self._noted = running
        if outage is not None:
            log.info("no mails were read or no letters sent from %s to %s: no player's clock ran", *outage)
        # A mailbox that is seldom polled may have a mail that came in time.
        return since <= GRACE

    def _claim(self) -> Due | None:
        with self._store.transaction(durable=False) as session:
            return due.claim(session, self._name, self._causes.now())

    def _handle(self, work: Due) -> None:
        """Handle what is due. If that fails with an exception, it is due again when its lease ends."""
        with isolated(partial(_log_failure, work)):
            handles = {
                due.CLOCK: self._handle_clock,
                due.DIGEST: self._handle_digest,
                due.PARTS: self._handle_parts,
            }
            outcome = handles.get(work.work, self._handle_club)(work)
            if outcome is not None and outcome.letters:
                self._delivery.wake()

    def _handle_digest(self, work: Due) -> Outcome:
        """Write the digest of a player. While no letter can go to them, it is looked at once a day."""
        player = PlayerId(work.subject)
        cause = new_cause(f"the digest of player {player} is due", self._causes.now())

        def finish(session: Session) -> None:
            is_held = bool(digests.held_letters(session, player))
            again = self._causes.now() + DAY if is_held else None
            due.finish(session, work, again, self._name)

        decide = partial(on_digest, number=player)
        return retried(lambda: self._causes.decide_apart(self._store, cause, decide, finish))

    def _handle_clock(self, work: Due) -> Outcome:
        return with_retries(self._store, partial(self._decide_clock, work), durable=False)

    def _handle_parts(self, work: Due) -> Outcome | None:
        """Answer the parts of a mail, or put that off until all are handled. Either ends the claim."""
        answer = partial(answer_parts, self._causes, mail=work.subject)
        return with_retries(self._store, answer, durable=False)

    def _handle_club(self, work: Due) -> Outcome:
        """Do what is due about a tournament, one of its games, or a player who is to hear of it."""
        cause = new_cause(f"{work.work} of {work.subject} is due", self._causes.now())

        def decide(session: Session) -> Outcome:
            done = self._causes.decide(session, cause, partial(on_club, subject=work.subject, work=work.work))
            due.finish(session, work, None, self._name)
            return done

        return with_retries(self._store, decide, durable=False)

    def _decide_clock(self, work: Due, session: Session) -> Outcome:
        """Decide and store what is due in a game, and when it is due next."""
        number, now = GameNumber(work.subject), self._causes.now()
        outcome = self._causes.decide(
            session,
            new_cause(f"game {number} is due", now),
            lambda context: on_due(context, number),
            games=(number,),
            with_turn_times=True,
        )
        game = outcome.world.find_game(number)
        at = None if game is None else due_at(game, now)
        if at is not None and at <= now and not outcome.happened:
            at = now + due.LEASE  # what waits for something must not be claimed again at once
        due.finish(session, work, at, self._name)
        return outcome


def _log_failure(work: Due, error: Exception) -> None:
    level = logging.ERROR if work.attempts == 1 else logging.DEBUG
    template = "%s of %d: handling what is due failed with %s"
    log.log(level, template, work.work, work.subject, log_fields.cause(error))


@dataclass(frozen=True, slots=True)
class Reduced:
    """The result of reducing some mails at once. `count` is how many were reduced.

    If any of them can't be reduced, `refused` has their numbers, and no mail was reduced.
    """

    count: int
    refused: tuple[int, ...] = ()


class Retention:
    """Reduces rows older than `days`, and closes offers, seeks and questions that have expired.

    `running` returns monotonic seconds.
    """

    def __init__(
        self,
        store: Store,
        causes: Causes,
        days: int,
        running: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._causes = causes
        self._days = timedelta(days=days)
        self._running = running
        self._read = running()
        self._last: datetime | None = None

    def work(self) -> int:
        """Do everything that is due, unless this object did it less than a day ago.

        Return how many mails and letters were reduced.
        """
        return sum(self._steps())

    def reduce_mails(self, numbers: Sequence[int]) -> Reduced:
        """Reduce these mails, all or none, whatever their age."""
        with self._store.transaction() as session:
            rows = {number: inbox.find(session, number) for number in numbers}
            refused = tuple(
                number for number, row in rows.items() if row is None or row.state == MailState.NEW
            )
            if refused:
                return Reduced(0, refused)
            count = retention.reduce_these_mails(session, numbers)
        checkpoint(self._store)
        return Reduced(count)

    async def work_in_turns(self) -> None:
        """Do the same as `work`, but let mails and letters be handled after each step."""
        for _ in self._steps():
            await asyncio.sleep(0)

    def _believed_now(self) -> datetime:
        """Return the time by which rows may be reduced and closed, which is an earlier one if the clock has leapt."""
        now, running = self._causes.now(), self._running()
        with self._store.transaction() as session:
            believed = machine_time.believed(session, now, timedelta(seconds=running - self._read))
        self._read = running
        if believed != now:
            log.warning(
                "the clock has leapt from %s to %s; until it has stood for a day, nothing is deleted or closed",
                believed,
                now,
            )
        return believed

    def _steps(self) -> Iterator[int]:
        """Run one transaction in each step, and yield the number of rows that it reduced."""
        now = self._believed_now()
        if self._last is not None and timedelta(0) <= now - self._last < RETENTION_EVERY:
            return
        self._last = now
        reduced = 0
        mails = partial(
            retention.reduce_mails, key=self._causes.services.key, strangers_before=now - STRANGERS_MAILS_KEPT
        )
        for reduce in (mails, retention.reduce_letters):
            last: int | None = 0
            while last is not None:
                with self._store.transaction() as session:
                    done = reduce(session, now - self._days, last, ROWS_AT_ONCE)
                reduced += done.reduced
                last = done.last
                yield done.reduced
        with self._store.transaction() as session:
            retention.drop_words(session, now - self._days)
            retention.drop_reasons(session, now - self._days)
            retention.forget_addresses(session, now - self._days)
        causes = replace(self._causes, now=lambda: now)
        try:
            while with_retries(self._store, partial(_close_due, causes)):
                yield 0
        except Conflict as conflict:
            log.warning(
                "expired offers, seeks or questions stay open until the next run, because of conflicts: %s",
                conflict,
            )
        if reduced:
            log.info("%d old mails and letters reduced", reduced)
        checkpoint(self._store)


def _close_due(causes: Causes, session: Session) -> bool:
    """Close some offers, seeks and questions that have expired. Return whether there were any."""
    cause = new_cause("what is overdue", causes.now())
    closed: list[object] = []

    def decide(context: Context) -> Events:
        effects = close_overdue(context, ROWS_AT_ONCE)
        closed[:] = effects
        return effects

    causes.decide(session, cause, decide)
    return bool(closed)
