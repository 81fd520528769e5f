"""Limit the letters to all strangers together, within an hour and within a day.

Anybody can write in a stranger's name, and a player can invite any address. One budget is for answers to mails that may
be forged, another for letters to addresses that players typed, so that forged mails can't use up the second. One
organisation gets only a part of a budget, and so does one player.
"""

from collections.abc import Collection, Iterator, Sequence, Set
from datetime import datetime, timedelta
from math import ceil
from operator import attrgetter

from takmail.commands.answers import RefusalError, refused
from takmail.commands.context import Context
from takmail.limits.letters import STRANGER_SHARES, RateLimits
from takmail.mail.domains import organisation_of
from takmail.world import (
    LIFETIME,
    CountedLetter,
    PlayerId,
    Queries,
    StrangerBudget,
    events,
)

LONGEST_WAIT = LIFETIME / 2
"""How long a letter to a typed address waits at most. The other half of the time is left for the answer."""

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
_NOBODY = frozenset((("to", ""), ("by", None), ("from", "")))
"""What has no share: a common provider, and nobody."""


def free_at(
    rates: RateLimits, budget: StrangerBudget, counted: Collection[CountedLetter], letter: CountedLetter
) -> tuple[datetime, str]:
    """Return when a letter may leave, and the name of the limit for which it has to wait, '' if it need not.

    It is the earliest time at which no limit is exceeded, so that those who wait for long hold nobody else back.
    `counted` are the letters of the budget that have left within a day or are to leave.
    """
    by_time = sorted(counted, key=attrgetter("leaves_at"))
    known = [(earlier.leaves_at, _sharers(earlier)) for earlier in by_time]
    taken: list[tuple[datetime, datetime, str]] = []
    for name, window in (
        (f"total_stranger_{budget}_per_hour", _HOUR),
        (f"total_stranger_{budget}_per_day", _DAY),
    ):
        most = getattr(rates, name)
        taken += [(*span, name) for span in _taken([when for when, _ in known], most, window)]
        for sharer in _sharers(letter):
            same = [when for when, sharers in known if sharer in sharers]
            taken += [(*span, name) for span in _taken(same, max(1, most // STRANGER_SHARES), window)]
    at, limit = letter.leaves_at, ""
    for start, end, name in sorted(taken):
        if start < at < end:
            at, limit = end, name
    return at, limit


def wait_for(context: Context, to: str, player: PlayerId) -> tuple[datetime | None, int]:
    """Return until when a letter waits that `player` causes by typing the address `to`, and the hours, rounded up.

    They are None and 0 if it may leave now. A letter is refused that would leave too late to be answered, or goes to a
    domain from which the operator takes no mail. All typed addresses count. If those of players did not, the wait would
    reveal which ones are.
    """
    if context.world.ask(Queries.mailbox, to).block_reason is not None:
        raise RefusalError(refused("blocked_domain", address=to))
    now, by = context.now, (context.author.address,)
    # Of this mail's letters only their number counts. A mail has few of them.
    this_mail = events.typed_letters(context.so_far.happened)
    counted = [CountedLetter("", waits_until or now, player, by) for waits_until in this_mail]
    counted += context.world.ask(Queries.counted_letters, StrangerBudget.INVITATIONS)
    at, _ = free_at(
        context.services.rates, StrangerBudget.INVITATIONS, counted, CountedLetter(to, now, player, by)
    )
    if at - now > LONGEST_WAIT:
        raise RefusalError(refused("asks_too_many"))
    return (at, ceil((at - now) / _HOUR)) if at > now else (None, 0)


def _sharers(letter: CountedLetter) -> Set[object]:
    """Return what gets only a part of a budget: the recipient's organisation, the player, the player's organisations.

    A common provider has no share, as its addresses have nothing in common.
    """
    by = {("from", organisation_of(address)) for address in letter.player_addresses}
    return {("to", organisation_of(letter.to)), ("by", letter.player), *by} - _NOBODY


def _taken(times: Sequence[datetime], most: int, window: timedelta) -> Iterator[tuple[datetime, datetime]]:
    """Yield between which times one more letter would exceed `most` letters within a `window`. `times` are sorted."""
    for first, last in zip(times, times[most - 1 :], strict=False):
        if last - first < window:
            yield last - window, first + window
