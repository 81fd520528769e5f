"""The State while one cause is decided: loaded values, changed by its events."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from takmail.commands.game.table import Corrupt, Table
from takmail.commands.records import GameNumber, Player, PlayerId, Question, Seek, SeekNumber
from takmail.games.readonly import read_only


@dataclass(frozen=True, slots=True)
class State:
    """Games, players and questions as they are after all events so far.

    `players` and `games` are those that were loaded or made. `seeks` are those that this cause has opened, and
    `closed_seeks` those that it has closed. `blocks` are who blocks whom since. `pending` are the open questions that
    the mail may be about.
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
        """A game that is known, and not corrupt."""
        found = self.games[number]
        assert isinstance(found, Table)
        return found
