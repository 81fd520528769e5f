"""Carry out the commands about clocks, and about time off, in which a player's clocks stand."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from takmail.commands.answers import Answer, Refusal, RefusalError, Told, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Length
from takmail.commands.grammar.dates import Away, Planned, periods_of, until_of
from takmail.commands.profile import chooser
from takmail.world import (
    DAY,
    GRACE,
    Player,
    Queries,
    TimeOff,
    announced_until,
    beginning_of,
    day_or_time,
    deadline_of,
    end_of,
    events,
    fits_in,
    zone_of,
)
from takmail.world.clock import HOLIDAYS, clock_of, holidays_left

_LEAST = timedelta(seconds=1)
_YEARS_AHEAD = 1
"""In how many calendar years after this one time off can begin. Each has a few days, so that there are not many."""
WAIT = 3 * DAY
"""How long a player gets if the opponent waits although their time is over."""


def tell(_context: Context) -> Told:
    """Tell the time for turns, what each player has left, and until when the next move counts."""
    return told("clock")


def gift(context: Context, command: Length) -> Answer:
    """Give the opponent time for their next turn."""
    game = context.game
    if game.record.timing.clock_from is None:
        return refused("no_clock")
    return (events.TimeGiven(game=game.number, seat=context.you, time=command.time),)


def cannot_claim(context: Context) -> Refusal | None:
    """Return a refusal if the opponent has time, or a mail of theirs waits that came in time, otherwise None.

    It may be their move. Later mails count only once they are handled, or further ones could put off the end for ever.
    """
    ends_at = deadline_of(context.game)
    if ends_at is None or ends_at > context.now:
        return refused("nothing_to_claim")
    opponent = context.game.players[context.you.other]
    is_waiting = context.world.ask(Queries.has_waiting_mail, opponent.id, ends_at + GRACE)
    return refused("opponents_mail_waits") if is_waiting else None


def waiting(context: Context) -> events.TimeAdded:
    """Return that the opponent, whose time is over, gets more of it from now on."""
    clock = clock_of(context.game)
    over = clock.spent_until(context.now) - (clock.allowance or timedelta(0))
    more = max(timedelta(0), over) + WAIT
    return events.TimeAdded(game=context.game.number, seat=context.you.other, time=more)


# Time off, in which the clocks of a player stand.


def go_away(context: Context, command: Away) -> Answer:
    """Plan time off of the sender: from now on, or in periods of days. A day is one of the sender's time zone.

    It takes the place of what was planned and overlaps it.
    """
    player, joined = chooser(context)
    now, zone = context.now, zone_of(player)
    periods = periods_of(command.text, now.astimezone(zone).date())
    if periods is None:
        return (*joined, _away_until(player, command.text, now))
    gone, time_off = player, list[TimeOff]()
    for first, last in _without_overlaps(periods):
        if first > last or first.year > now.year + _YEARS_AHEAD:
            raise RefusalError(_away_refused(player, "unreadable", now))
        begins, ends = max(now, beginning_of(first, zone)), end_of(last, zone)
        if ends <= now:
            raise RefusalError(_away_refused(player, "past", now, read_as=last))
        off = TimeOff(begins, ends)
        gone = gone.taking_off(off, now)
        if not fits_in(gone.time_off, _years(off)):
            refusal = _away_refused(player, "long", now, read_as=last, first=first if begins > now else None)
            raise RefusalError(refusal)
        time_off.append(off)
    return (*joined, _went_away(player, time_off, now))


def _without_overlaps(periods: Sequence[tuple[date, date]]) -> list[tuple[date, date]]:
    """Return periods by their first days. Those that overlap are one, as later time off takes the place of earlier."""
    apart = list[tuple[date, date]]()
    for first, last in sorted(periods):
        if apart and first <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(apart[-1][1], last))
        else:
            apart.append((first, last))
    return apart


def _away_until(player: Player, text: str, now: datetime) -> events.WentAway:
    """Return that a player is away from now on, for a length of time or until the end of a day.

    Raises RefusalError.
    """
    zone = zone_of(player)
    today = now.astimezone(zone).date()
    read = until_of(text, today)
    if isinstance(read, timedelta):
        days, ends = [(now + read).astimezone(zone).date()], [now + read]
    else:
        days, ends = read, [end_of(day, zone) for day in read if day >= today]
    offs = [TimeOff(now, end) for end in ends]
    possible = [off for off in offs if fits_in(player.taking_off(off, now).time_off, _years(off))]
    if len(possible) == 1:
        return _went_away(player, possible, now)
    fault = "ambiguous" if possible else "long" if ends else "past" if days else "unreadable"
    meant = tuple(day_or_time(off.ended_at, zone) for off in possible)
    raise RefusalError(_away_refused(player, fault, now, read_as=max(days, default=None), meant=meant))


def _years(off: TimeOff) -> range:
    """Return the years in which time off counts (UTC)."""
    return range(off.began_at.year, (off.ended_at - _LEAST).year + 1)


def _went_away(player: Player, time_off: Sequence[TimeOff], now: datetime) -> events.WentAway:
    gone = player
    for off in time_off:
        gone = gone.taking_off(off, now)
    years = dict.fromkeys((now.year, *(year for off in time_off for year in _years(off))))
    left = tuple((year, holidays_left(gone.time_off, year) // DAY) for year in years)
    return events.WentAway(player=player.id, time_off=tuple(time_off), announced_at=now, left=left)


def _away_refused(
    player: Player,
    fault: str,
    now: datetime,
    *,
    read_as: date | None = None,
    first: date | None = None,
    meant: tuple[date, ...] = (),
) -> Refusal:
    """Return why a player can't be away, with the days until which they can be: those that may be `meant`, or the last.

    `first` is the first day, None if it is today.
    """
    zone = zone_of(player)
    begins = now if first is None else beginning_of(first, zone)
    longest = _latest(player, begins, now).astimezone(zone).date() - DAY
    days = meant or (longest,) * (end_of(longest, zone) > begins)
    left = holidays_left(player.back_at(now).time_off, begins.year) // DAY
    year = begins.year
    return refused("away_refused", fault=fault, days=days, read_as=read_as, first=first, left=left, year=year)


def _latest(player: Player, begins: datetime, now: datetime) -> datetime:
    """Return until when a player can be away from a time on. Time off over New Year counts in both years."""
    next_year = datetime(begins.year + 1, 1, 1, tzinfo=UTC)
    time_off = player.taking_off(TimeOff(begins, begins + _LEAST), now).time_off
    later = min((off.began_at for off in time_off if off.began_at > begins), default=None)
    end = begins + _LEAST + holidays_left(time_off, begins.year)
    latest = end if end < next_year else next_year + holidays_left(time_off, begins.year + 1)
    return latest if later is None else min(latest, later)


def come_back(context: Context) -> Answer:
    """End the sender's time off now. What they have planned stays."""
    player, now = context.player, context.now
    if player is None or player.away_until(now) is None:
        return told("not_away", planned=() if player is None else _planned(player, now))
    return (events.CameBack(player=player.id, came_back_at=now, left=_left(player.back_at(now), now)),)


def cancel_time_off(context: Context, command: Planned | None = None) -> Answer:
    """Take back the planned time off that has a day, or the only one."""
    player, now = context.player, context.now
    planned = () if player is None else player.planned(now)
    if player is None or not planned:
        return told("nothing_planned")
    meant = planned
    if command is not None:
        today, zone = now.astimezone(zone_of(player)).date(), zone_of(player)
        periods, read = periods_of(command.text, today), until_of(command.text, today)
        days = [] if isinstance(read, timedelta) else read
        if periods is not None:
            days = [first for first, last in periods if first <= last]
        meant = tuple(
            off for off in planned for day in days if off.began_at < end_of(day, zone) <= off.ended_at
        )
    if len(meant) != 1:
        return refused("which_planned", planned=_planned(player, now))
    left = _left(player.without(meant[0]), now)
    return (events.TimeOffCancelled(player=player.id, off=meant[0], left=left),)


def _left(player: Player, now: datetime) -> tuple[tuple[int, int], ...]:
    return ((now.year, holidays_left(player.time_off, now.year) // DAY),)


def _planned(player: Player, now: datetime) -> tuple[tuple[date, date], ...]:
    """Return the first and the last day of each time off that a player has planned."""
    zone = zone_of(player)
    days = ((off.began_at, off.ended_at - _LEAST) for off in player.planned(now))
    return tuple((begins.astimezone(zone).date(), ends.astimezone(zone).date()) for begins, ends in days)


def tell_time_off(context: Context, *, tells_setting: bool = False) -> Told:
    """Tell when the sender is away, how many days off are left this year, and whether others are taken for them."""
    player, now = context.player, context.now
    is_away = player is not None and player.away_until(now) is not None
    left = ((now.year, HOLIDAYS // DAY),) if player is None else _left(player, now)
    return told(
        "time_off",
        is_away=is_away,
        until=None if player is None else announced_until(player, now),
        planned=() if player is None else _planned(player, now),
        left=left,
        announces=player is not None and player.preferences.announces_holidays if tells_setting else None,
    )
