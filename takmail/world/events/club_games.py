"""Define the events of games that belong to tournaments."""

from dataclasses import dataclass

from takmail.games.interface import Seat
from takmail.world.events.base import GameEvent
from takmail.world.events.beginnings import with_new_game
from takmail.world.game import Game
from takmail.world.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentGameEnded(GameEvent):
    """A game ends, as a player has dropped out or its tournament has ended, for the reason `why`.

    A step has told its players, so that only who has words waiting gets a letter about the game.
    """

    why: str
    has_own_letter: bool = True

    def seats_told(self, world: World) -> tuple[Seat, ...]:
        """Return the players for whom words wait."""
        return tuple(seat for seat in Seat if world.game(self.game).chat_for(seat))


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentGameBegun(GameEvent):
    """A game of a tournament begins. Who is to move is told; the other one knows of it, and hears of the first turn.

    `new_game` is the game in its first state.
    """

    new_game: Game
    has_own_letter: bool = True

    def seats_told(self, _world: World) -> tuple[Seat, ...]:
        """Return who is to move."""
        return (Seat.FIRST,)

    def apply(self, world: World) -> World:
        """Return the world with the game."""
        return with_new_game(world, self.new_game)
