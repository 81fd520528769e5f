"""Define a cause, the world as it is changed by the cause, and the snapshot on which it is decided."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import TypeVar, TypeVarTuple

from takmail.games.readonly import read_only, replace
from takmail.world.clubs.values import Tournament, TournamentNumber
from takmail.world.game import Game
from takmail.world.kinds import GameNumber, MessageId, PendingId, PlayerId, SeekNumber, Standing
from takmail.world.letters import SentLetter
from takmail.world.match import BegunGame
from takmail.world.operations import Operation, Sweep
from takmail.world.pending import Pending
from takmail.world.players import Mailbox, Player, Seek
from takmail.world.queries import Queries
from takmail.world.reading import NoNumbers, Numbers, Reading
from takmail.world.records import GameRecord

_Key = TypeVarTuple("_Key")
_Answer = TypeVar("_Answer")


class _Tables:
    """The games of one world with their players, each made when it is first asked for."""

    __slots__ = ("made",)

    def __init__(self) -> None:
        self.made: dict[GameNumber, Game | None] = {}


@dataclass(frozen=True, slots=True)
class World:
    """What a cause has changed so far, over what is stored. What it has not changed is read when it is asked for.

    * `stored` is what is stored, without any change by the cause
    * `numbers` are those of new rows
    * `players` and `games` are those that the cause has changed or created. A game names its players: who sits at it
      is looked at when the game is asked for.
    * `seeks` are those that it has opened, and None for each that it has closed
    * `questions` are the questions to addresses that it has asked or changed, and None for each that it has closed.
      What waits in a game is in the game.
    * `tournaments` are those that it has opened or changed
    * `operations` are the changes that also reach rows that were not read
    """

    stored: Reading = field(default_factory=Reading, compare=False)
    numbers: Numbers = field(default_factory=NoNumbers, compare=False)
    players: Mapping[PlayerId, Player] = field(default_factory=dict)
    games: Mapping[GameNumber, Game] = field(default_factory=dict)
    seeks: Mapping[SeekNumber, Seek | None] = field(default_factory=dict)
    questions: Mapping[PendingId, Pending | None] = field(default_factory=dict)
    operations: tuple[Operation, ...] = ()
    tournaments: Mapping[TournamentNumber, Tournament] = field(default_factory=dict)
    _tables: _Tables = field(default_factory=_Tables, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        read_only(self, "players", "games", "seeks", "questions", "tournaments")

    # What there is now.

    def ask(self, query: Callable[[Queries, *_Key], _Answer], *key: *_Key) -> _Answer:
        """Return what a query finds in stored data, as it was before the cause."""
        return self.stored.ask(query, *key)

    def player(self, number: PlayerId) -> Player:
        """Return a player, who must exist."""
        changed = self.players.get(number)
        return self._swept_player(self.stored.player(number)) if changed is None else changed

    def game(self, number: GameNumber) -> Game:
        """Return a game, which must exist."""
        game = self.find_game(number)
        assert game is not None
        return game

    def find_game(self, number: GameNumber) -> Game | None:
        """Return a game with its players, None if there is no such game."""
        made = self._tables.made
        if number not in made:
            game = self.games.get(number)
            if game is None:
                stored = self.stored.game(number)
                game = None if stored is None else self._swept_game(stored)
            made[number] = None if game is None else self._seated(game)
        return made[number]

    def owner(self, address: str) -> Player | None:
        """Return the owner of an address, None if it belongs to nobody."""
        changed = next((player for player in self.players.values() if player.mailbox(address)), None)
        return changed or self._unchanged(self.ask(Queries.player_by_address, address))

    def named(self, skeleton: str) -> Player | None:
        """Return the player whose name has this skeleton, None if there is none."""
        changed = next((player for player in self.players.values() if player.skeleton == skeleton), None)
        return changed or self._unchanged(self.ask(Queries.player_by_skeleton, skeleton))

    def every_seek(self) -> Sequence[Seek]:
        """Return all seeks that are not closed, in the order of the query, and then new ones. Some may have expired."""
        stored = (seek for seek in self.ask(Queries.seeks) if self._keeps(seek))
        every = {**{seek.number: seek for seek in stored}, **self.seeks}
        return [seek for seek in every.values() if seek is not None]

    def questions_to(self, *addresses: str) -> Sequence[Pending]:
        """Return the stored questions to these addresses that are not closed, oldest first. No letter asks others yet.

        Those that newer ones replaced are included. Some may have expired.
        """
        asked = (question for address in addresses for question in self.ask(Queries.questions_to, address))
        stored = sorted(filter(self._keeps, asked), key=attrgetter("id"))
        current = (self.questions.get(question.id, question) for question in stored)
        return [question for question in current if question is not None]

    @property
    def closed_questions(self) -> Set[PendingId]:
        """The stored questions and offers that the cause has closed."""
        of_addresses = self.stored.questions.keys() & self.questions.keys()
        closed = {number for number in of_addresses if self.questions[number] is None}
        for number, game in self.games.items():
            stored = self.stored.games.get(number)
            if stored is not None:
                closed |= {item.id for item in stored.pending} - {item.id for item in game.pending}
        return closed

    @property
    def new_games(self) -> tuple[Game, ...]:
        """The games that the cause has made, oldest first."""
        new = sorted(self.games.keys() - self.stored.games.keys())
        return tuple(map(self.game, new))

    # Sets of which some are stored and others changed.

    def skeletons(self, beginning: str) -> frozenset[str]:
        """Return the skeletons of all names that start with `beginning`."""
        changed = (player.skeleton or "" for player in self.players.values())
        return self.ask(Queries.skeletons, beginning) | {
            skeleton for skeleton in changed if skeleton and skeleton.startswith(beginning)
        }

    def _current(self, stored: Iterable[GameRecord]) -> Iterator[GameRecord]:
        """Yield all changed games as they are now, and those of the stored games that are not changed."""
        yield from (game.record for game in self.games.values())
        yield from (game for game in stored if game.number not in self.games)

    def games_of(self, player: PlayerId, *standings: Standing) -> list[GameRecord]:
        """Return the games of a player that have one of these standings, by number."""
        games = self._current(self.ask(Queries.games_of, player, standings))
        of_player = (game for game in games if player in game.players and game.standing in standings)
        return sorted(of_player, key=attrgetter("number"))

    def sound(self, records: Iterable[GameRecord]) -> list[Game]:
        """Return the games of these records whose board can be shown."""
        games = (self.game(record.number) for record in records)
        return [game for game in games if not game.is_corrupt]

    def begun_between(self, one: PlayerId, other: PlayerId) -> list[BegunGame]:
        """Return the games that two different players have begun with each other, by number."""
        stored = self.ask(Queries.begun_between, one, other)
        others = (game for game in stored if game.number not in self.games)
        changed = (
            BegunGame(record.number, record.kind, record.players[0])
            for record in (game.record for game in self.games.values())
            if {*record.players} == {one, other} and record.has_begun
        )
        return sorted((*others, *changed), key=attrgetter("number"))

    def rematch_of(self, game: Game) -> GameRecord | None:
        """Return the rematch of a game, None if there is none or it was declined."""
        if not game.has_rematch:
            return None
        stored = self.ask(Queries.rematch_of, game.number)
        games = self._current(() if stored is None else (stored,))
        rematches = (rematch for rematch in games if rematch.rematch_of == game.number)
        return next((game for game in rematches if not game.is_declined), None)

    # The world after a change.

    def supposed(self) -> "World":
        """Return the world to suppose changes in that are never stored, so that new rows take no numbers."""
        return replace(self, numbers=NoNumbers())

    def with_game(self, game: Game) -> "World":
        """Return the world with a game added or replaced."""
        return replace(self, games={**self.games, game.number: game})

    def with_player(self, player: Player) -> "World":
        """Return the world with a player added or replaced."""
        return replace(self, players={**self.players, player.id: player})

    def with_tournament(self, tournament: Tournament) -> "World":
        """Return the world with a tournament added or replaced."""
        return replace(self, tournaments={**self.tournaments, tournament.number: tournament})

    def with_seek(self, seek: Seek) -> "World":
        """Return the world with a new seek."""
        return replace(self, seeks={**self.seeks, seek.number: seek})

    def without_seeks(self, numbers: Collection[SeekNumber]) -> "World":
        """Return the world without these seeks."""
        return replace(self, seeks={**self.seeks, **dict.fromkeys(numbers)})

    def with_pending(self, *changed: Pending) -> "World":
        """Return the world with questions and offers, new or in place of those with the same numbers."""
        world = self
        for item in changed:
            if item.game is None:
                world = replace(world, questions={**world.questions, item.id: item})
            else:
                game = world.game(item.game)
                kept = {**{known.id: known for known in game.pending}, item.id: item}
                world = world.with_game(replace(game, pending=tuple(kept.values())))
        return world

    def without_pending(self, *closed: Pending) -> "World":
        """Return the world without these questions and offers."""
        world = self
        for item in closed:
            if item.game is None:
                world = replace(world, questions={**world.questions, item.id: None})
            else:
                game = world.game(item.game)
                kept = tuple(known for known in game.pending if known.id != item.id)
                world = world.with_game(replace(game, pending=kept))
        return world

    def with_operation(self, operation: Operation) -> "World":
        """Return the world with another operation. A sweep changes here what the cause has changed before."""
        world = replace(self, operations=(*self.operations, operation))
        if not isinstance(operation, Sweep):
            return world
        return replace(
            world,
            players={number: operation.of_player(player) for number, player in self.players.items()},
            games={number: operation.of_game(game) for number, game in self.games.items()},
            seeks={
                number: seek if seek is not None and operation.keeps(seek) else None
                for number, seek in self.seeks.items()
            },
            questions={
                number: question if question is not None and operation.keeps(question) else None
                for number, question in self.questions.items()
            },
        )

    def asked_by(self, letters: Mapping[PendingId, MessageId]) -> "World":
        """Return the world with the letters that ask new questions, by question."""
        of_games = (item for game in self.games.values() for item in game.pending)
        waiting = [item for item in (*self.questions.values(), *of_games) if item is not None]
        asked = (item for item in waiting if item.letter is None and item.id in letters)
        return (
            self.with_pending(*(replace(item, letter=letters[item.id]) for item in asked))
            if letters
            else self
        )

    # What an operation has changed, and was read since.

    @property
    def _sweeps(self) -> Sequence[Sweep]:
        return [operation for operation in self.operations if isinstance(operation, Sweep)]

    def _swept_game(self, game: Game) -> Game:
        if self.operations:
            for sweep in self._sweeps:
                game = sweep.of_game(game)
        return game

    def _swept_player(self, player: Player) -> Player:
        if self.operations:
            for sweep in self._sweeps:
                player = sweep.of_player(player)
        return player

    def _keeps(self, waiting: Seek | Pending) -> bool:
        return all(sweep.keeps(waiting) for sweep in self._sweeps)

    def _unchanged(self, player: Player | None) -> Player | None:
        """Return a stored player, None if the cause has changed them, as they would have been found changed."""
        return None if player is None or player.id in self.players else self._swept_player(player)

    def _seated(self, game: Game) -> Game:
        """Return a game with its players as they are now."""
        first, second = game.record.players
        players = (self.player(first), self.player(second))
        is_known = game.players[0] is players[0] and game.players[1] is players[1]
        return game if is_known else replace(game, players=players)


NOTHING_STORED = World()
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
    * `part_of` is the mail of which this one is a part, None if it is none
    """

    name: str
    mail: int | None = None
    is_from_person: bool = False
    arrived_at: datetime | None = None
    part_of: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a cause is decided on.

    * `now` is the time of the cause, which is read only once
    * `seed` is the only source of randomness
    * `world` is the world before the cause. The sender, and the games that the mail may be about, are read already.
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
