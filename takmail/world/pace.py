"""Define the time that players agree on for their turns, and count time that runs and stands."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from takmail.limits.games import MAX_DAYS_A_TURN

DAY = timedelta(days=1)
BEHIND_UTC = timedelta(hours=12)
"""A day ends last where clocks are so far behind UTC. Time off until a day ends then, so that it tells no zone."""

NO_PACE = "time=none"
"""The option of `new` for a game without a time for turns."""
_PACE = re.compile(r"days=(?P<turn>[0-9]{1,3})|time=(?P<bank>[0-9]{1,3})d\+(?P<increment>[0-9]{1,3})d")


@dataclass(frozen=True, slots=True)
class Pace:
    """How much time each player has: `turn` for each turn, or a `bank` for all turns, to which each turn adds.

    A bank is never over its size at the beginning.
    """

    turn: timedelta | None = None
    bank: timedelta = timedelta(0)
    increment: timedelta = timedelta(0)

    @classmethod
    def read(cls, text: str) -> "Pace | None":
        """Read `days=3` or `time=14d+1d`. Return None if it is something else, or if a number is out of range."""
        match = _PACE.fullmatch(text)
        if match is None:
            return None
        turn, bank, increment = (int(days or 0) for days in match.group("turn", "bank", "increment"))
        is_valid = turn or (bank and increment)
        if not is_valid or max(turn, bank, increment) > MAX_DAYS_A_TURN:
            return None
        return cls(turn * DAY or None, bank * DAY, increment * DAY)

    def write(self) -> str:
        """Return the pace as an option of `new`, in one form only."""
        if self.turn is not None:
            return f"days={self.turn.days}"
        return f"time={self.bank.days}d+{self.increment.days}d"


class TimeOff(NamedTuple):
    """An interval in which a player's clocks stand. `is_automatic`: takmail took it, as the player's time was over."""

    began_at: datetime
    ended_at: datetime
    is_automatic: bool = False


class Outage(NamedTuple):
    """An interval in which takmail could not read mails or send letters."""

    began_at: datetime
    ended_at: datetime


def end_of(day: date) -> datetime:
    """Return when a day is over everywhere, which is when time off until then ends."""
    return datetime.combine(day + DAY, time(), UTC) + BEHIND_UTC


def day_or_time(end: datetime) -> date:
    """Return the day whose end is the end of time off, or the end itself if no day ends then."""
    day = (end - DAY).date()
    return day if end_of(day) == end else end


Stop = TimeOff | Outage
"""An interval in which a clock stands. Two of them may overlap."""


def running(start: datetime, end: datetime, stops: Iterable[Stop]) -> timedelta:
    """Return how long a clock has run between two times. It is zero if the first one is not the earlier."""
    run = timedelta(0)
    for stop in sorted(stops):
        run += max(timedelta(0), min(stop.began_at, end) - start)
        start = max(start, stop.ended_at)
    return run + max(timedelta(0), end - start)


def after(start: datetime, span: timedelta, stops: Iterable[Stop]) -> datetime:
    """Return when a clock that starts at a time has run for a span, which is not negative, and would run on.

    A stop that begins at the end of the span puts it off.
    """
    for stop in sorted(stops):
        if stop.began_at - start > span:
            break
        span -= max(timedelta(0), stop.began_at - start)
        start = max(start, stop.ended_at)
    return start + span
