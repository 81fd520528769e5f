"""Define bots, opponents that always have time: levels of takmail's own, and external engines."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Self

from takmail.games.game_rules import GameRules
from takmail.games.interface import Refused
from takmail.games.registry import Games
from takmail.games.thinking import Player

GAMES_A_PLAYER = 5
"""How many running games against bots a player may have."""
THINKS_LONG = "best"
"""The level that may think for a minute about each turn."""
_SIZES = ("5", "6", "4", "7", "3", "8", "")
"""The sizes of boards, the usual ones first. A game with one board takes none of them."""

CanPlay = Callable[[GameRules, str], bool]
"""Returns whether a bot can play a game with a set-up."""


@dataclass(frozen=True, slots=True)
class PlainGame:
    """A game without variants: its kind, the size that `new` names, '' for none, and its set-up."""

    kind: str
    size: str
    setup: str

    def line_against(self, bot: str, default: str) -> str:
        """Return the line that begins it against a bot. `default` is the kind of game that `new` need not name."""
        kind = "" if self.kind == default else self.kind
        return " ".join(filter(None, ("new", kind, self.size, "vs bot", bot)))


Level = tuple[str, PlainGame]
"""The name of a level, and a game that it plays."""


class BotName(str):
    """The name of the player that a bot is, such as `Bot strong`. Letters word it in the language of their reader."""

    __slots__ = ()
    _BEGINNING = "Bot "

    @classmethod
    def of(cls, bot: str) -> Self:
        """Return the name of the player that a bot of this name is."""
        return cls(f"{cls._BEGINNING}{bot}")

    @property
    def bot(self) -> str:
        """The name of the bot."""
        return self.removeprefix(self._BEGINNING)


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

    def plays(self, game: GameRules, setup: str) -> bool:
        """Return whether it can play a game with this set-up."""
        if self.can_play is not None:
            return self.can_play(game, setup)
        return isinstance(game, Player) and self.name in game.levels and game.plays(setup)

    def plain_games(self, games: Games) -> tuple[PlainGame, ...]:
        """Return the games without variants that it plays, the usual sizes first."""
        plain: dict[tuple[str, str], PlainGame] = {}
        for kind, game in games.by_name.items():
            for size in _SIZES:
                try:
                    setup = game.set_up(tuple(size.split()), Random(0))
                except Refused:
                    continue
                if self.plays(game, setup):
                    plain.setdefault((kind, setup), PlainGame(kind, size, setup))
        return tuple(plain.values())


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

    def playing(self, games: Games, kind: str, setup: str) -> dict[str, PlainGame]:
        """Return the bots that play the game without variants of this set-up, in their order, with that game."""
        return {
            bot.name: plain
            for bot in self.every
            for plain in bot.plain_games(games)
            if (plain.kind, plain.setup) == (kind, setup)
        }

    def levels(self, games: Games, kind: str, setup: str) -> dict[str, PlainGame]:
        """Return those of them that are levels, the weakest first."""
        return Bots(tuple(bot for bot in self.every if bot.is_level)).playing(games, kind, setup)

    def beside(self, games: Games, kind: str, setup: str, name: str) -> tuple[Level | None, Level | None]:
        """Return the levels next below and next above one, as in `levels`. Each is None if there is none."""
        levels = [*self.levels(games, kind, setup).items()]
        names = [level for level, _ in levels]
        if name not in names:
            return None, None
        place = names.index(name)
        return next(reversed(levels[:place]), None), next(iter(levels[place + 1 :]), None)


NO_BOTS = Bots()
