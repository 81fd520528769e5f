"""When the next letter may leave, and whether several may leave at once, by the mail server's answers.

If no letter can be sent, because the server can't be reached or has a limit on our sending, sending pauses, and is then
tried by one letter at a time until the server accepts one.

A limit in answer to a recipient may be the word of that recipient's server. It counts once it has come for two domains.
The next letter then goes to another domain, so that a server that lies holds up hardly more than its own letters.
"""

from datetime import UTC, datetime, timedelta

from takmail.mail.domains import organisation_of
from takmail.runtime.net.smtp import Failed, Later, Sent

FIRST_PAUSE = timedelta(minutes=1)
"""The pause for a limit. If the limit is surely ours, each pause is twice as long as the last one."""

LONGEST_PAUSE = timedelta(minutes=30)
"""The longest pause for a limit."""

TRIED_WITHIN = timedelta(minutes=5)
"""How long after a pause a letter that waits was tried again. If none was, none waits."""

_ENOUGH_DOMAINS = 2
"""The number of domains for whose recipients a limit has to come until it counts."""


class SendingPace:
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
