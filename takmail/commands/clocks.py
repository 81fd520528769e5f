"""Carry out the commands about clocks, and about time off, in which a player's clocks stand."""

from datetime import UTC, datetime, timedelta

from takmail.commands.answers import Answer, Refusal, Told, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Length
from takmail.commands.grammar.dates import Away, until_of
from takmail.commands.profile import enrol
from takmail.world import (
    BEHIND_UTC,
    DAY,
    GRACE,
    HOLIDAYS,
    Player,
    Queries,
    TimeOff,
    announced_until,
    clock_of,
    day_or_time,
    end_of,
    events,
    holidays_left,
    tzinfo_of,
)

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
    ends_at = clock_of(context.game).deadline
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
    """Begin time off of the sender now, for a length of time or until a day of theirs is over everywhere."""
    player, joined = enrol(context)
    now, zone = context.now, tzinfo_of(player.preferences.zone)
    today, latest = now.astimezone(zone).date(), _latest(player, now)
    read = until_of(command.text, today)
    if isinstance(read, timedelta):
        days, ends = [(now + read).astimezone(zone).date()], [now + read]
    else:
        days, ends = read, [end_of(day) for day in read if day >= today]
    possible = [end for end in ends if end <= latest]
    if len(possible) != 1:
        fault = "ambiguous" if possible else "long" if ends else "past" if days else "unreadable"
        longest = (latest - BEHIND_UTC).date() - DAY
        offered = [day_or_time(end) for end in possible] or [longest] * (longest >= today)
        left = holidays_left(player.back_at(now).time_off, now.year) // DAY
        read_as = max(days, default=None)
        return refused(
            "away_refused", fault=fault, days=tuple(offered), read_as=read_as, left=left, year=now.year
        )
    off = TimeOff(now, possible[0])
    gone = player.taking_off(off)
    years = dict.fromkeys((now.year, (off.ended_at - DAY).year))
    left_then = tuple((year, holidays_left(gone.time_off, year) // DAY) for year in years)
    return (*joined, events.WentAway(player=player.id, off=off, left=left_then))


def _latest(player: Player, now: datetime) -> datetime:
    """Return until when a player can be away from now on. Time off over New Year counts in both years."""
    time_off, next_year = player.back_at(now).time_off, datetime(now.year + 1, 1, 1, tzinfo=UTC)
    end = now + holidays_left(time_off, now.year)
    return end if end < next_year else next_year + holidays_left(time_off, now.year + 1)


def come_back(context: Context) -> Answer:
    """End the sender's time off now."""
    player, now = context.player, context.now
    if player is None or player.away_until(now) is None:
        return told("not_away")
    left = holidays_left(player.back_at(now).time_off, now.year) // DAY
    return (events.CameBack(player=player.id, came_back_at=now, left=((now.year, left),)),)


def tell_time_off(context: Context, *, tells_setting: bool = False) -> Told:
    """Tell whether the sender is away, how many days off are left this year, and whether others are taken for them."""
    player, now = context.player, context.now
    is_away = player is not None and player.away_until(now) is not None
    left = HOLIDAYS if player is None else holidays_left(player.time_off, now.year)
    return told(
        "time_off",
        is_away=is_away,
        until=None if player is None else announced_until(player, now),
        left=((now.year, left // DAY),),
        announces=player is not None and player.preferences.announces_holidays if tells_setting else None,
    )
