"""Build players, games and contexts in memory, for tests of commands. `Stored` is a store in memory."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from types import SimpleNamespace
from typing import TypeVar

from takmail.commands.answers import Answer, Said, Told
from takmail.commands.command_list import COMMANDS
from takmail.commands.context import Answered, Author, Context, CurrentLine
from takmail.commands.grammar.skeletons import skeleton
from takmail.games.interface import Seat
from takmail.games.registry import GAMES, Games
from takmail.letters.news.rows import has_row
from takmail.letters.services import Services
from takmail.letters.templates import Templates, folder
from takmail.limits.letters import RateLimits
from takmail.mail.tokens import SeatKey
from takmail.pipeline.reactions import with_events
from takmail.world.clubs.values import TournamentNumber
from takmail.world.events import Event
from takmail.world.game import Game
from takmail.world.kinds import (
    BEGUN,
    UNFINISHED,
    GameNumber,
    MessageId,
    PendingId,
    PlayerId,
    PlayerKind,
    Ruling,
    SeekNumber,
    Standing,
    StrangerBudget,
)
from takmail.world.letters import CountedLetter, ReturnedLetter, SentLetter
from takmail.world.match import BegunGame, Finished, finished_game
from takmail.world.pace import Timing
from takmail.world.pending import Pending
from takmail.world.players import Mailbox, Player, Seek
from takmail.world.queries import PersonalData
from takmail.world.ratings import FirstTurn, ListedRating, OwnResults
from takmail.world.reading import Numbered, Reading
from takmail.world.records import GameEnd, GameRecord, Invitation, Turn, seated
from takmail.world.replay import replayed
from takmail.world.tasks import Task
from takmail.world.world import Cause, World

TAK = "tak@example.test"
ADA, BEN = "ada@example.org", "ben@example.org"
AnEvent = TypeVar("AnEvent", bound=Event)
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
EARLIER = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
"""The time when everybody wrote last, and when players and games were created."""
BEGUN_BY = 3
"""The version of a game in which no turn was played yet. Turn n has version `BEGUN_BY` + n."""
MAIL = 70
"""The number of the mail that is handled. Turn n of a game was played by mail n."""

SERVICES = Services(
    TAK,
    "Tak by Mail",
    SeatKey(b"a key for tests only", TAK, "+"),
    Templates(folder()),
    RateLimits(300, 30, 5),
    commands=COMMANDS,
    games=GAMES,
)
"""The services of all contexts. They are shared, because compiling the templates takes long."""


@dataclass
class Stored:
    """The stored data that commands query. A test adds the data that it needs."""

    players: dict[PlayerId, Player] = field(default_factory=dict)
    tables: dict[GameNumber, Game] = field(default_factory=dict)
    open_seeks: dict[SeekNumber, Seek] = field(default_factory=dict)
    boxes: dict[str, Mailbox] = field(default_factory=dict)
    questions: list[Pending] = field(default_factory=list)
    addresses: dict[PlayerId, list[tuple[str, datetime]]] = field(default_factory=dict)
    barred: dict[PlayerId, str] = field(default_factory=dict)
    data: dict[PlayerId, PersonalData] = field(default_factory=dict)
    closed: set[PendingId] = field(default_factory=set)
    letters: dict[MessageId, ReturnedLetter] = field(default_factory=dict)
    shunted: dict[GameNumber, tuple[int, ...]] = field(default_factory=dict)

    def put(self, *things: Player | Game | Seek) -> "Stored":
        """Store these values, and the players of each game, and return the store."""
        for one in things:
            match one:
                case Player():
                    self.players[one.id] = one
                case Seek():
                    self.open_seeks[one.number] = one
                case _:
                    self.tables[one.number] = one
                    self.put(*one.players)
        return self

    def block(self, player: PlayerId, other: PlayerId) -> None:
        """Let a player block another one."""
        blocker = replace(self.players[player], blocked=self.players[player].blocked | {other})
        self.players[player] = blocker

    # The queries.

    def player(self, player: PlayerId) -> Player:
        return self.players[player]

    def counted_letters(self, _budget: StrangerBudget) -> Sequence[CountedLetter]:
        return ()

    def player_by_address(self, address: str) -> Player | None:
        return next((one for one in self.players.values() if one.mailbox(address)), None)

    def player_by_skeleton(self, skeleton: str) -> Player | None:
        return next((one for one in self.players.values() if one.skeleton == skeleton), None)

    def skeletons(self, beginning: str) -> frozenset[str]:
        found = (one.skeleton for one in self.players.values())
        return frozenset(one for one in found if one and one.startswith(beginning))

    def mailbox(self, address: str) -> Mailbox:
        owner = self.player_by_address(address)
        box = None if owner is None else owner.mailbox(address)
        return box or self.boxes.get(address, Mailbox(address))

    def game(self, number: GameNumber) -> Game | None:
        game = self.tables.get(number)
        if game is None:
            return None
        first, second = (self.player(player) for player in game.record.players)
        return replace(game, players=(first, second))

    def games_of(self, player: PlayerId, standings: Sequence[Standing]) -> Sequence[GameRecord]:
        return [one for one in self._records() if player in one.players and one.standing in standings]

    def has_played(self, player: PlayerId) -> bool:
        tables = (table for table in self.tables.values() if player in table.record.players)
        return any(turn.seat is table.record.seat_of(player) for table in tables for turn in table.turns)

    def has_finished(self, player: PlayerId, kind: str) -> bool:
        return any(game.kind == kind for game in self.games_of(player, (Standing.OVER,)))

    def opponents(self, player: PlayerId) -> Sequence[tuple[GameNumber, str]]:
        games = self.games_of(player, UNFINISHED)
        return [(game.number, self.players[game.players[game.seat_of(player).other]].name) for game in games]

    def begun_between(self, one: PlayerId, other: PlayerId) -> Sequence[BegunGame]:
        games = (game for game in self._records() if {one, other} == set(game.players))
        return [
            BegunGame(game.number, game.kind, game.players[0]) for game in games if game.standing in BEGUN
        ]

    def rematch_of(self, number: GameNumber) -> GameRecord | None:
        standing = (game for game in self._records() if game.standing is not Standing.DECLINED)
        return next((game for game in standing if game.rematch_of == number), None)

    def finished(self, kind: str, one: PlayerId, other: PlayerId, since: GameNumber) -> Sequence[Finished]:
        between = self._between(kind, one, other)
        over = [game for game in between if game.standing == Standing.OVER and game.number >= since]
        return [self._finished(game.number) for game in over if game.end.ruling != Ruling.VOID]

    def ratings(self, you: PlayerId | None) -> Sequence[ListedRating]:  # noqa: ARG002 - nobody has one
        return ()

    def first_turns(self) -> Sequence[FirstTurn]:
        return ()

    def results_of(self, player: PlayerId) -> Sequence[OwnResults]:  # noqa: ARG002 - nobody has played
        return ()

    def seeks(self) -> Sequence[Seek]:
        def last_written(player: PlayerId) -> datetime:
            times = [one.verified_at for one in self.players[player].mailboxes if one.verified_at]
            return max(times, default=datetime.min.replace(tzinfo=UTC))

        in_order = sorted(self.open_seeks.values(), key=lambda one: (one.player, one.number))
        return sorted(in_order, key=lambda one: last_written(one.player), reverse=True)

    def tournaments(self, player: PlayerId | None) -> Sequence[TournamentNumber]:  # noqa: ARG002
        return ()

    def questions_to(self, address: str) -> Sequence[Pending]:
        return [one.at(NOW) for one in self.questions if one.address == address]

    def addresses_asked(self, player: PlayerId, since: datetime) -> frozenset[str]:
        return frozenset(one for one, at in self.addresses.get(player, []) if at >= since)

    def letter_to_seat(
        self,
        game: GameNumber,  # noqa: ARG002
        seat: Seat,  # noqa: ARG002
        answered: MessageId | None,  # noqa: ARG002
        until: datetime,  # noqa: ARG002
    ) -> SentLetter | None:
        return None

    def was_told_of_costly(self, player: PlayerId) -> bool:  # noqa: ARG002
        return False

    def block_reason(self, player: PlayerId) -> str:
        return self.barred.get(player, "")

    def personal_data(
        self, player: PlayerId, most: int, most_posts: int, closed: Collection[PendingId]
    ) -> PersonalData:
        assert min(most, most_posts) > 0
        self.closed = {*closed}
        return self.data[player]

    def returned_letter(self, letters: Sequence[MessageId]) -> ReturnedLetter | None:
        named = [self.letters[one] for one in letters if one in self.letters]
        return max(named, key=lambda one: one.number, default=None)

    def waiting_tasks(self, game: GameNumber) -> frozenset[Task]:  # noqa: ARG002
        return frozenset()

    def faults_told(self, game: GameNumber) -> frozenset[str]:  # noqa: ARG002
        return frozenset()

    def _records(self) -> list[GameRecord]:
        return [self.tables[number].record for number in sorted(self.tables)]

    def _between(self, kind: str, one: PlayerId, other: PlayerId) -> list[GameRecord]:
        return [game for game in self._records() if game.kind == kind and {one, other} == set(game.players)]

    def _finished(self, number: GameNumber) -> Finished:
        return finished_game(self.tables[number])


def player(
    number: int,
    name: str,
    *addresses: str,
    kind: PlayerKind = PlayerKind.PERSON,
    verified_at: datetime | None = EARLIER,
    is_named: bool = True,
) -> Player:
    """Return a player with mailboxes at these addresses. If `is_named` is false, they chose no name."""
    boxes = tuple(Mailbox(one, verified_at=verified_at) for one in addresses)
    of_name = skeleton(name) if is_named else None
    return Player(PlayerId(number), name, of_name, EARLIER, kind=kind, mailboxes=boxes)


AS_ADA, AS_BEN = player(1, "Ada", ADA), player(2, "Ben", BEN)


def gone(number: int, name: str) -> Player:
    """Return a player whose data was erased."""
    return player(number, name, kind=PlayerKind.ERASED, is_named=False)


def game(
    *turns: str,
    number: int = 1,
    players: tuple[Player, Player] = (AS_ADA, AS_BEN),
    standing: Standing = Standing.OPEN,
    setup: str = "5",
    kind: str = "tak",
    is_relay: bool = False,
    games: Games = GAMES,
    seats: Iterable[int] | None = None,
    guest_label: str | None = None,
    asked_at: datetime | None = EARLIER,
    rematch_of: int | None = None,
    resigned: Seat | None = None,
    ruling: Ruling | None = None,
    pace: str | None = None,
    offers: Iterable[Pending] = (),
) -> Game:
    """Return a game with these turns, to which the first of `players` invited the second.

    Turns are in canonical form. Turn n has version 3 + n and was played by mail n. Seats alternate unless `seats` names
    the seat of each turn.
    """
    rules = games.rules(kind, is_relay=is_relay)
    first, second = players
    sat = list(seats) if seats is not None else [at % 2 for at in range(len(turns))]
    begun = BEGUN_BY if standing in BEGUN else BEGUN_BY - 1
    made = tuple(
        Turn(at, seat, text, text, BEGUN_BY + at, EARLIER, rules.is_agreement(text), None, at)
        for at, (text, seat) in enumerate(zip(turns, sat, strict=True), 1)
    )
    stood = tuple(offers)
    newest = max((begun + len(turns), *(one.version for one in stood)))
    record = GameRecord(
        number=GameNumber(number),
        version=newest + (standing == Standing.OVER),
        kind=kind,
        setup=setup,
        subject=f"{first.name} vs {second.name}",
        standing=standing,
        invitation=Invitation(first.id, guest_label, asked_at),
        seats=seated(first.id, second.id),
        created_at=EARLIER,
        is_relay=is_relay,
        timing=Timing(pace),
        rematch_of=None if rematch_of is None else GameNumber(rematch_of),
        end=GameEnd(resigned, ruling),
    )
    states = replayed(record, rules, made) if not is_relay else (rules.start(setup),)
    return Game(record, rules, players, made, states, pending=stood)


def context(
    table: Game | None = None,
    by: Player | None = AS_ADA,
    *,
    stored: Stored | None = None,
    services: Services = SERVICES,
    sender: str | None = None,
    sender_name: str = "",
    is_sure: bool = True,
    version: int | None = None,
    turn: int | None = None,
    letter: MessageId | None = None,
    doubted: str = "",
    pending: Sequence[Pending] = (),
    now: datetime = NOW,
    is_heard: bool = True,
) -> Context:
    """Return the context of a command in a mail by a player, about `table` if it is not None.

    `is_heard`: the opponent does not block the player.
    `version` and `turn` are those that the answered letter shows, None if the mail answers no letter.
    `pending` are open questions, before those of the store.
    """
    queries = stored or Stored()
    if by is not None and by.id in queries.players:
        by = replace(by, blocked=by.blocked | queries.players[by.id].blocked)
    people = [] if by is None else [by]
    if table is not None:
        follows = any(one.record.rematch_of == table.number for one in queries.tables.values())
        table = replace(
            table,
            pending=tuple(one.at(now) for one in table.pending),
            has_rematch=table.has_rematch or follows,
        )
        queries.put(table)
    queries.put(*people)
    if table is not None and by is not None and not is_heard:
        queries.block(*(one.id for one in sorted(table.players, key=lambda one: one == by)))
    queries.questions += [one for one in pending if one not in queries.questions]
    state = World(Reading(queries), Following(queries))
    address = sender or (by.addresses[0] if by is not None else "stranger@example.org")
    return Context(
        services,
        now,
        b"a seed for tests only",
        Cause(f"mail {MAIL}", MAIL),
        Author(address, sender_name or ("" if by is None else by.name)),
        by,
        state,
        game_number=None if table is None else table.number,
        seat=None if table is None or by is None else table.record.seat_of(by.id),
        player_verified=is_sure,
        answered=Answered(letter, version, turn),
        line=CurrentLine(confirmed=doubted or None),
    )


def waiting(world: World) -> list[Pending]:
    """Return what waits for a word, of all that was read or changed."""
    questions = {**world.stored.questions, **world.questions}.values()
    games = {**world.stored.games, **world.games}.values()
    in_games = (item for game in games for item in game.pending)
    return [*(question for question in questions if question is not None), *in_games]


class Following:
    """The numbers that follow those of the rows in a store."""

    def __init__(self, stored: Stored) -> None:
        rows = {"game": stored.tables, "player": stored.players, "seek": stored.open_seeks}
        self._numbers = {name: count(max(known, default=0) + 1) for name, known in rows.items()}

    def following(self, table: Numbered) -> int:
        return next(self._numbers[table])


def after(before: Context, answer: Answer) -> Context:
    """Return the context after what a command returned."""
    assert isinstance(answer, tuple), answer
    return with_events(before, answer)


def done(context: Context, kind: type[AnEvent]) -> list[AnEvent]:
    """Return the events of a class that have happened."""
    return [event for event in context.so_far.happened if isinstance(event, kind)]


def news_of(answer: Answer) -> tuple[Event, ...]:
    """Return the events of a command that letters tell."""
    assert isinstance(answer, tuple), answer
    return tuple(one for one in answer if isinstance(one, Event) and has_row(one))


def first(answer: Answer) -> Event:
    """Return the first news of a command, which the answer reports."""
    return news_of(answer)[0]


def facts_of(answer: Answer, reason: str) -> SimpleNamespace:
    """Return the facts of an answer that only shows something."""
    assert isinstance(answer, Told), answer
    assert answer.reason == reason
    return SimpleNamespace(**answer.facts)


def kinds(answer: Answer) -> list[str]:
    """Return the class names of a command's news.

    If the command was refused or had nothing to do, return the reason.
    """
    if isinstance(answer, Said):
        return [answer.reason]
    return [type(one).__name__ for one in news_of(answer)]
