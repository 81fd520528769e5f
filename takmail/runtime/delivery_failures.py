"""Schedule a retry for each letter that the mail server did not accept, or mark the letter as failed."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from takmail.runtime import log_fields
from takmail.runtime.net.retry_delays import GIVE_UP_AFTER, is_given_up, retry_delay
from takmail.runtime.net.smtp import Failed, Later, Sent
from takmail.runtime.outages import checkpoint
from takmail.store import dispatch, outbox
from takmail.store.causes import with_retries
from takmail.store.database import UNAVAILABLE, Store, is_damage
from takmail.store.dispatch import Claimed
from takmail.store.tables import OutboxRow
from takmail.world import ReturnedLetter

log = logging.getLogger(__name__)


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
    """Stores failed attempts, each in a transaction of its own. `clock` is as in `DeliveryWorker`."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        came_back: Callable[[Session, ReturnedLetter, str], object],
    ) -> None:
        self._store = store
        self._clock = clock
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
            dispatch.later(
                session, letter.id, self._clock() + delay, attempts, reason, held_before=held_before
            )
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
