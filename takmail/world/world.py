"""Define a cause, the part of the stored data that it may see and change, and the snapshot on which it is decided."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar, TypeVarTuple, cast

from takmail.games.readonly import read_only
from takmail.world.kinds import GameNumber, MessageId, PendingId, PlayerId, SeekNumber, Standing
from takmail.world.letters import SentLetter
from takmail.world.operations import Operation
from takmail.world.players import Mailbox, Player, Seek
from takmail.world.queries import Lacks, Lookup, Queries
from takmail.world.records import Pending
from takmail.world.table import Table

_Key = TypeVarTuple("_Key")
_Found = TypeVar("_Found")


def lookup_of(lookup: Callable[[Queries, *_Key], object], *key: *_Key) -> Lookup:
    """Return a lookup with its arguments."""
    return lookup.__name__, key


@dataclass(frozen=True, slots=True)
class World:
    """The part of the stored data that is loaded, after all changes so far.

    * `players` and `games` are those that were loaded or created
    * `seeks` are those that were loaded or opened
    * `pending` are the questions to addresses that were loaded or asked. What waits in a game is in `games` only.
    * `operations` are the changes that also reach rows that are not loaded
    * `facts` are the results of lookups in stored data, as they were before all changes
    """

    players: Mapping[PlayerId, Player] = field(default_factory=dict)
    games: Mapping[GameNumber, Table] = field(default_factory=dict)
    seeks: Mapping[SeekNumber, Seek] = field(default_factory=dict)
    pending: tuple[Pending, ...] = ()
    operations: tuple[Operation, ...] = ()
    facts: Mapping[Lookup, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "players", "games", "seeks", "facts")

    @property
    def all_pending(self) -> tuple[Pending, ...]:
        """What waits for a word, in games and outside of them."""
        return (*self.pending, *(item for game in self.games.values() for item in game.pending))

    def has_ended_since(self, before: "World", number: GameNumber) -> bool:
        """Tell whether a loaded game is over, and was not in the world before."""
        known = before.games.get(number)
        was_over = known is not None and known.record.standing is Standing.OVER
        return self.games[number].record.standing is Standing.OVER and not was_over

    def with_game(self, game: Table) -> "World":
        """Return the world with a game added or replaced."""
        return replace(self, games={**self.games, game.number: game})

    def with_player(self, player: Player) -> "World":
        """Return the world with a player added or replaced, also in the seats of games."""
        games = {}
        for number, game in self.games.items():
            if player.id in game.record.seats:
                first, second = (player if seated.id == player.id else seated for seated in game.players)
                games[number] = replace(game, players=(first, second))
        players = {**self.players, player.id: player}
        return replace(self, players=players, games={**self.games, **games})

    def with_seek(self, seek: Seek) -> "World":
        """Return the world with a new seek."""
        return replace(self, seeks={**self.seeks, seek.number: seek})

    def without_seeks(self, numbers: Collection[SeekNumber]) -> "World":
        """Return the world without these seeks."""
        kept = {number: seek for number, seek in self.seeks.items() if number not in numbers}
        return replace(self, seeks=kept)

    def with_pending(self, changed: Callable[[Pending], Pending | None]) -> "World":
        """Return the world with `changed` applied to all that waits. It returns None for what is closed."""

        def applied(pending: tuple[Pending, ...]) -> tuple[Pending, ...]:
            return tuple(kept for item in pending if (kept := changed(item)) is not None)

        games = {number: replace(game, pending=applied(game.pending)) for number, game in self.games.items()}
        return replace(self, pending=applied(self.pending), games=games)

    def with_operation(self, operation: Operation) -> "World":
        """Return the world with another operation."""
        return replace(self, operations=(*self.operations, operation))

    def asked_by(self, letters: Mapping[PendingId, MessageId]) -> "World":
        """Return the world with the letters that ask new questions, by question."""

        def asked(question: Pending) -> Pending:
            letter = letters.get(question.id)
            return replace(question, letter=letter) if letter and question.letter is None else question

        return self.with_pending(asked) if letters else self

    def game(self, number: GameNumber) -> Table:
        """Return a game, which must exist. Raises Lacks if it is not loaded."""
        game = self.games.get(number) or self.ask(Queries.table, number)
        assert game is not None
        return game

    def player(self, number: PlayerId) -> Player:
        """Return a player, who must exist. Raises Lacks if they are not loaded."""
        return self.players.get(number) or self.ask(Queries.player, number)

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
        asked = [lookup_of(lookup, *key) for key in keys]
        self.require(*asked)
        return [cast(_Found, self.facts[one]) for one in asked]

    def require(self, *lookups: Lookup) -> None:
        """Raise Lacks with all of these lookups whose results are not loaded."""
        if missing := [lookup for lookup in lookups if lookup not in self.facts]:
            raise Lacks(*missing)

    def knowing(self, lookup: Lookup, found: Any) -> "World":
        """Return the world with the result of a lookup. A game or a player in it is loaded from now on."""
        world = replace(self, facts={**self.facts, lookup: found})
        match found:
            case Player():
                return replace(world, players={found.id: found, **self.players})
            case Table():
                players = {**{player.id: player for player in found.players}, **self.players}
                first, second = found.record.seats
                game = replace(found, players=(players[first], players[second]))
                return replace(world, players=players, games={game.number: game, **self.games})
            case [Seek(), *_]:
                return replace(world, seeks={**{seek.number: seek for seek in found}, **self.seeks})
            case [Pending(), *_]:
                known = {question.id for question in self.pending}
                more = (item for item in found if item.id not in known and item.game is None)
                return replace(world, pending=(*self.pending, *more))
            case _:
                return world


NOTHING_LOADED = World()
"""The world of a cause that concerns nothing stored."""


NO_MAILBOX = Mailbox("")
"""The sender's mailbox in the snapshot of a cause that is not a mail."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Something that starts work.

    * `name` is unique and permanent, such as `mail 12`
    * `mail` is the number of the mail, None if the cause is not a mail
    * `arrived_at` is when the mailbox got the mail, or else when takmail stored it, None if the cause is not a mail
    * `is_from_person`: the operator confirmed that a person wrote the mail, although it looks generated
    """

    name: str
    mail: int | None = None
    is_from_person: bool = False
    arrived_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All data that a cause needs, loaded at once.

    * `now` is the time of the cause, which is read only once
    * `seed` is the only source of randomness
    * `world` contains the sender, the games that the mail may be about, and their players
    * `sender` is the sender's mailbox, even if it belongs to no player, and `player` is its owner
    * `answered` is the newest letter of takmail that the mail answers
    * `known_letters` are the letters named in the mail that are stored
    """

    cause: Cause
    now: datetime
    seed: bytes
    world: World
    sender: Mailbox = NO_MAILBOX
    player: Player | None = None
    answered: SentLetter | None = None
    known_letters: frozenset[MessageId] = frozenset()

    def with_lookups(self, queries: Queries, lacks: Lacks) -> "Snapshot":
        """Return the snapshot with the results of the lookups that a decision has lacked."""
        world = self.world
        for name, key in lacks.lookups:
            world = world.knowing((name, key), getattr(queries, name)(*key))
        return replace(self, world=world)
