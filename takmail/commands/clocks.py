"""Carry out the commands about clocks, and about time off, in which a player's clocks stand."""

from datetime import UTC, date, datetime, time, timedelta

from takmail.commands.answers import Answer, Refusal, Told, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.arguments import Length
from takmail.commands.grammar.dates import Away, until_of
from takmail.commands.grammar.zones import tzinfo_of
from takmail.commands.profile import enrol
from takmail.world import (
    DAY,
    GRACE,
    HOLIDAYS,
    Player,
    Queries,
    TimeOff,
    clock_of,
    game_changes,
    holidays_left,
    news,
)
from takmail.world.changes import Change, in_game, of_player

WAIT = 3 * DAY
"""How long a player gets if the opponent waits although their time is over."""
_BEHIND_UTC = timedelta(hours=12)
"""A day ends last where clocks are so far behind UTC. Time off until a day ends then, so that it tells no zone."""


def tell(_context: Context) -> Told:
    """Tell the time for turns, what each player has left, and until when the next move counts."""
    return told("clock")


def gift(context: Context, command: Length) -> Answer:
    """Give the opponent time for their next turn."""
    table = context.table
    if table.record.clock_from is None:
        return refused("no_clock")
    given = news.TimeGiven(game=table.number, seat=context.you, time=command.time)
    return given, in_game(table.number, game_changes.with_gift, context.you.other, command.time)


def cannot_claim(context: Context) -> Refusal | None:
    """Return a refusal if the opponent has time, or a mail of theirs waits that came in time, otherwise None.

    It may be their move. Later mails count only once they are handled, or further ones could put off the end for ever.
    """
    ends_at = clock_of(context.table).deadline
    if ends_at is None or ends_at > context.now:
        return refused("nothing_to_claim")
    opponent = context.table.players[context.you.other]
    is_waiting = context.world.ask(Queries.has_waiting_mail, opponent.id, ends_at + GRACE)
    return refused("opponents_mail_waits") if is_waiting else None


def waiting(context: Context) -> Change:
    """Return the change that gives the opponent, whose time is over, more of it from now on."""
    clock = clock_of(context.table)
    over = clock.spent_until(context.now) - (clock.allowance or timedelta(0))
    return in_game(
        context.table.number, game_changes.with_gift, context.you.other, max(timedelta(0), over) + WAIT
    )


# Time off, in which the clocks of a player stand.


def go_away(context: Context, command: Away) -> Answer:
    """Begin time off of the sender now, for a length of time or until a day of theirs is over everywhere."""
    player, joined = enrol(context)
    now, zone = context.now, tzinfo_of(player.zone)
    today, latest = now.astimezone(zone).date(), _latest(player, now)
    read = until_of(command.text, today)
    if isinstance(read, timedelta):
        days, ends = [(now + read).astimezone(zone).date()], [now + read]
    else:
        days, ends = read, [_end_of(day) for day in read if day >= today]
    possible = [end for end in ends if end <= latest]
    if len(possible) != 1:
        fault = "ambiguous" if possible else "long" if ends else "past" if days else "unreadable"
        longest = (latest - _BEHIND_UTC).date() - DAY
        offered = [_until(end) for end in possible] or [longest] * (longest >= today)
        left = holidays_left(player.back_at(now).time_off, now.year) // DAY
        read_as = max(days, default=None)
        return refused(
            "away_refused", fault=fault, days=tuple(offered), read_as=read_as, left=left, year=now.year
        )
    off = TimeOff(now, possible[0])
    gone = player.taking_off(off)
    years = dict.fromkeys((now.year, (off.ended_at - DAY).year))
    left_then = tuple((year, holidays_left(gone.time_off, year) // DAY) for year in years)
    went = news.WentAway(until=_until(off.ended_at), left=left_then)
    return (went, *joined, of_player(player.id, Player.taking_off, off))


def _latest(player: Player, now: datetime) -> datetime:
    """Return until when a player can be away from now on. Time off over New Year counts in both years."""
    time_off, next_year = player.back_at(now).time_off, datetime(now.year + 1, 1, 1, tzinfo=UTC)
    end = now + holidays_left(time_off, now.year)
    return end if end < next_year else next_year + holidays_left(time_off, now.year + 1)


def _end_of(day: date) -> datetime:
    return datetime.combine(day + DAY, time(), UTC) + _BEHIND_UTC


def _until(end: datetime) -> date:
    """Return the day whose end is the end of time off, or the end itself if no day ends then."""
    day = (end - DAY).date()
    return day if _end_of(day) == end else end


def come_back(context: Context) -> Answer:
    """End the sender's time off now."""
    player, now = context.player, context.now
    if player is None or player.away_until(now) is None:
        return told("not_away")
    left = holidays_left(player.back_at(now).time_off, now.year) // DAY
    back = news.CameBack(left=((now.year, left),))
    return (back, of_player(player.id, Player.back_at, now))


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
        announces=player is not None and player.announces_holidays if tells_setting else None,
    )


def announced_until(player: Player, now: datetime) -> date | None:
    """Return until when a player is away by what they have announced, as `WentAway` tells it. None if they are not."""
    off = next((off for off in player.time_off if off.began_at <= now < off.ended_at), None)
    return None if off is None or off.is_automatic else _until(off.ended_at)
