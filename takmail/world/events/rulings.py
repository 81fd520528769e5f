"""Define the events of what the operator decides."""

from dataclasses import dataclass
from datetime import datetime

from takmail.games.interface import Seat
from takmail.world import game_changes, operations
from takmail.world.events.base import Event, GameEvent, PlayerEvent
from takmail.world.kinds import Ruling
from takmail.world.players import Player
from takmail.world.replay import Corruption
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDecided(GameEvent):
    """Base class of what the operator decided about a game, for the reason `why`. Both players are notified."""

    why: str
    has_own_letter: bool = True

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return both players."""
        return tuple(Seat)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAdjourned(GameDecided):
    """The game was adjourned. `why` is '' if takmail has done it because the game is corrupt.

    `seat` is the seat of a blocked player, and only the opponent is notified. If `seat` is None, both players are
    notified.
    """

    seat: Seat | None = None

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return the players who are notified."""
        return tuple(Seat) if self.seat is None else (self.seat.other,)

    def apply(self, world: World) -> World:
        """Return the world in which the game stands still, if it was open."""
        return self._in_game(world, game_changes.adjourned, self.why)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResumed(GameDecided):
    """An adjourned game continues at `resumed_at`."""

    resumed_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which the game is open."""
        return self._in_game(world, game_changes.resumed, self.resumed_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRuled(GameDecided):
    """The operator ended the game by a `ruling`."""

    ruling: Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultCorrected(GameDecided):
    """The operator gave a game that is over another result, by a `ruling`."""

    ruling: Ruling

    def apply(self, world: World) -> World:
        """Return the world in which the game has that result."""
        return self._in_game(world, game_changes.corrected, self.ruling, self.why)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerBlockedByOperator(PlayerEvent):
    """The operator blocked a player. Nothing goes out in their name."""

    blocked_at: datetime

    def apply(self, world: World) -> World:
        """Return the world in which the player is blocked and none of their words wait."""
        world = self._of_player(world, Player.with_value, "is_blocked", True)
        return world.with_operation(operations.DropChat(player=self.player))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerUnblockedByOperator(PlayerEvent):
    """The operator unblocked a player."""

    def apply(self, world: World) -> World:
        """Return the world in which the player is not blocked."""
        return self._of_player(world, Player.with_value, "is_blocked", False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayersMerged(Event):
    """The operator merged two players."""

    merge: operations.MergePlayers

    def apply(self, world: World) -> World:
        """Return the world in which they are to be merged."""
        return world.with_operation(self.merge)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionLogged(Event):
    """What was decided about a game or a player stands in the operator's log."""

    line: operations.AddToLog

    def apply(self, world: World) -> World:
        """Return the world with the line."""
        return world.with_operation(self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorNotified(Event):
    """The operator gets a letter about a corrupt game. `mail` is the shunted mail that has met it."""

    fault: Corruption
    mail: int | None
