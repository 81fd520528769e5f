"""Define the events of a series, which is a match with an end."""

from dataclasses import dataclass, replace

from takmail.games.interface import Seat
from takmail.world import game_changes
from takmail.world.events.base import GameEvent, SeatEvent
from takmail.world.events.beginnings import with_new_game
from takmail.world.game import Game
from takmail.world.series import Series
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesGameBegun(GameEvent):
    """The next game of a series began by itself. `new_game` is the game in its first state.

    The letters that tell what led to it are its first letters.
    """

    new_game: Game

    def apply(self, world: World) -> World:
        """Return the world with the game."""
        return with_new_game(world, self.new_game)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesResultCounted(GameEvent):
    """The result of another game of the series has changed. The event is one of its first game.

    As each such change raises the version of this one game, no two of them are decided without each other.
    """

    def apply(self, world: World) -> World:
        """Return the world in which the first game has its next version."""
        return self._in_game(world, game_changes.changed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesGivenUp(SeatEvent):
    """The player in `seat` gave the whole series up, and so this game if it is not over."""

    def apply(self, world: World) -> World:
        """Return the world in which the series has ended."""
        game = world.game(self.game)
        series = Series.of(game.record.series)
        assert series is not None
        marked = replace(game.record.invitation, series=replace(series, given_up_by=self.seat).write())
        return world.with_game(game_changes.changed(game, invitation=marked))

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the opponent."""
        return (self.seat.other,)
