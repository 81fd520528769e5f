"""Define the events of clocks: reminders, and what time does to a player."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from takmail.games.interface import Seat
from takmail.world import game_changes
from takmail.world.events.base import GameEvent, SeatEvent
from takmail.world.game import Game
from takmail.world.pace import TimeOff
from takmail.world.pending import Pending
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class ReminderDue(SeatEvent):
    """The player in `seat` is reminded of their turn."""

    has_own_letter: bool = True

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the player who is reminded."""
        return (self.seat,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockEvent(SeatEvent):
    """Base class of what time did to the player in `seat`. Both players are told."""

    has_own_letter: bool = True

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return both players, first the one whom it happened to."""
        return (self.seat, self.seat.other)


@dataclass(frozen=True, slots=True, kw_only=True)
class HolidayTaken(ClockEvent):
    """The day `off` was taken off for the player in `seat`, as their time was over.

    `left` is how much they may still have in the year in which it ends. The opponent is not told that. Nobody is told
    of it unless `is_told`, as the day before was taken, too.
    """

    off: TimeOff
    left: timedelta
    is_told: bool = True

    def seats_told(self, world: World) -> tuple[Seat, ...]:
        """Return both players, or nobody."""
        return ClockEvent.seats_told(self, world) if self.is_told else ()

    def apply(self, world: World) -> World:
        """Return the world in which the player is away."""
        player = world.game(self.game).players[self.seat]
        return world.with_player(player.with_holiday(self.off))


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeOver(ClockEvent):
    """The time of the player in `seat` is over. The opponent may claim the win or wait, as `claim` offers."""

    claim: Pending

    def apply(self, world: World) -> World:
        """Return the world in which the claim is open."""
        return self._in_game(world, game_changes.with_offer, self.claim)


@dataclass(frozen=True, slots=True, kw_only=True)
class LostOnTime(ClockEvent):
    """The player in `seat` has lost, as their time was over in a strict game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRested(ClockEvent):
    """The game was put to rest at `rested_at`, as the player in `seat` has not moved for long."""

    rested_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which the game rests."""
        return self._in_game(world, game_changes.at_rest, self.rested_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmHandled(GameEvent):
    """All that was due about the game by itself up to `due_at` is done."""

    due_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which it is not due any more."""
        return self._in_game(world, game_changes.with_alarms_handled, self.due_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeAdded(GameEvent):
    """The player in `seat` gets more time for their next turn."""

    seat: Seat
    time: timedelta

    def apply(self, world: World) -> World:
        """Return the world in which the player has the time."""
        return self._in_game(world, game_changes.with_gift, self.seat, self.time)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeGiven(SeatEvent):
    """The player in `seat` gave the opponent time."""

    time: timedelta

    def stands(self, game: Game) -> bool:
        """Tell whether the opponent still has it."""
        return game.record.seats[self.seat.other].gift > 0

    def apply(self, world: World) -> World:
        """Return the world in which the opponent has the time."""
        return self._in_game(world, game_changes.with_gift, self.seat.other, self.time)
