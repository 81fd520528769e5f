"""Letters that the mail server did not take: send them again later, or note them as failed."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from takmail.commands.records import ReturnedLetter
from takmail.runtime import log_fields
from takmail.runtime.net.retry_delays import GIVE_UP_AFTER, is_given_up, retry_delay
from takmail.runtime.net.smtp import Failed, Later, Sent
from takmail.runtime.retention import wipe
from takmail.store import dispatch, outbox
from takmail.store.causes import again
from takmail.store.database import AWAY, Store, is_damage
from takmail.store.dispatch import Claimed

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A letter that was handed over, what came of it, and how many milliseconds that took."""

    letter: Claimed
    result: Sent | Later | Failed
    ms: float


class DeliveryFailures:
    """Notes each such letter by itself; `clock` and `came_back` are as for `Outbound`."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        came_back: Callable[[Session, ReturnedLetter, str], object],
    ) -> None:
        self._store = store
        self._clock = clock
        self._came_back = came_back

    def note(self, attempt: Attempt, shut_for: timedelta) -> None:
        """Note a letter as one to send later, or as failed; `shut_for` is the pause where the server lets nobody in.

        Where that raises, be it for what it means that the letter came back, it has failed and nothing follows from it.
        """
        try:
            self._note(attempt, shut_for)
        except AWAY:
            raise
        except Exception as error:  # a net for each letter: what follows from one may not stop the others
            if is_damage(error):
                raise
            # What an error says may be a player's words.
            log.error(
                "letter %d: noting that it was not taken raised %s",
                attempt.letter.id,
                log_fields.cause(error),
            )
            self._failed(attempt, Failed("" if isinstance(attempt.result, Sent) else attempt.result.reason))

    def _note(self, attempt: Attempt, shut_for: timedelta) -> None:
        result = attempt.result
        match result:
            # A server that lets nobody in is the operator's to mend, and no letter's fault.
            case Later(reason, unreachable=False) if is_given_up(attempt.letter.attempts + 1):
                result = Failed(f"given up after {GIVE_UP_AFTER.days} days: {reason}")
        match result:
            case Later():
                self._later(attempt, result, shut_for)
            case Failed():
                self._failed(attempt, result)

    def _later(self, attempt: Attempt, result: Later, shut_for: timedelta) -> None:
        letter, reason = attempt.letter, result.reason
        # Knocking at a shut door is no attempt: one 451 after it must not delay a letter for hours.
        attempts = letter.attempts + (not result.unreachable)
        delay = shut_for if result.unreachable else retry_delay(attempts)
        with self._store.transaction() as session:
            dispatch.later(session, letter.id, self._clock() + delay, attempts, reason)
        facts = log_fields.of_letter(letter, "later", attempt.ms, reason)
        # One line tells of a door that is shut, and not one for each letter and each knock.
        level = logging.DEBUG if result.unreachable else logging.WARNING
        log.log(level, "letter %d: not yet, again in %s: %s", letter.id, delay, reason, extra=facts)

    def _failed(self, attempt: Attempt, result: Failed) -> None:
        letter, reason = attempt.letter, result.reason

        def fail(session: Session) -> bool:
            is_gone = dispatch.failed(session, letter.id, reason)
            if result.no_such_reader:
                self._came_back(session, outbox.returned(outbox.get(session, letter.id)), reason)
            return is_gone

        is_gone = again(self._store, fail)
        facts = log_fields.of_letter(letter, "failed", attempt.ms, reason)
        log.error("letter %d: refused for good: %s", letter.id, reason, extra=facts)
        if is_gone:
            wipe(self._store, thoroughly=True)
