"""Define bots: opponents that always have time. A bot's player has no address, so no letter goes to it."""

from collections.abc import Callable
from dataclasses import dataclass

from takmail.games.interface import Game, Seat
from takmail.games.thinking import Player as Thinker
from takmail.world.kinds import PlayerKind
from takmail.world.players import Player
from takmail.world.table import Table

_SKELETON = "#bot "
"""What the skeleton of a bot's player begins with. No name of a person has a skeleton that begins so."""
GAMES_A_PLAYER = 5
"""How many running games against bots a player may have."""

CanPlay = Callable[[Game, str], bool]
"""Returns whether a bot can play a game with a set-up."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot. Players call it by `name`, which is in lower case.

    `can_play` is what an external engine can play. It is None for a bot of takmail's own, whose name is a level.
    """

    name: str
    can_play: CanPlay | None = None

    @property
    def is_level(self) -> bool:
        """Whether it is takmail's own."""
        return self.can_play is None

    def plays(self, game: Game, setup: str) -> bool:
        """Return whether it can play a game with this set-up."""
        if self.can_play is not None:
            return self.can_play(game, setup)
        return isinstance(game, Thinker) and self.name in game.levels and game.plays(setup)

    @property
    def player_name(self) -> str:
        """The name of its player."""
        return f"Bot {self.name}"

    @property
    def skeleton(self) -> str:
        """The skeleton of its player, which is nobody's name."""
        return _SKELETON + self.name


@dataclass(frozen=True, slots=True)
class Bots:
    """The bots that there are, the weakest first. There are none if the operator wants none.

    `games_a_player` is how many running games against bots a player may have.
    """

    every: tuple[Bot, ...] = ()
    games_a_player: int = GAMES_A_PLAYER

    def named(self, name: str) -> Bot | None:
        """Return the bot with this name, None if there is none."""
        return next((bot for bot in self.every if bot.name == name), None)


NO_BOTS = Bots()


def is_bot(player: Player) -> bool:
    """Return whether a player is a bot."""
    return player.kind is PlayerKind.ENGINE


def bot_name(player: Player) -> str:
    """Return the name of the bot that a player is, even if the operator no longer offers it."""
    return (player.skeleton or "").removeprefix(_SKELETON)


def waits_for_bot(game: Table) -> bool:
    """Return whether it is the turn of a bot."""
    return any(game.waits_for(seat) and is_bot(game.players[seat]) for seat in Seat)
