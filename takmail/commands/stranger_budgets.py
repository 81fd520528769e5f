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


def wait_for(context: Context, to: str, player: PlayerId) -> datetime | None:
    """Return until when a letter waits that `player` causes by typing the address `to`, None if it may leave now.

    All typed addresses count. If those of players did not, the wait would reveal which ones are.
    """
    by = (context.sender,)
    this_mail = (CountedLetter(one, until or context.now, player, by) for one, until in _typed(context))
    counted = (*context.queries.counted_letters(StrangerBudget.INVITATIONS), *this_mail)
    letter = CountedLetter(to, context.now, player, by)
    at, limit = free_at(context.services.rates, StrangerBudget.INVITATIONS, counted, letter)
    return at if limit else None


def hours_until(context: Context, at: datetime | None) -> int:
    """Return the number of hours until a letter leaves, rounded up, 0 if it leaves now."""
    return 0 if at is None else ceil((at - context.now) / _HOUR)


def _typed(context: Context) -> Iterator[tuple[str, datetime | None]]:
    """Yield the typed addresses to which the mail has sent letters so far, each with the time until which one waits."""
    for one in context.done(InvitationWritten):
        game = context.state.table(one.game)
        if game.record.guest_label is not None:
            guest = game.players[game.record.seat_of(game.record.guest)]
            yield guest.main_mailbox.address, one.waits_until
    for asked in context.done(AddressAsked):
        if asked.sends_letter and asked.question.address is not None:
            yield asked.question.address, asked.waits_until


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
