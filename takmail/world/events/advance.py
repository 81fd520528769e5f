"""Define the events of moves that are prepared in advance. Only the player who prepares them may hear of any."""

from dataclasses import dataclass

from takmail.games.interface import Seat
from takmail.world.advance import InAdvance, with_in_advance
from takmail.world.events.base import GameEvent
from takmail.world.game import NamedTurn
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparationChanged(GameEvent):
    """The player in `seat` has prepared other moves, or a turn has met some of them. Nobody hears of it."""

    seat: Seat
    prepared: InAdvance

    def apply(self, world: World) -> World:
        """Return the world in which these are prepared."""
        return self._in_game(world, with_in_advance, self.seat, self.prepared)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparationHeld(GameEvent):
    """The answer of the player in `seat` waits for `go`, though they were told that it is played by itself."""

    seat: Seat
    has_own_letter: bool = True

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the player."""
        return (self.seat,)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparationPlayed(GameEvent):
    """The turn of the player in `seat` was played as they had prepared it, in answer to `met`."""

    seat: Seat
    turn: NamedTurn
    met: NamedTurn
    has_own_letter: bool = True

    @property
    def doer(self) -> Seat | None:
        """The player who had prepared it."""
        return self.seat

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the player."""
        return (self.seat,)
