"""Define the part of the stored data that a cause may see and change."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, TypeVarTuple, cast

from takmail.games.readonly import read_only
from takmail.world.ids import GameNumber, PlayerId, SeekNumber
from takmail.world.players import Player, Seek
from takmail.world.queries import Lacks, Lookup, Queries
from takmail.world.questions import Question
from takmail.world.table import Corrupt, Table

_Key = TypeVarTuple("_Key")
_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class World:
    """The games, players and questions after all events so far.

    * `players` and `games` are those that were loaded or created
    * `seeks` and `closed_seeks` are the seeks that this cause opened or closed
    * `pending` are the open questions that the mail may answer
    * `facts` are the results of lookups in stored data, as they were before all events
    """

    players: Mapping[PlayerId, Player] = field(default_factory=dict)
    games: Mapping[GameNumber, Table | Corrupt] = field(default_factory=dict)
    seeks: Mapping[SeekNumber, Seek] = field(default_factory=dict)
    closed_seeks: frozenset[SeekNumber] = frozenset()
    pending: tuple[Question, ...] = ()
    facts: Mapping[Lookup, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "players", "games", "seeks", "facts")

    def table(self, number: GameNumber) -> Table:
        """Return a game that is loaded and not corrupt."""
        game = self.games[number]
        assert isinstance(game, Table)
        return game

    def owner(self, address: str) -> Player | None:
        """Return the owner of an address, None if no loaded player owns it."""
        return next((player for player in self.players.values() if player.mailbox(address)), None)

    def ask(self, lookup: Callable[[Queries, *_Key], _Found], *key: *_Key) -> _Found:
        """Return the result of a lookup in stored data. Raises Lacks if it is not loaded."""
        (found,) = self.ask_all(lookup, [key])
        return found

    def ask_all(
        self, lookup: Callable[[Queries, *_Key], _Found], keys: Iterable[tuple[*_Key]]
    ) -> list[_Found]:
        """Return the results of several lookups in stored data. Raises Lacks with all that are not loaded."""
        asked = [(lookup.__name__, key) for key in keys]
        if missing := [one for one in asked if one not in self.facts]:
            raise Lacks(*missing)
        return [cast(_Found, self.facts[one]) for one in asked]

    def knowing(self, lookup: Lookup, found: object) -> "World":
        """Return the world with the result of a lookup. A game or a player in it is loaded from now on."""
        world = replace(self, facts={**self.facts, lookup: found})
        match found:
            case Player():
                return replace(world, players={found.id: found, **self.players})
            case Table() | Corrupt():
                players = {**{player.id: player for player in found.players}, **self.players}
                first, second = found.record.seats
                game = replace(found, players=(players[first], players[second]))
                return replace(world, players=players, games={game.number: game, **self.games})
            case _:
                return world
