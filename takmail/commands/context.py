"""Define the context in which a command is carried out, with its services.

Besides, tell which turn a command refers to, and which news the opponent is told.
"""

import hmac
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from random import Random
from typing import Protocol, TypeVar

from takmail.blocks import Message, message
from takmail.commands.answers import NO_CHAT, ChatResult, Refusal, RefusalError, Reported, SeatClaim, refused
from takmail.commands.command import Commands
from takmail.games.bots import NO_BOTS, Bots
from takmail.games.interface import Seat
from takmail.games.registry import Games
from takmail.limits.letters import RateLimits
from takmail.limits.mails import DEFAULT_LIMITS, Limits
from takmail.mail.tokens import SeatKey
from takmail.world import (
    BEGUN,
    NOTHING_LOADED,
    BegunGame,
    GameNumber,
    GameRecord,
    LetterView,
    MessageId,
    NewPlayers,
    Numbered,
    Pending,
    PendingId,
    Player,
    PlayerId,
    Queries,
    Seek,
    SeekNumber,
    Standing,
    Table,
    Turn,
    World,
    news,
)

A_FRIEND = message("a_friend")
"""The name of a player who has none."""
A_PLAYER = message("a_player")
"""The name of a player who has left for good."""
ADDRESS_LEFT_OUT = message("address_left_out")
"""What stands in the place of an address in somebody's words."""
LABELS = (A_FRIEND, A_PLAYER, ADDRESS_LEFT_OUT)

AnEvent = TypeVar("AnEvent", bound=news.News)


class TemplateSource(Protocol):
    """The templates and messages that commands use, for text that is stored or compared with a name."""

    @property
    def languages(self) -> Sequence[str]:
        """The codes of all languages that have messages."""

    def has_message(self, name: str) -> bool:
        """Tell whether there is a message of this name."""

    def said(self, message: Message, language: str = "en") -> str:
        """Return a message in words, on one line."""

    def line(self, name: str, /, **facts: object) -> str:
        """Return the text of a template that renders to one line."""


@dataclass(frozen=True, slots=True)
class CommandServices:
    """The services that commands use.

    * `address` and `name` are takmail's own
    * `authserv_id` names the mail server whose Authentication-Results headers are trusted, None to trust no server
    * `operator` is the operator's address, None if they want no letters
    * `letter_view` is the letter format of players who chose none
    * `keep_mail_days` is the number of days after which mails and letters are reduced
    * `new_players` tells who may begin to play
    * `language` is the language of letters to players who chose none
    * `commands` are those that players can write
    * `games` are the playable games
    * `bots` are the bots that players can play against
    """

    address: str
    name: str
    key: SeatKey
    templates: TemplateSource
    rates: RateLimits
    limits: Limits = DEFAULT_LIMITS
    authserv_id: str | None = None
    operator: str | None = None
    letter_view: LetterView = LetterView.BOTH
    keep_mail_days: int = 30
    new_players: NewPlayers = NewPlayers.ANYONE
    language: str = "en"
    commands: Commands = field(kw_only=True)
    games: Games = field(kw_only=True)
    bots: Bots = field(kw_only=True, default=NO_BOTS)

    def label(self, label: Message) -> str:
        """Return a label that stands in place of a name, and is kept with the game, in the language of the service."""
        return self.templates.said(label, self.language)


@dataclass(frozen=True, slots=True)
class Context:
    """What a command sees besides its own arguments.

    * `sender` and `sender_name` are the address and the name in the mail's From header
    * `utc_offset` is the offset from UTC in its Date header, such as `+0100`, None if there is no sensible one
    * `player` is the owner of that address, None if nobody owns it
    * `game` is the game that the mail is about, and `seat` is the sender's seat in it. Both are None outside games.
    * `player_verified`: the player of `seat` provably wrote the mail
    * `version` is the game's version in the letter that the mail answers, None if it answers no stored letter
    * `turn` is the last turn that the answered letter shows, read from its Message-ID
    * `letter` is the letter that the mail answers, None if it answers no stored letter
    * `confirmed` is the line that the mail confirms, None if there is none
    * `named_game` is a game that the mail names although the sender has no seat in it
    * `is_corrupt`: the game of the mail is corrupt, and the commands run as if the mail named no game
    * `line` is the line of the command that is carried out, in plain form
    * `is_trial`: the commands are only tried, so that they take no new numbers, which a database may give only once
    * `events` are the news of the mail so far, `world` is the world after them, and `before` the one before the mail
    * `order` is the number of news and changes so far
    * `mail` is the mail's number, None if the cause is not a mail
    * `arrived_at` is when the mail arrived, None if the cause is not a mail
    * `seed` is the only source of randomness
    * `claim` is the seat in whose thread the answer goes, None if the answer is not about a game
    * `reports` are the answers to the lines of the mail so far, and `chat` is what happened to its chat
    """

    services: CommandServices
    now: datetime
    seed: bytes
    mail: int | None
    sender: str
    sender_name: str
    player: Player | None
    world: World
    game: GameNumber | None = None
    seat: Seat | None = None
    player_verified: bool = False
    version: int | None = None
    turn: int | None = None
    letter: MessageId | None = None
    confirmed: str | None = None
    named_game: GameNumber | None = None
    is_corrupt: bool = False
    line: str = ""
    is_trial: bool = False
    before: World = NOTHING_LOADED
    order: int = 0
    events: tuple[news.News, ...] = ()
    arrived_at: datetime | None = None
    utc_offset: str | None = None
    claim: SeatClaim | None = None
    reports: tuple[Reported, ...] = ()
    chat: ChatResult = NO_CHAT

    @property
    def table(self) -> Table:
        """The game that the mail is about. Fails if `game` is None."""
        assert self.game is not None
        return self.world.games[self.game]

    @property
    def you(self) -> Seat:
        """The sender's seat. Fails if `seat` is None."""
        assert self.seat is not None
        return self.seat

    @property
    def shows_what_is_gone(self) -> bool:
        """Whether the letter that the mail answers shows a turn that was taken back since."""
        return self.table.shows_taken_back(self.version, self.turn)

    @property
    def closed_questions(self) -> Set[PendingId]:
        """The stored questions that this mail has closed."""
        still_open = {item.id for item in self.world.all_pending}
        return {item.id for item in self.before.all_pending} - still_open

    def has_played(self, turn: Turn) -> bool:
        """Tell whether this mail has played a turn."""
        return self.mail is not None and turn.mail == self.mail

    def rng(self, what: str) -> Random:
        """Return a random generator for `what`, which names the purpose.

        It depends on the order of the command, so each command gets another one. A second attempt at the same cause
        gets the same generator.
        """
        return Random(hmac.digest(self.seed, f"{what} {self.order}".encode(), "sha256"))

    def done(self, kind: type[AnEvent]) -> tuple[AnEvent, ...]:
        """Return the news of a class that this mail has caused so far."""
        return tuple(event for event in self.events if isinstance(event, kind))

    # Lookups in stored data, updated with the changes so far. A lookup only makes sure that something is loaded: it is
    # read from the world, as it may have changed since. They raise Lacks if the data is not loaded.

    def find_players(self, players: Sequence[PlayerId]) -> list[Player]:
        """Return existing players, in the order of these numbers. They are loaded together."""
        self.world.ask_all(
            Queries.player, [(number,) for number in players if number not in self.world.players]
        )
        return [self.world.players[number] for number in players]

    def player_by_address(self, address: str) -> Player | None:
        """Return the owner of an address, None if nobody owns it."""
        self.world.ask(Queries.player_by_address, address)
        return self.world.owner(address)

    def player_by_skeleton(self, skeleton: str) -> Player | None:
        """Return the player whose name has this skeleton, None if there is none."""
        self.world.ask(Queries.player_by_skeleton, skeleton)
        return next((player for player in self.world.players.values() if player.skeleton == skeleton), None)

    def skeletons(self, beginning: str) -> frozenset[str]:
        """Return the skeletons of all names that start with `beginning`."""
        in_world = (player.skeleton or "" for player in self.world.players.values())
        return self.world.ask(Queries.skeletons, beginning) | {
            skeleton for skeleton in in_world if skeleton and skeleton.startswith(beginning)
        }

    def _current(self, stored: Iterable[GameRecord]) -> Iterator[GameRecord]:
        """Yield all loaded games as they are now, and those of the stored games that are not loaded."""
        yield from (game.record for game in self.world.games.values())
        yield from (game for game in stored if game.number not in self.world.games)

    def games_of(self, player: PlayerId, *standings: Standing) -> list[GameRecord]:
        """Return the games of a player that have one of these standings, by number."""
        games = self._current(self.world.ask(Queries.games_of, player, standings))
        of_player = (game for game in games if player in game.seats and game.standing in standings)
        return sorted(of_player, key=attrgetter("number"))

    def begun_between(self, one: PlayerId, other: PlayerId) -> list[BegunGame]:
        """Return the games that two different players have begun with each other, by number."""
        stored = self.world.ask(Queries.begun_between, one, other)
        others = (game for game in stored if game.number not in self.world.games)
        loaded = (
            BegunGame(record.number, record.kind, record.seats[0])
            for record in (game.record for game in self.world.games.values())
            if {*record.seats} == {one, other} and record.standing in BEGUN
        )
        return sorted((*others, *loaded), key=attrgetter("number"))

    def find_table(self, number: GameNumber) -> Table | None:
        """Return a game, None if there is no such game."""
        return self.world.games.get(number) or self.world.ask(Queries.table, number)

    def load_games(self, numbers: Sequence[GameNumber]) -> list[Table]:
        """Return those of these games that exist. They are loaded together."""
        missing = [(number,) for number in numbers if number not in self.world.games]
        self.world.ask_all(Queries.table, missing)
        return [self.world.games[number] for number in numbers if number in self.world.games]

    def rematch(self) -> GameRecord | None:
        """Return the rematch of the game that the mail is about, None if there is none or it was declined."""
        if not self.table.has_rematch:
            return None
        stored = self.world.ask(Queries.rematch_of, self.table.number)
        games = self._current(() if stored is None else (stored,))
        rematches = (game for game in games if game.rematch_of == self.game)
        return next((game for game in rematches if game.standing is not Standing.DECLINED), None)

    def questions_to(self, address: str) -> list[Pending]:
        """Return the stored questions to an address that are not closed, including those that newer ones replaced."""
        self.world.ask(Queries.questions_to, address)
        return [
            question for question in self.world.pending if question.address == address and question.id > 0
        ]

    def seeks(self) -> list[Seek]:
        """Return all seeks that are not closed, in the order of the query. Some may have expired."""
        in_order = {seek.number: seek for seek in self.world.ask(Queries.seeks)}
        seeks = self.world.seeks
        return [seeks[number] for number in {**in_order, **seeks} if number in seeks]

    def next_game(self) -> GameNumber:
        """Return the number of the next game."""
        new = len(self.world.games) - len(self.before.games)
        return GameNumber(self._next_number("game", new, self.world.games))

    def next_player(self, after: Player | None = None) -> PlayerId:
        """Return the number of the next player. `after` may be another one who joins by the same command."""
        players = {*self.world.players, *([] if after is None else [after.id])}
        return PlayerId(self._next_number("player", len(players) - len(self.before.players), players))

    def next_seek(self) -> SeekNumber:
        """Return the number of the next seek."""
        opened = [event.seek.number for event in self.done(news.SeekOpened)]
        return SeekNumber(self._next_number("seek", len(opened), (*opened, *self.world.seeks)))

    def _next_number(self, table: Numbered, new: int, loaded: Iterable[int]) -> int:
        """Return the number of a new row: one that was never given, nor is among those of the loaded rows.

        `new` is how many this mail has got already. Each is taken from the database by itself.
        """
        first = 0 if self.is_trial else self.world.ask(Queries.next_number, table, new)
        return max((first, *(number + 1 for number in loaded)))

    def next_pending(self) -> PendingId:
        """Return the provisional number of what waits next. It is negative, which no stored number is."""
        return PendingId(-1 - self.order)


# The turn that a command refers to.


def turn_meant(context: Context, turn: int | None, *, is_next: bool = False) -> int:
    """Return the number of the turn that a command refers to. If `turn` is None, it is the last turn seen.

    `is_next`: the next turn is allowed, too, and is the default. Raises RefusalError if there is no such turn.
    """
    if turn is None and not is_next:
        return _last_seen(context)
    most = len(context.table.turns) + is_next
    number = most if turn is None else turn
    if not 1 <= number <= most:
        raise RefusalError(beyond(context, number))
    return number


def _last_seen(context: Context) -> int:
    """Return the last turn that the sender can have seen.

    It is the last turn in the answered letter. If the mail answers none, it is the last turn of the game.
    """
    if context.shows_what_is_gone:
        raise RefusalError(refused("gone"))
    turns = context.table.turns
    count = len(turns)
    # The sender knows a turn that this same mail has played.
    is_own = bool(turns) and context.has_played(turns[-1])
    number = count if context.turn is None or is_own else min(context.turn, count)
    if number == 0:
        raise RefusalError(refused("shows_no_turn"))
    return number


def beyond(context: Context, turn: int) -> Refusal:
    """Refuse a turn number after the last turn of the game. It may not be played yet, or may be taken back."""
    table = context.table
    runs = table.runs_with(turn)
    return refused("show_beyond", turn=turn, turns=len(table.turns), run=runs[-1] if runs else None)


# What the opponent is told.


def events_for_opponent(events: Iterable[news.News], table: Table) -> tuple[news.GameNews, ...]:
    """Return the news of a game that a letter to the opponent reports, in order. `table` is the game after them.

    What the same mail took back is left out. So are news that have letters of their own.
    """
    return tuple(
        event
        for event in events
        if isinstance(event, news.GameNews)
        and event.game == table.number
        and event.is_for_opponent
        and not event.readers
        and event.stands(table)
    )
