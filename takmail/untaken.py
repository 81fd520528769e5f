"""What becomes of a letter that the mail server has not taken: it is sent again later, or has failed."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from takmail import events
from takmail.keeper import wipe
from takmail.mail.servers.delays import GIVE_UP_AFTER, is_given_up, retry_delay
from takmail.mail.servers.smtp import Failed, Later, Sent
from takmail.store import leaving, outbox
from takmail.store.database import Store
from takmail.store.leaving import Claimed
from takmail.store.tables import OutboxRow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A letter that was handed over, what came of it, and how many milliseconds that took."""

    letter: Claimed
    result: Sent | Later | Failed
    ms: float


class Untaken:
    """Notes each such letter by itself; `clock` and `came_back` are as for `Outbound`."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        came_back: Callable[[Session, OutboxRow, str], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._came_back = came_back

    def note(self, attempt: Attempt, shut_for: timedelta) -> None:
        """Note a letter as one to send later, or as failed; `shut_for` is the pause where the server lets nobody in."""
        letter, result, now, is_gone = attempt.letter, attempt.result, self._clock(), False
        match result:
            # A server that lets nobody in is the operator's to mend, and no letter's fault.
            case Later(reason, unreachable=False) if is_given_up(letter.attempts + 1):
                result = Failed(f"given up after {GIVE_UP_AFTER.days} days: {reason}")
        with self._store.transaction() as session:
            match result:
                case Later(reason):
                    # Knocking at a shut door is no attempt: one 451 after it must not delay a letter for hours.
                    attempts = letter.attempts + (not result.unreachable)
                    delay = shut_for if result.unreachable else retry_delay(attempts)
                    leaving.later(session, letter.id, now + delay, attempts, reason)
                    facts = events.of_letter(letter, "later", attempt.ms, reason)
                    # One line tells of a door that is shut, and not one for each letter and each knock.
                    level = logging.DEBUG if result.unreachable else logging.WARNING
                    log.log(
                        level, "letter %d: not yet, again in %s: %s", letter.id, delay, reason, extra=facts
                    )
                case Failed(reason, no_such_reader):
                    is_gone = leaving.failed(session, letter.id, reason)
                    if no_such_reader:
                        self._came_back(session, outbox.get(session, letter.id), reason)
                    facts = events.of_letter(letter, "failed", attempt.ms, reason)
                    log.error("letter %d: refused for good: %s", letter.id, reason, extra=facts)
        if is_gone:
            wipe(self._store, thoroughly=True)
