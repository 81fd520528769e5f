"""Define the base classes of news."""

from dataclasses import dataclass

from takmail.games.interface import Seat
from takmail.world.ids import GameNumber, PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """Base class of everything that happened or that a player was shown. It happens at the time of its cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameNews(News):
    """Base class of everything that happened in a game.

    * `version` is the game's version before the change that the news is about, which `execute` fills in
    * `notifies_opponent`: the opponent gets a letter about it, if letters report such news at all
    """

    game: GameNumber
    version: int = 0
    notifies_opponent: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatNews(GameNews):
    """Base class of what the player in `seat` did, or what happened to them."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerNews(News):
    """Base class of what changes one player, or what the player has."""

    player: PlayerId
