"""Compute the clock of the player to move, from the times that are stored with a game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import Enum

from takmail.games.interface import Seat
from takmail.world.advance import answered_at
from takmail.world.game import Game
from takmail.world.pace import DAY, Pace, Stop, TimeOff, after, day_or_time, running
from takmail.world.players import Player
from takmail.world.zones import tzinfo_of

GRACE = timedelta(minutes=15)
"""How long after the end of a player's time nothing is done yet. A shorter silence of takmail's is no outage."""
QUIET = (timedelta(days=7), timedelta(days=30))
"""The times without a turn after which a player is reminded if no clock runs. After the last one, the game rests."""
RESTS_AFTER = timedelta(days=30)
"""How long after the end of a player's time a game is put to rest."""
HOLIDAYS = timedelta(days=30)
"""How much time off a player has in a year."""
_NEVER = datetime.max.replace(tzinfo=UTC)
_APART = timedelta(hours=12)
"""A reminder comes at least this long after the beginning of the turn, and after another one."""


class AlarmKind(Enum):
    """What is to be done at a time.

    Play what was prepared for the turn, remind the player, act on the end of the player's time, or let the game rest.
    """

    ANSWER = "answer"
    REMINDER = "reminder"
    TIME_OVER = "time over"
    REST = "rest"


@dataclass(frozen=True, slots=True)
class Alarm:
    """Something that is to be done about a game at a time."""

    at: datetime
    kind: AlarmKind


@dataclass(frozen=True, slots=True)
class ShownClock:
    """A clock that runs, as one of the two players sees it.

    * `until` is when the time of the player to move is over, or was over (`is_over`)
    * `left` is what is left of the banks, the reader's first, None if each turn has its own time
    """

    until: datetime
    is_over: bool
    left: tuple[timedelta, timedelta] | None


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of the player to move.

    * `began_at` is when the time of the turn began, None while the player can't have the letter about it
    * `allowance` is the time for the turn, None if no clock runs in the game
    * `stops` are the times in which it stands
    * `weekends_in` is the time zone at whose weekends it stands, None if weekends count
    """

    seat: Seat
    began_at: datetime | None
    allowance: timedelta | None
    stops: Sequence[Stop]
    weekends_in: tzinfo | None = None

    @property
    def deadline(self) -> datetime | None:
        """When the player's time is over, None if that is not known or never."""
        if self.began_at is None or self.allowance is None:
            return None
        return self.after(self.began_at, self.allowance)

    def spent_until(self, end: datetime) -> timedelta:
        """Return the time that the turn has taken until a time."""
        return timedelta(0) if self.began_at is None else self._running(self.began_at, end)

    def after(self, start: datetime, span: timedelta) -> datetime:
        """Return when the clock has run for a span if the time of the turn begins at `start`."""
        return after(start, span, self.stops, self.weekends_in)

    def _running(self, start: datetime, end: datetime) -> timedelta:
        return running(start, end, self.stops, self.weekends_in)

    def left(self, now: datetime) -> timedelta | None:
        """Return the time that is left, None if no clock runs in the game."""
        if self.allowance is None:
            return None
        return max(timedelta(0), self.allowance - self.spent_until(now))


def clock_of(game: Game) -> Clock:
    """Return the clock of the player to move in an open game. Raises CorruptGame."""
    seat = game.to_move
    stops: Sequence[Stop] = (*game.outages, *game.players[seat].time_off)
    pace = _pace_of(game)
    weekends_in = tzinfo_of(game.record.seats[seat].zone) if pace and pace.frees_weekends else None
    return Clock(seat, _began_at(game), _allowance(game, seat), stops, weekends_in)


def with_zones(game: Game) -> Game:
    """Return a game whose clock begins, with the time zone of each player's weekends if these don't count."""
    pace = Pace.read(game.record.timing.pace or "")
    frees_weekends = pace is not None and pace.frees_weekends
    first, second = (
        seat._replace(zone=player.preferences.zone if frees_weekends else None)
        for seat, player in zip(game.record.seats, game.players, strict=True)
    )
    return replace(game, record=replace(game.record, seats=(first, second)))


def _pace_of(game: Game) -> Pace | None:
    """Return the pace of the clock that runs in a game, None if none runs."""
    timing = game.record.timing
    return None if timing.pace is None or timing.clock_from is None else Pace.read(timing.pace)


def bank_of(game: Game, seat: Seat) -> timedelta | None:
    """Return what is left of a seat's bank, without the current turn. None if the game has no banks that run."""
    pace = _pace_of(game)
    if pace is None or pace.turn is not None:
        return None
    bank = pace.bank
    for turn in game.turns[game.record.timing.clock_from :]:
        if turn.seat == seat and turn.spent is not None:
            bank = min(pace.bank, max(timedelta(0), bank - timedelta(seconds=turn.spent)) + pace.increment)
    return bank


def time_spent(game: Game, seat: Seat, end: datetime) -> int | None:
    """Return the seconds of a player's own time that a turn has taken until `end`, None if no clock runs for them."""
    if game.record.timing.clock_from is None:
        return None
    clock = clock_of(game)
    if clock.allowance is None or clock.seat != seat:
        return None
    return max(0, round(clock.spent_until(end).total_seconds()) - game.record.seats[seat].gift)


def deadline_of(game: Game) -> datetime | None:
    """Return when the time of the player to move in an open game is over, None if that is not known or never.

    Raises CorruptGame.
    """
    return clock_of(game).deadline


def clock_shown(game: Game, you: Seat, now: datetime) -> ShownClock | None:
    """Return how the clock of the player to move stands, None if none runs.

    If the letter about the turn has not left yet, it is assumed to leave now. Raises CorruptGame.
    """
    if not game.record.is_open or _pace_of(game) is None:
        return None
    clock = clock_of(game)
    if clock.allowance is None:
        return None
    until = clock.deadline or clock.after(now, clock.allowance)
    left = clock.left(now)
    banks = [
        bank if bank is None or left is None or seat is not clock.seat else min(bank, left)
        for seat in (you, you.other)
        for bank in [bank_of(game, seat)]
    ]
    yours, theirs = banks
    return ShownClock(until, until <= now, None if yours is None or theirs is None else (yours, theirs))


def urgency(game: Game, seat: Seat, now: datetime) -> tuple[datetime, datetime]:
    """Return a key that sorts games by when the time of the player in a seat is over, and then by when it began."""
    shown = clock_shown(game, seat, now) if game.to_move is seat else None
    return (_NEVER if shown is None else shown.until, turn_since(game))


def _allowance(game: Game, seat: Seat) -> timedelta | None:
    pace = _pace_of(game)
    time = bank_of(game, seat) if pace is None or pace.turn is None else pace.turn
    return None if time is None else time + timedelta(seconds=game.record.seats[seat].gift)


def _began_at(game: Game) -> datetime | None:
    """Return when the time of the current turn began: not before its player could have the letter about it."""
    if game.turn_letter is None:
        return turn_since(game)
    taken_at = game.turn_letter.taken_at
    return None if taken_at is None else max(taken_at, turn_since(game))


def turn_since(game: Game) -> datetime:
    """Return since when the current turn is the current one."""
    times = (
        game.record.created_at,
        game.record.timing.turn_since,
        game.turns[-1].played_at if game.turns else None,
    )
    return max(time for time in times if time is not None)


def alarms_of(game: Game, now: datetime) -> list[Alarm]:
    """Return what is still to be done about a game if nobody does anything, in order of time.

    If the letter about the turn has not left yet, it is assumed to leave at `now`.
    """
    timing = game.record.timing
    if not game.is_timed or timing.rested_at is not None:
        return []
    clock = clock_of(game)
    start = now if clock.began_at is None else clock.began_at
    if clock.allowance is None:
        quiet = [Alarm(clock.after(start, time), AlarmKind.REMINDER) for time in QUIET]
        alarms = [*quiet, Alarm(quiet[-1].at, AlarmKind.REST)]
    else:
        third = clock.allowance / 3
        spans = [clock.allowance - third]
        if third - DAY >= _APART:
            spans.append(clock.allowance - DAY)
        end = clock.after(start, clock.allowance)
        alarms = [Alarm(clock.after(start, span), AlarmKind.REMINDER) for span in spans if span >= _APART]
        alarms.append(Alarm(end + GRACE, AlarmKind.TIME_OVER))
        if not timing.is_strict:
            alarms.append(Alarm(end + RESTS_AFTER, AlarmKind.REST))
    handled = timing.alarmed_until
    alarms = [alarm for alarm in alarms if handled is None or alarm.at > handled]
    answer = answered_at(game, now)
    return alarms if answer is None else [Alarm(answer, AlarmKind.ANSWER), *alarms]


def due_at(game: Game, now: datetime) -> datetime | None:
    """Return when a game has to be looked at again, None if nothing is to be done about it by itself.

    While it is only assumed when the time of the turn begins, that is within a day.
    """
    at = min((alarm.at for alarm in alarms_of(game, now)), default=None)
    if at is None:
        return None
    began_at = _began_at(game)
    return at if began_at is not None and began_at <= now else min(at, now + DAY)


def announced_until(player: Player, now: datetime) -> date | None:
    """Return until when a player is away by what they have announced, as `WentAway` tells it. None if they are not."""
    off = next((off for off in player.time_off if off.began_at <= now < off.ended_at), None)
    return None if off is None or off.is_automatic else day_or_time(off.ended_at, zone_of(player))


def zone_of(player: Player) -> tzinfo:
    """Return the time zone of a player's days, UTC if none is known."""
    return tzinfo_of(player.preferences.zone)


def fits_in(time_off: Sequence[TimeOff], years: Iterable[int]) -> bool:
    """Tell whether time off takes no more than the days that a player has, in each of these years."""
    return all(_taken_in(time_off, year) <= HOLIDAYS for year in years)


def holidays_left(time_off: Sequence[TimeOff], year: int) -> timedelta:
    """Return how much time off a player may still have in a calendar year (UTC)."""
    return max(timedelta(0), HOLIDAYS - _taken_in(time_off, year))


def _taken_in(time_off: Sequence[TimeOff], year: int) -> timedelta:
    begins, ends = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
    parts = (min(off.ended_at, ends) - max(off.began_at, begins) for off in time_off)
    return sum((part for part in parts if part > timedelta(0)), timedelta(0))
