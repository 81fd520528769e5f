"""Define when a player gets the letters about turns together, in a digest."""

import re
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from typing import Self

_DAY = timedelta(days=1)
_WEEKEND = (5, 6)
_WRITTEN = re.compile(r"(?P<days>daily|weekdays) (?P<hour>\d\d?):(?P<minute>\d\d)")
QUIET_DIGEST = "quiet"
LONGEST_WAIT = timedelta(days=30)
"""How long turns are gathered at most for who does not write."""


@dataclass(frozen=True, slots=True)
class Digest:
    """When a player gets the turns that were gathered for them.

    `at` is the time of day, in the zone of the player. If it is None, the first turn comes at once, and the rest is
    gathered until the player writes. `weekends`: it comes on Saturdays and Sundays, too.
    """

    at: time | None = None
    weekends: bool = True

    @classmethod
    def read(cls, written: str) -> Self | None:
        """Parse what `written` makes, such as `weekdays 7:30`. Return None for anything else."""
        if written == QUIET_DIGEST:
            return cls()
        parts = _WRITTEN.fullmatch(written)
        if parts is None or int(parts["hour"]) > 23 or int(parts["minute"]) > 59:
            return None
        return cls(time(int(parts["hour"]), int(parts["minute"])), parts["days"] == "daily")

    @property
    def written(self) -> str:
        """The digest as players write it."""
        if self.at is None:
            return QUIET_DIGEST
        return f"{'daily' if self.weekends else 'weekdays'} {self.at.hour}:{self.at.minute:02}"

    def next_after(self, now: datetime, zone: tzinfo) -> datetime:
        """Return when the next digest leaves if nobody writes before."""
        if self.at is None:
            return now + LONGEST_WAIT
        day = now.astimezone(zone).date()
        while True:
            leaves_at = datetime.combine(day, self.at, zone)
            if leaves_at > now and (self.weekends or day.weekday() not in _WEEKEND):
                return leaves_at.astimezone(now.tzinfo)
            day += _DAY
