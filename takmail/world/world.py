"""Define the part of the stored data that a cause may see and change."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from takmail.games.readonly import read_only
from takmail.world.ids import GameNumber, PlayerId, SeekNumber
from takmail.world.players import Player, Seek
from takmail.world.questions import Question
from takmail.world.table import Corrupt, Table


@dataclass(frozen=True, slots=True)
class World:
    """The games, players and questions after all events so far.

    * `players` and `games` are those that were loaded or created
    * `seeks` and `closed_seeks` are the seeks that this cause opened or closed
    * `blocks` tells whether one player blocks another, for the pairs where this has changed since loading
    * `pending` are the open questions that the mail may answer
    """

    players: Mapping[PlayerId, Player] = field(default_factory=dict)
    games: Mapping[GameNumber, Table | Corrupt] = field(default_factory=dict)
    seeks: Mapping[SeekNumber, Seek] = field(default_factory=dict)
    closed_seeks: frozenset[SeekNumber] = frozenset()
    blocks: Mapping[tuple[PlayerId, PlayerId], bool] = field(default_factory=dict)
    pending: tuple[Question, ...] = ()

    def __post_init__(self) -> None:
        read_only(self, "players", "games", "seeks", "blocks")

    def table(self, number: GameNumber) -> Table:
        """Return a game that is loaded and not corrupt."""
        game = self.games[number]
        assert isinstance(game, Table)
        return game
