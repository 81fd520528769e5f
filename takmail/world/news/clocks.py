"""Define the news of clocks: reminders, holidays, the end of a player's time, and games put to rest."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar

from takmail.games.interface import Seat
from takmail.world.news.base import SeatNews
from takmail.world.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderDue(SeatNews):
    """The player in `seat` is reminded of their turn."""

    is_reminder: ClassVar[bool] = True

    @property
    def readers(self) -> tuple[Seat, ...]:
        """The player who is reminded."""
        return (self.seat,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockNews(SeatNews):
    """Base class of what time did to the player in `seat`. Both players are told."""

    @property
    def readers(self) -> tuple[Seat, ...]:
        """The players who are told, first the one whom it happened to."""
        return (self.seat, self.seat.other)


@dataclass(frozen=True, slots=True, kw_only=True)
class HolidayTaken(ClockNews):
    """Time off was taken for the player in `seat`, until `until`, as their time was over.

    `left` is how much they may still have in the year of `until`. The opponent is not told that.
    """

    until: datetime
    left: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOver(ClockNews):
    """The time of the player in `seat` is over, and the opponent may claim the win or wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostOnTime(ClockNews):
    """The player in `seat` has lost, as their time was over in a strict game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRested(ClockNews):
    """The game was put to rest, as the player in `seat` has not moved for long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeGiven(SeatNews):
    """The player in `seat` gave the opponent time."""

    time: timedelta

    def stands(self, table: Table) -> bool:
        """Tell whether the opponent still has it."""
        return table.record.gifts[self.seat.other] > 0
