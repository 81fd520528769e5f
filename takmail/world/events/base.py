"""Define the base classes of events."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Concatenate, ParamSpec, Self

from takmail.games.interface import Seat
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, PlayerId
from takmail.world.players import Player
from takmail.world.world import World

_P = ParamSpec("_P")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Base class of everything that happened or that a player was shown. It happens at the time of its cause.

    * `readers` is its audience, which is filled in when the event is applied
    """

    readers: tuple[PlayerId, ...] = field(default=(), compare=False)

    def apply(self, world: World) -> World:
        """Return the world after the event. Nothing else changes a world."""
        return world

    def audience(self, _world: World) -> tuple[PlayerId, ...]:
        """Return the players who hear of it beside who wrote the mail, in the world after it.

        They get letters in this order. It is empty for bookkeeping, and for what only its writer hears.
        """
        return ()

    def goes_on_in(self, game: GameNumber | None) -> GameNumber | None:
        """Return the game that the rest of the mail is about, and its answer. `game` is the one before the event."""
        return game

    def settled(self, _before: World, after: World) -> Self:
        """Return the event with what is known of it when it is applied."""
        return replace(self, readers=self.audience(after))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerEvent(Event):
    """Base class of what happened to one player."""

    player: PlayerId

    def _of_player(
        self,
        world: World,
        changed: Callable[Concatenate[Player, _P], Player],
        *values: _P.args,
        **named: _P.kwargs,
    ) -> World:
        """Return the world in which `changed(player, *values)` is the player of the event."""
        return world.with_player(changed(world.player(self.player), *values, **named))


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEvent(Event):
    """Base class of everything that happened in a game.

    * `version` is the game's version before the event, and `players` are those who sat in its seats after it. Both are
      filled in when the event is applied, as players may swap their seats later.
    * `has_own_letter`: its audience gets letters about nothing else, and no other letter tells it
    """

    game: GameNumber
    version: int = 0
    players: tuple[PlayerId, ...] = field(default=(), compare=False)
    has_own_letter: bool = False

    def settled(self, before: World, after: World) -> Self:
        """Return the event with the version of its game before it, its players, and its audience."""
        game = before.find_game(self.game)
        version = self.version if game is None else game.record.version
        players = after.game(self.game).record.players
        return replace(self, version=version, players=players, readers=self.audience(after))

    @property
    def doer(self) -> Seat | None:
        """The seat of the player who did it, or whom it happened to, None if it is nobody's."""
        return None

    def audience(self, world: World) -> tuple[PlayerId, ...]:
        """Return the players in the seats that are told of it."""
        players = world.game(self.game).record.players
        return tuple(players[seat] for seat in self.seats_told(world))

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the seats whose players hear of it, in the world after it (`audience`)."""
        return ()

    def stands(self, _game: Game) -> bool:
        """Tell whether the cause has not undone it. The parameter is the game after the cause."""
        return True

    def _in_game(
        self,
        world: World,
        changed: Callable[Concatenate[Game, _P], Game],
        *values: _P.args,
        **named: _P.kwargs,
    ) -> World:
        """Return the world in which `changed(game, *values)` is the game of the event."""
        return world.with_game(changed(world.game(self.game), *values, **named))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatEvent(GameEvent):
    """Base class of what the player in `seat` did, or what happened to them. The opponent hears of it."""

    seat: Seat

    @property
    def doer(self) -> Seat | None:
        """The player in `seat`."""
        return self.seat

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the opponent."""
        return (self.seat.other,)


def in_games(happened: Iterable[Event]) -> Iterator[GameEvent]:
    """Yield the events that happened in games, in order."""
    return (event for event in happened if isinstance(event, GameEvent))
