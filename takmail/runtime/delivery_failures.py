"""Do what follows from the mail server's answers: retry a letter, mark it as failed, let all letters wait.

If no letter can be sent, because the server can't be reached or has a limit on our sending, sending pauses, and is then
tried by one letter at a time until the server accepts one.

A limit in answer to a recipient may be the word of that recipient's server. It counts once it has come for two domains.
The next letter then goes to another domain, so that a server that lies holds up hardly more than its own letters.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlmodel import Session

from takmail.mail.domains import organisation_of
from takmail.runtime import log_fields
from takmail.runtime.net.smtp import Failed, Later, Sent
from takmail.runtime.outages import checkpoint, doubled
from takmail.store import dispatch, outbox
from takmail.store.causes import with_retries
from takmail.store.database import UNAVAILABLE, Store, is_damage
from takmail.store.dispatch import Claimed
from takmail.store.machine_time import TimeSource
from takmail.store.tables import OutboxRow
from takmail.world import ReturnedLetter

log = logging.getLogger(__name__)

GIVE_UP_AFTER = timedelta(days=5)
"""The time after which an undelivered letter fails (RFC 5321 §4.5.4.1 requires at least 4–5 days)."""

_LONGEST_RETRY = timedelta(hours=2)

FIRST_PAUSE = timedelta(minutes=1)
"""The pause for a limit. If the limit is surely ours, each pause is twice as long as the last one."""

LONGEST_PAUSE = timedelta(minutes=30)
"""The longest pause for a limit."""

TRIED_WITHIN = timedelta(minutes=5)
"""How long after a pause a letter that waits was tried again. If none was, none waits."""

_ENOUGH_DOMAINS = 2
"""The number of domains for whose recipients a limit has to come until it counts."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of handing one letter to the mail server. `ms` is how long it took, in milliseconds.

    `pause` is for how long sending as a whole waits because of it, or None if it concerns only this letter. It is never
    None if the server is unreachable.
    """

    letter: Claimed
    result: Sent | Later | Failed
    ms: float
    pause: timedelta | None = None


class DeliveryFailures:
    """Stores failed attempts, each in a transaction of its own."""

    def __init__(
        self,
        store: Store,
        time_source: TimeSource,
        came_back: Callable[[Session, ReturnedLetter, str], object],
    ) -> None:
        self._store = store
        self._now = time_source
        self._on_bounce = came_back

    def note(self, attempt: Attempt) -> None:
        """Schedule a retry, or mark the letter as failed.

        If storing this fails with an exception, the letter is marked as failed, and its address gets no bounce.
        """
        try:
            self._note(attempt)
        except UNAVAILABLE:
            raise
        except Exception as error:  # an error with one letter must not stop the others
            if is_damage(error):
                raise
            # An error's message may quote a player.
            log.error(
                "letter %d: storing the failed attempt failed with %s",
                attempt.letter.id,
                log_fields.cause(error),
            )
            self._mark_failed(
                attempt, Failed("" if isinstance(attempt.result, Sent) else attempt.result.reason)
            )

    def _note(self, attempt: Attempt) -> None:
        match attempt.result:
            # A letter does not fail because none can be sent, however long that lasts.
            case Later(reason, unreachable=False) if is_given_up(attempt.letter.attempts + 1):
                self._mark_failed(attempt, Failed(f"given up after {GIVE_UP_AFTER.days} days: {reason}"))
            case Later() as later:
                self._retry_later(attempt, later)
            case Failed() as failed:
                self._mark_failed(attempt, failed)

    def _retry_later(self, attempt: Attempt, result: Later) -> None:
        letter, reason = attempt.letter, result.reason
        # Attempts are not counted while no letter can be sent. Otherwise one temporary refusal (451) after an outage
        # would delay the letter for hours.
        attempts = letter.attempts + (not result.unreachable)
        delay = attempt.pause if result.unreachable and attempt.pause else retry_delay(attempts)
        with self._store.transaction() as session:
            # Without a connection the letter did not leave, so its turn can still be taken back.
            held_before = letter.held_before if result.unreachable else None
            dispatch.later(session, letter.id, self._now() + delay, attempts, reason, held_before=held_before)
        facts = log_fields.of_letter(letter, "later", attempt.ms, reason)
        # `DeliveryWorker` logs a pause of all sending, once for all letters.
        level = logging.WARNING if attempt.pause is None else logging.DEBUG
        log.log(level, "letter %d: deferred; retrying in %s: %s", letter.id, delay, reason, extra=facts)

    def _mark_failed(self, attempt: Attempt, result: Failed) -> None:
        letter, reason = attempt.letter, result.reason

        def fail(session: Session) -> bool:
            is_purged = dispatch.failed(session, letter.id, reason)
            if result.no_such_recipient:
                row = session.get_one(OutboxRow, letter.id)
                self._on_bounce(session, outbox.returned(row), reason)
            return is_purged

        is_purged = with_retries(self._store, fail)
        facts = log_fields.of_letter(letter, "failed", attempt.ms, reason)
        log.error("letter %d: refused for good: %s", letter.id, reason, extra=facts)
        if is_purged:
            checkpoint(self._store)


def retry_delay(attempts: int) -> timedelta:
    """Return the pause after this number of failed attempts to deliver a letter.

    It is 1 minute after the first attempt and doubles up to 2 hours.
    """
    return doubled(timedelta(minutes=1), attempts, _LONGEST_RETRY)


def is_given_up(attempts: int) -> bool:
    """Return whether the pauses after this number of attempts add up to GIVE_UP_AFTER.

    The clock is not used, as it may have been set meanwhile.
    """
    waited = sum((retry_delay(one) for one in range(1, attempts)), timedelta(0))
    return waited >= GIVE_UP_AFTER


class SendingThrottle:
    """Decides when letters may leave. If `is_slow` is true, only one at a time may."""

    def __init__(self) -> None:
        self.is_slow = False
        # The domains for whose recipients a limit has come since a letter was last accepted.
        self._domains: set[str] = set()
        self._pause = timedelta(0)
        self._began = datetime.min.replace(tzinfo=UTC)

    def remaining(self, now: datetime) -> timedelta:
        """Return how long no letter may leave. A pause ends if the clock is set back, as it could last for days."""
        since = now - self._began
        return self._pause - since if timedelta(0) <= since < self._pause else timedelta(0)

    def is_blocked(self, now: datetime) -> bool:
        """Return whether letters could not leave when they were last tried, and are tried again."""
        since = now - self._began
        return self.is_slow and timedelta(0) <= since < self._pause + TRIED_WITHIN

    @property
    def avoided(self) -> tuple[frozenset[str], ...]:
        """The domains to which the next letter is not to go, and then those if there is no other letter."""
        return tuple(dict.fromkeys((frozenset(self._domains if self.is_slow else ()), frozenset())))

    def note(
        self, to: str, result: Sent | Later | Failed, now: datetime, retry: timedelta, *, was_alone: bool
    ) -> timedelta | None:
        """Take the result of a letter into account. If all letters wait because of it, return the pause.

        `retry` is the pause if the server can't be reached. `was_alone`: the letter left when only one at a time might.
        """
        if isinstance(result, Sent):
            self.is_slow, self._pause = False, timedelta(0)
            self._domains.clear()
        if not isinstance(result, Later) or not (result.unreachable or result.is_limit):
            return None
        if not result.unreachable:
            self._domains.add(organisation_of(to) or to.rpartition("@")[2])
        counts = result.unreachable or len(self._domains) >= _ENOUGH_DOMAINS
        self.is_slow = self.is_slow or counts
        # After letters that left together, one to another domain may leave at once.
        if not counts or not (result.unreachable or was_alone):
            return None
        if not self.remaining(now):
            of_limit = min(
                max(self._pause * 2, FIRST_PAUSE), LONGEST_PAUSE if result.unreachable else FIRST_PAUSE
            )
            self._pause, self._began = of_limit if result.is_limit else retry, now
        return self._pause
