"""When the next letter may leave, and whether several may leave at once, by the mail server's answers.

If no letter can be sent, because the server can't be reached or has a limit on our sending, sending pauses, and is then
tried by one letter at a time until the server accepts one.

A limit in answer to a recipient may be the word of that recipient's server. It counts once it has come for two domains,
and then a letter to a third one is tried at once. So two hostile domains hold up only their own letters.
"""

from datetime import UTC, datetime, timedelta

from takmail.mail.domains import organisation_of
from takmail.runtime.net.smtp import Failed, Later, Sent

FIRST_PAUSE = timedelta(minutes=1)
LONGEST_PAUSE = timedelta(minutes=30)
"""The first and the longest pause for a limit. Each is twice as long as the last one."""

_ENOUGH_DOMAINS = 2
"""The number of domains for whose recipients a limit has to come until it counts. One more stops all letters."""


class SendingPace:
    """Decides when letters may leave. If `is_slow` is true, only one at a time may."""

    def __init__(self) -> None:
        self.is_slow = False
        # The domains for whose recipients a limit has come since a letter was last accepted.
        self._domains: set[str] = set()
        self._pause = timedelta(0)
        self._began = datetime.min.replace(tzinfo=UTC)
        self._stops_all = False

    def remaining(self, now: datetime) -> timedelta:
        """Return how long sending still pauses. A pause ends if the clock is set back, as it could last for days."""
        since = now - self._began
        return self._pause - since if timedelta(0) <= since < self._pause else timedelta(0)

    def stops_all(self, now: datetime) -> bool:
        """Return whether no letter may leave."""
        return self._stops_all and bool(self.remaining(now))

    def may_leave(self, to: str, now: datetime) -> bool:
        """Return whether a letter to this address may leave."""
        return not self.remaining(now) or not (self._stops_all or _domain(to) in self._domains)

    def avoided(self, now: datetime) -> tuple[frozenset[str], ...]:
        """Return the domains to which the next letter is not to go, and those if there is no other letter."""
        first = frozenset(self._domains if self.is_slow else ())
        return (first,) if self.remaining(now) or not first else (first, frozenset())

    def note(
        self, to: str, result: Sent | Later | Failed, now: datetime, retry: timedelta
    ) -> timedelta | None:
        """Take the result of a letter into account. If sending as a whole waits because of it, return the pause.

        `retry` is the pause if the server can't be reached.
        """
        if isinstance(result, Sent):
            self.is_slow, self._pause = False, timedelta(0)
            self._domains.clear()
        if not isinstance(result, Later) or not (result.unreachable or result.is_limit):
            return None
        was_slow = self.is_slow
        if not result.unreachable:
            self._domains.add(_domain(to))
            if not was_slow and len(self._domains) < _ENOUGH_DOMAINS:
                return None
        stops_all = result.unreachable or len(self._domains) > _ENOUGH_DOMAINS
        if self.remaining(now):
            self._stops_all = self._stops_all or stops_all
        else:
            self._pause = min(max(self._pause * 2, FIRST_PAUSE), LONGEST_PAUSE) if result.is_limit else retry
            self._began, self._stops_all = now, stops_all
        self.is_slow = True
        return self._pause if result.unreachable or was_slow else None


def _domain(address: str) -> str:
    """Return the domain of the organisation or the provider that an address belongs to."""
    return organisation_of(address) or address.rpartition("@")[2]
