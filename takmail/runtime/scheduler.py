"""Handle what is due in games by itself, such as reminders, and note while takmail is well.

Takmail is well while its mailbox answers and its letters can leave. While it is not, nothing is due, and no player's
clock runs (`takmail.store.outages`).
"""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from sqlmodel import Session

from takmail.pipeline.due import on_due
from takmail.pipeline.process import Outcome
from takmail.runtime import log_fields
from takmail.runtime.delivery_worker import DeliveryWorker
from takmail.runtime.imap_poller import NOTED_EVERY
from takmail.runtime.net.imap import ImapAccount
from takmail.runtime.outages import isolated
from takmail.store import clock, due, health, outages
from takmail.store.causes import Causes, new_cause, with_retries
from takmail.store.database import Store
from takmail.store.due import Due
from takmail.world import GRACE, GameNumber, due_at

log = logging.getLogger(__name__)

PASS_EVERY = timedelta(minutes=1)
"""The interval between two passes."""

AT_ONCE = 200
"""The maximum number of games in one pass. Each pass looks first whether takmail is still well."""


def machine_seconds() -> float:
    """Return for how long the machine has run, also while it was suspended, in seconds."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


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
        may_act, handled = self._note(), 0
        while may_act and handled < AT_ONCE and (work := self._claim()) is not None:
            handled += 1
            self._handle(work)
            await asyncio.sleep(0)
        return handled

    def _note(self) -> bool:
        """Note that takmail is well, if it is. Return whether what is due may be handled."""
        now, running, account = self._causes.clock(), self._running(), self._account
        ran = None if self._noted is None else timedelta(seconds=running - self._noted)
        with self._store.transaction() as session:
            is_known = clock.believed(session, now, timedelta(seconds=running - self._read)) == now
            self._read = running
            contact = now if account is None else health.last_contact(session, account.mailbox)
            if not is_known or contact is None or self._delivery.is_blocked:
                return False
            since = abs(now - contact)
            if account is not None and since > timedelta(seconds=account.poll_seconds) + 2 * NOTED_EVERY:
                return False
            outage = outages.note_well(session, now, ran)
        self._noted = running
        if outage is not None:
            log.info("no mails were read or no letters sent from %s to %s: no player's clock ran", *outage)
        # A mailbox that is seldom polled may have a mail that came in time.
        return since <= GRACE

    def _claim(self) -> Due | None:
        with self._store.transaction(durable=False) as session:
            return due.claim(session, self._name, self._causes.clock())

    def _handle(self, work: Due) -> None:
        """Handle a game that is due. If that fails with an exception, the game is due again when its lease ends."""
        with isolated(partial(_log_failure, work)):
            outcome = with_retries(self._store, partial(self._decide, work), durable=False)
            if outcome.letters:
                self._delivery.wake()

    def _decide(self, work: Due, session: Session) -> Outcome:
        """Decide and store what is due in a game, and when it is due next."""
        number, now = GameNumber(work.game), self._causes.clock()
        outcome = self._causes.decide(
            session,
            new_cause(f"game {number} is due", now),
            lambda context: on_due(context, number),
            games=(number,),
            with_turn_times=True,
        )
        table = outcome.world.games.get(number)
        at = None if table is None else due_at(table, now)
        if at is not None and at <= now:
            at = now + due.LEASE  # what waits for something must not be claimed again at once
        due.finish(session, work, at, self._name)
        return outcome


def _log_failure(work: Due, error: Exception) -> None:
    level = logging.ERROR if work.attempts == 1 else logging.DEBUG
    log.log(level, "game %d: handling what is due failed with %s", work.game, log_fields.cause(error))
