"""Carry out the commands about the time in which a player's clocks stand: away, back and holiday."""

from datetime import UTC, date, datetime, time, timedelta

from takmail.commands.answers import Answer, Refusal, Told, refused, told
from takmail.commands.context import Context
from takmail.commands.grammar.absence import Away
from takmail.commands.grammar.dates import AmbiguousDate, until_of
from takmail.commands.grammar.zones import tzinfo_of
from takmail.commands.profile import enrol
from takmail.world import Player
from takmail.world.changes import of_player
from takmail.world.clock import HOLIDAYS, holidays_left
from takmail.world.news import CameBack, WentAway
from takmail.world.pace import DAY, TimeOff

_BEHIND_UTC = timedelta(hours=12)
"""A day ends last where clocks are so far behind UTC. Time off ends then, so that it tells nobody the player's zone."""


def go_away(context: Context, command: Away) -> Answer:
    """Begin time off of the sender now, until the end of a day of theirs."""
    player, joined = enrol(context)
    now, zone = context.now, tzinfo_of(player.zone)
    today, longest = now.astimezone(zone).date(), _longest(player, now)
    match until_of(command.text, today):
        case None:
            return _refused("unreadable", player, now, longest)
        case AmbiguousDate(first, second):
            return _refused("ambiguous", player, now, first, second)
        case timedelta() as length:
            last = (now + length).astimezone(zone).date()
            # "30 days" are all of them, although the last day would end some hours later.
            last = longest if longest is not None and DAY <= last - longest <= 2 * DAY else last
        case date() as last:
            pass
    if last < today:
        return _refused("past", player, now, longest)
    if longest is None or last > longest:
        return _refused("long", player, now, longest)
    off = TimeOff(now, _end_of(last))
    gone = player.taking_off(off)
    years = dict.fromkeys((now.year, (off.ended_at - DAY).year))
    left = tuple((year, holidays_left(gone.time_off, year) // DAY) for year in years)
    went = WentAway(player=player.id, until=last, left=left)
    return (went, *joined, of_player(player.id, Player.taking_off, off))


def _longest(player: Player, now: datetime) -> date | None:
    """Return the last day until which a player can be away from now on, None if there is none.

    Time off over New Year counts in both years.
    """
    time_off, next_year = player.back_at(now).time_off, datetime(now.year + 1, 1, 1, tzinfo=UTC)
    end = now + holidays_left(time_off, now.year)
    if end >= next_year:
        end = next_year + holidays_left(time_off, now.year + 1)
    last = (end - _BEHIND_UTC).date() - DAY
    return last if _end_of(last) > now else None


def _end_of(day: date) -> datetime:
    return datetime.combine(day + DAY, time(), UTC) + _BEHIND_UTC


def _refused(fault: str, player: Player, now: datetime, *days: date | None) -> Refusal:
    """Refuse time off. `days` are the last days of what can be asked for instead."""
    left = holidays_left(player.back_at(now).time_off, now.year) // DAY
    return refused("away_refused", fault=fault, days=tuple(filter(None, days)), left=left, year=now.year)


def come_back(context: Context) -> Answer:
    """End the sender's time off now."""
    player, now = context.player, context.now
    if player is None or player.away_until(now) is None:
        return told("not_away")
    left = holidays_left(player.back_at(now).time_off, now.year) // DAY
    back = CameBack(player=player.id, left=((now.year, left),))
    return (back, of_player(player.id, Player.back_at, now))


def tell(context: Context, *, tells_setting: bool = False) -> Told:
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
    """Return the last day of the time off that a player has announced, None if there is none now.

    Others are told it. They are told no time of day, as that would tell the player's time zone.
    """
    off = next((off for off in player.time_off if off.began_at <= now < off.ended_at), None)
    if off is None or off.is_automatic:
        return None
    return (off.ended_at - _BEHIND_UTC - DAY).date()
