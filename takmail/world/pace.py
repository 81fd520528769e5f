"""Define the time that players agree on for their turns, and count time that runs and stands."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from heapq import merge
from itertools import count
from typing import NamedTuple

from takmail.limits.games import MAX_DAYS_A_TURN

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
_SATURDAY = 6
"""The number of the day in its week (ISO 8601)."""
NO_PACE = "time=none"
"""The option of `new` for a game without a time for turns."""
WEEKDAYS = "weekdays"
"""The word behind a time for turns in which Saturdays and Sundays don't count."""
STRICT = "strict"
"""The word for a game in which who runs out of time loses."""


def _days_and_hours(name: str) -> str:
    """Return a pattern of a length of time in its short form, with groups whose names begin with `name`."""
    return rf"(?:(?P<{name}_days>[0-9]{{1,3}})d)?(?:(?P<{name}_hours>[0-9]{{1,4}})h)?"


_PACE = re.compile(
    rf"(?:days=(?P<days>[0-9]{{1,3}})|hours=(?P<hours>[0-9]{{1,4}})|days={_days_and_hours('turn')}"
    rf"|time={_days_and_hours('bank')}\+{_days_and_hours('increment')})(?P<weekdays> {WEEKDAYS})?"
)


@dataclass(frozen=True, slots=True)
class Pace:
    """How much time each player has: `turn` for each turn, or a `bank` for all turns, to which each turn adds.

    A bank is never over its size at the beginning. All are whole hours. `frees_weekends`: Saturdays and Sundays don't
    count.
    """

    turn: timedelta | None = None
    bank: timedelta = timedelta(0)
    increment: timedelta = timedelta(0)
    frees_weekends: bool = False

    @classmethod
    def read(cls, text: str) -> "Pace | None":
        """Read `days=3`, `hours=36` or `time=7d+12h`, perhaps with `weekdays` behind it.

        Return None if it is something else, or if a number is out of range.
        """
        match = _PACE.fullmatch(text)
        if match is None:
            return None
        hours = {name: int(number or 0) for name, number in match.groupdict().items() if name != WEEKDAYS}
        turn = hours["days"] * DAY + hours["hours"] * HOUR + _length(hours, "turn")
        bank, increment = _length(hours, "bank"), _length(hours, "increment")
        is_valid = turn or (bank and increment)
        if not is_valid or max(turn, bank, increment) > MAX_DAYS_A_TURN * DAY:
            return None
        return cls(turn or None, bank, increment, match[WEEKDAYS] is not None)

    def write(self) -> str:
        """Return the pace as an option of `new`, in one form only."""
        weekdays = f" {WEEKDAYS}" if self.frees_weekends else ""
        if self.turn is None:
            return f"time={length_written(self.bank)}+{length_written(self.increment)}{weekdays}"
        days, rest = divmod(self.turn, DAY)
        return f"days={days}{weekdays}" if not rest else f"hours={self.turn // HOUR}{weekdays}"


def _length(numbers: Mapping[str, int], name: str) -> timedelta:
    return numbers[f"{name}_days"] * DAY + numbers[f"{name}_hours"] * HOUR


def length_written(time: timedelta) -> str:
    """Return a length of time in its short form, in whole days and hours: `2d`, `12h` or `1d12h`."""
    days, rest = divmod(time, DAY)
    return f"{days}d" * bool(days) + f"{rest // HOUR}h" * (rest >= HOUR)


@dataclass(frozen=True, slots=True)
class Timing:
    """The time for turns of a game, and since when it counts.

    * `pace` is the agreed time as an option of `new` (`Pace`), None if there is none
    * `is_strict`: who runs out of time loses, without being asked
    * `clock_from` is the number of the last turn before the clock began. It is None if no clock runs.
    * `turn_since`: the time of the current turn does not begin earlier, None if nothing but a turn began it
    * `alarmed_until`: reminders of this turn and the end of its time are handled up to then, None if there were none
      yet
    * `rested_at` is when the game was put to rest, None if it is not at rest
    """

    pace: str | None = None
    is_strict: bool = False
    clock_from: int | None = None
    turn_since: datetime | None = None
    alarmed_until: datetime | None = None
    rested_at: datetime | None = None

    @staticmethod
    def is_option(text: str) -> bool:
        """Tell whether a text is a time for turns as an option of `new`, or `time=none`."""
        return text == NO_PACE or Pace.read(text) is not None

    @classmethod
    def read(cls, option: str, words: Collection[str]) -> "Timing":
        """Read what players agree on: a time for turns, '' for none, and `strict`, `weekdays` if they are there."""
        pace = Pace.read(option)
        if pace is None:
            return NO_TIMING
        return cls(replace(pace, frees_weekends=WEEKDAYS in words).write(), STRICT in words)

    def write(self) -> str:
        """Return it as options of `new`."""
        return NO_PACE if self.pace is None else f"{self.pace} {STRICT}" if self.is_strict else self.pace

    @property
    def agreed(self) -> "Timing":
        """What the players agreed on, of which nothing counts yet."""
        return Timing(self.pace, self.is_strict)

    def instead_of(self, before: "Timing") -> "Timing":
        """Return it for the next game of players who had another time for turns. What was strict stays so."""
        return self if self.pace is None else replace(self, is_strict=self.is_strict or before.is_strict)

    @property
    def has_clock(self) -> bool:
        """Whether the time for turns counts, and is not merely agreed on."""
        return self.clock_from is not None

    def with_turn_anew(self, since: datetime | None) -> "Timing":
        """Return it for a game that is awake, with a turn whose time does not begin before `since`."""
        return Timing(self.pace, self.is_strict, self.clock_from, since)

    def with_clock(self, now: datetime, turns: int = 0) -> "Timing":
        """Return it with a clock that begins at `now`, after `turns` turns, if there is a time for turns."""
        return Timing(self.pace, self.is_strict, None if self.pace is None else turns, now)


NO_TIMING = Timing()
"""The timing of a game without a time for turns that has not begun."""


class TimeOff(NamedTuple):
    """An interval in which a player's clocks stand. `is_automatic`: takmail took it, as the player's time was over."""

    began_at: datetime
    ended_at: datetime
    is_automatic: bool = False

    def lasts(self) -> bool:
        """Tell whether it has a length."""
        return self.began_at < self.ended_at


class Outage(NamedTuple):
    """An interval in which takmail could not read mails or send letters."""

    began_at: datetime
    ended_at: datetime


def beginning_of(day: date, zone: tzinfo) -> datetime:
    """Return when a day begins in a time zone."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def end_of(day: date, zone: tzinfo) -> datetime:
    """Return when a day is over in a time zone."""
    return beginning_of(day + DAY, zone)


def day_or_time(end: datetime, zone: tzinfo) -> date:
    """Return the day whose end is the end of time off, or the end itself if no day ends then in a time zone."""
    day = end.astimezone(zone).date() - DAY
    return day if end_of(day, zone) == end else end


class Weekend(NamedTuple):
    """A Saturday and a Sunday."""

    began_at: datetime
    ended_at: datetime


Stop = TimeOff | Outage | Weekend
"""An interval in which a clock stands. Two of them may overlap."""


def running(
    start: datetime, end: datetime, stops: Iterable[Stop], weekends_in: tzinfo | None = None
) -> timedelta:
    """Return how long a clock has run between two times. It is zero if the first one is not the earlier.

    It also stands at weekends in a time zone, if one is given.
    """
    run = timedelta(0)
    for stop in _in_order(start, stops, weekends_in):
        if stop.began_at >= end:
            break
        run += max(timedelta(0), stop.began_at - start)
        start = max(start, stop.ended_at)
    return run + max(timedelta(0), end - start)


def after(
    start: datetime, span: timedelta, stops: Iterable[Stop], weekends_in: tzinfo | None = None
) -> datetime:
    """Return when a clock that starts at a time has run for a span, which is not negative, and would run on.

    A stop that begins at the end of the span puts it off. Weekends are as in `running`.
    """
    for stop in _in_order(start, stops, weekends_in):
        if stop.began_at - start > span:
            break
        span -= max(timedelta(0), stop.began_at - start)
        start = max(start, stop.ended_at)
    return start + span


def _in_order(start: datetime, stops: Iterable[Stop], weekends_in: tzinfo | None) -> Iterable[Stop]:
    """Return stops by their beginnings, and all weekends that end after a time."""
    in_order = sorted(stops)
    return in_order if weekends_in is None else merge(in_order, _weekends(start, weekends_in))


def _weekends(start: datetime, zone: tzinfo) -> Iterator[Weekend]:
    """Yield the weekends in a time zone, without end, from the last one on that begins before a time."""
    day = start.astimezone(zone).date()
    for week in count():
        saturday = day + timedelta(days=7 * week - (day.isoweekday() - _SATURDAY) % 7)
        began_at, ended_at = (
            datetime.combine(saturday + timedelta(days=days), time(), zone).astimezone(UTC) for days in (0, 2)
        )
        yield Weekend(began_at, ended_at)
