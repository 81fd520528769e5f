"""Lines of the lists that answers show: games, seeks, and what was sent in a game that keeps no board."""

from dataclasses import dataclass

from takmail.commands.game.turn_labels import Played
from takmail.commands.kinds import Standing
from takmail.commands.records import GameNumber, SeekNumber
from takmail.games.interface import Reason


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a player's list; `broken`: what is stored of it breaks the rules, so nobody knows how it stands."""

    number: GameNumber
    title: str
    opponent: str
    standing: Standing
    your_turn: bool
    invited_you: bool
    broken: bool
    is_relay: bool


@dataclass(frozen=True, slots=True)
class Sought:
    """A game that somebody seeks, as everybody may see it; `game` and `facts` are for the game's own templates."""

    number: SeekNumber
    name: str
    is_yours: bool
    title: str
    game: str
    facts: object
    first: str | None
    days: int | None
    is_relay: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the log of a game that keeps no board: a move, or what one has said against that move.

    `is_replaced`: the same player has sent another one in its place.
    """

    number: int
    name: str
    text: str
    written: str = ""
    is_dispute: bool = False
    is_replaced: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """Where moves no longer keep the rules; `reason` None: it was the other one's turn."""

    turn: Played
    reason: Reason | None
