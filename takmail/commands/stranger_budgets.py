"""Limit the letters to all strangers together, within an hour and within a day.

Anybody can write in a stranger's name, and a player can invite any address. One budget is for answers to mails that may
be forged, another for letters to addresses that players typed, so that forged mails can't use up the second. One
organisation gets only a part of a budget, and so does one player.
"""

from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from math import ceil

from takmail.commands.context import Context
from takmail.commands.events import AddressAsked, InvitationWritten
from takmail.commands.kinds import StrangerBudget
from takmail.commands.records import CountedLetter, PlayerId
from takmail.limits.letters import STRANGER_SHARES, RateLimits
from takmail.mail.domains import organisation_of

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def free_at(
    rates: RateLimits, budget: StrangerBudget, counted: Collection[CountedLetter], letter: CountedLetter
) -> tuple[datetime, str]:
    """Return when a letter may leave, and the name of the limit for which it has to wait, '' if it need not.

    `counted` are the letters of the budget that have left within a day or are to leave.
    """
    known = [(one.leaves_at, frozenset(_sharers(one))) for one in counted]
    at, limit = letter.leaves_at, ""
    for name, window in (
        (f"total_stranger_{budget}_per_hour", _HOUR),
        (f"total_stranger_{budget}_per_day", _DAY),
    ):
        most = getattr(rates, name)
        free = [_free_in([when for when, _ in known], most, window)]
        for sharer in _sharers(letter):
            same = [when for when, sharers in known if sharer in sharers]
            free.append(_free_in(same, max(1, most // STRANGER_SHARES), window))
        if max(free) > at:
            at, limit = max(free), name
    return at, limit


def wait_for(context: Context, to: str, player: PlayerId) -> tuple[datetime | None, int]:
    """Return until when a letter waits that `player` causes by typing the address `to`, and the hours, rounded up.

    They are None and 0 if it may leave now. All typed addresses count. If those of players did not, the wait would
    reveal which ones are.
    """
    now, by = context.now, (context.sender,)
    # Of this mail's letters only their number counts. A mail has few of them.
    this_mail: tuple[InvitationWritten | AddressAsked, ...] = (
        *context.done(InvitationWritten),
        *context.done(AddressAsked),
    )
    counted = [CountedLetter("", one.waits_until or now, player, by) for one in this_mail]
    counted += context.queries.counted_letters(StrangerBudget.INVITATIONS)
    at, _ = free_at(
        context.services.rates, StrangerBudget.INVITATIONS, counted, CountedLetter(to, now, player, by)
    )
    return (at, ceil((at - now) / _HOUR)) if at > now else (None, 0)


def _sharers(letter: CountedLetter) -> Iterator[object]:
    """Yield what gets only a part of a budget: the recipient's organisation, the player and the player's organisations.

    A common provider has no share, as its addresses have nothing in common.
    """
    if to := organisation_of(letter.to):
        yield "to", to
    if letter.player is not None:
        yield "by", letter.player
    for organisation in {organisation_of(one) for one in letter.player_addresses} - {""}:
        yield "from", organisation


def _free_in(times: Collection[datetime], most: int, window: timedelta) -> datetime:
    """Return from when on one more letter keeps to `most` letters within any `window`."""
    return sorted(times)[-most] + window if len(times) >= most else datetime.min.replace(tzinfo=UTC)
