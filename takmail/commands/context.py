"""Define the context in which a command is carried out, with its services.

Besides, tell which turn a command refers to, and which events a player is told.
"""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from random import Random
from typing import Protocol

from takmail.blocks import Message, message
from takmail.commands.answers import (
    NO_CHAT,
    ChatResult,
    ChatStatus,
    Refusal,
    RefusalError,
    Reported,
    Said,
    SeatClaim,
    refused,
)
from takmail.commands.command import Commands
from takmail.games.bots import NO_BOTS, Bots
from takmail.games.interface import Seat
from takmail.games.registry import Games
from takmail.limits.letters import RateLimits
from takmail.limits.mails import DEFAULT_LIMITS, Limits
from takmail.mail.tokens import SeatKey
from takmail.world import (
    NOT_ACCEPTED,
    Cause,
    Game,
    GameNumber,
    LetterView,
    MessageId,
    NewPlayers,
    Pending,
    PendingId,
    PendingKind,
    Player,
    PlayerId,
    Queries,
    SeekNumber,
    SeenWorld,
    Turn,
    World,
    events,
    seen_by,
    view,
)

A_FRIEND = message("a_friend")
"""The name of a player who has none."""
A_PLAYER = message("a_player")
"""The name of a player who has left for good."""
ADDRESS_LEFT_OUT = message("address_left_out")
"""What stands in the place of an address in somebody's words."""
LABELS = (A_FRIEND, A_PLAYER, ADDRESS_LEFT_OUT)


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
class Access:
    """Who may begin to play, and the addresses of players who may begin tournaments."""

    new_players: NewPlayers = NewPlayers.ANYONE
    organisers: frozenset[str] = frozenset()


OPEN = Access()
"""Anyone may begin to play, and nobody but the operator a tournament."""


@dataclass(frozen=True, slots=True)
class CommandServices:
    """The services that commands use.

    * `address` and `name` are takmail's own
    * `authserv_id` names the mail server whose Authentication-Results headers are trusted, None to trust no server
    * `operator` is the operator's address, None if they want no letters
    * `letter_view` is the letter format of players who chose none
    * `keep_mail_days` is the number of days after which mails and letters are reduced
    * `access` tells who may begin what
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
    access: Access = OPEN
    language: str = "en"
    commands: Commands = field(kw_only=True)
    games: Games = field(kw_only=True)
    bots: Bots = field(kw_only=True, default=NO_BOTS)

    def label(self, label: Message) -> str:
        """Return a label that stands in place of a name, and is kept with the game, in the language of the service."""
        return self.templates.said(label, self.language)


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote a mail, as its headers say: the address and the name in From, both '' if the cause is no mail.

    `utc_offset` is the offset from UTC in the Date header, such as `+0100`, None if there is no sensible one.
    `is_proven`: the mail provably comes from the address.
    """

    address: str = ""
    name: str = ""
    utc_offset: str | None = None
    is_proven: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """The letter that a mail answers. Its fields are None if it answers no stored letter.

    * `letter` is its Message-ID
    * `version` is the game's version in it
    * `turn` is the last turn that it shows, read from its Message-ID
    """

    letter: MessageId | None = None
    version: int | None = None
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class OutsideGames:
    """Why a mail is about no game.

    * `named` is a game that it names although the sender has no seat in it
    * `words` says why nobody reads its chat: `LEFT`: it is about no game. `BROKEN`: its game is corrupt.
    """

    named: GameNumber | None = None
    words: ChatStatus = ChatStatus.LEFT


@dataclass(frozen=True, slots=True)
class CurrentLine:
    """The line of the command that is carried out, in plain form.

    * `confirmed` is the line that the mail confirms, None if there is none
    * `is_supposed`: nobody typed the line (`Context.supposing`)
    """

    text: str = ""
    confirmed: str | None = None
    is_supposed: bool = False

    @property
    def is_confirmed(self) -> bool:
        """Whether the mail confirms this very line."""
        return self.text == self.confirmed


@dataclass(frozen=True, slots=True)
class Progress:
    """What a cause has led to so far.

    * `happened` are its events
    * `reports` are the answers to the lines of the mail, and `chat` is what happened to its chat
    """

    happened: tuple[events.Event, ...] = ()
    reports: tuple[Reported, ...] = ()
    chat: ChatResult = NO_CHAT


@dataclass(frozen=True, slots=True)
class Context:
    """What a command sees besides its own arguments.

    * `seed` is the only source of randomness
    * `player` is the owner of the author's address, None if nobody owns it
    * `world` is the world after what has happened so far
    * `game_number` is the game that the mail is about, and `seat` the sender's seat in it. Both are None outside games.
    * `player_verified`: the player of `seat` provably wrote the mail
    * `claim` is the seat in whose thread the answer goes, None if the answer is not about a game
    """

    services: CommandServices
    now: datetime
    seed: bytes
    cause: Cause
    author: Author
    player: Player | None
    world: World
    game_number: GameNumber | None = None
    seat: Seat | None = None
    player_verified: bool = False
    answered: Answered = Answered()
    outside: OutsideGames = OutsideGames()
    line: CurrentLine = CurrentLine()
    so_far: Progress = Progress()
    claim: SeatClaim | None = None

    @property
    def game(self) -> Game:
        """The game that the mail is about. Fails if `game_number` is None."""
        assert self.game_number is not None
        return self.world.game(self.game_number)

    @property
    def seen_world(self) -> SeenWorld:
        """The world as the sender may see it. Answers show nothing else of it."""
        return view(self.world, None if self.player is None else self.player.id, self.now)

    @property
    def seen(self) -> Game:
        """The game that the mail is about, as the player in the sender's seat may see it."""
        return seen_by(self.game, self.game.record.players[self.you])

    @property
    def opponent(self) -> PlayerId:
        """The player in the seat opposite to the sender's. Fails if `seat` is None."""
        return self.game.record.players[self.you.other]

    @property
    def you(self) -> Seat:
        """The sender's seat. Fails if `seat` is None."""
        assert self.seat is not None
        return self.seat

    @property
    def shows_what_is_gone(self) -> bool:
        """Whether the letter that the mail answers shows a turn that was taken back since."""
        return self.game.shows_taken_back(self.answered.version, self.answered.turn)

    def has_played(self, turn: Turn) -> bool:
        """Tell whether this mail has played a turn."""
        return self.cause.mail is not None and turn.mail == self.cause.mail

    @property
    def has_played_turn(self) -> bool:
        """Whether this mail has played a turn that stands."""
        return any(self.has_played(turn) for game in self.world.games.values() for turn in game.turns[-1:])

    @property
    def proposed_games(self) -> tuple[Game, ...]:
        """The games to which this mail has invited somebody, oldest first."""
        return tuple(game for game in self.world.new_games if game.record.standing in NOT_ACCEPTED)

    def asked(self, *kinds: PendingKind) -> tuple[Pending, ...]:
        """Return the questions that this mail has asked, those of some kinds if any are given."""
        return tuple(events.questions_asked(self.so_far.happened, kinds))

    def has_answered(self, reason: str) -> bool:
        """Tell whether this mail has had an answer for a reason."""
        answers = (report.answer for report in self.so_far.reports)
        return any(isinstance(answer, Said) and answer.reason == reason for answer in answers)

    def rng(self, what: str) -> Random:
        """Return a random generator for `what`, which names the purpose.

        It depends on the place of the command in its mail, so each command gets another one. A second attempt at the
        same cause gets the same generator.
        """
        return Random(hmac.digest(self.seed, f"{what} {len(self.so_far.reports)}".encode(), "sha256"))

    def with_chat(self, chat: ChatResult) -> "Context":
        """Return the context after something has happened to the chat of the mail."""
        return replace(self, so_far=replace(self.so_far, chat=chat))

    def of_current_board(self) -> "Context":
        """Return the context of a mail that was written for the current board, whichever its letter shows."""
        return replace(self, answered=Answered(self.answered.letter))

    def supposing(self) -> "Context":
        """Return the context to find out what would come of a line that nobody typed. Nothing of it is stored."""
        line = replace(self.line, is_supposed=True)
        return replace(self, line=line, world=self.world.supposed())

    # The numbers of what is new.

    def next_game(self) -> GameNumber:
        """Return the number of the next game."""
        number = GameNumber(self.world.numbers.following("game"))
        self.world.stored.know(Queries.game, number, answer=None)
        return number

    def next_player(self) -> PlayerId:
        """Return the number of the next player."""
        return PlayerId(self.world.numbers.following("player"))

    def next_seek(self) -> SeekNumber:
        """Return the number of the next seek."""
        return SeekNumber(self.world.numbers.following("seek"))

    def next_pending(self) -> PendingId:
        """Return the provisional number of what waits next. It is negative, which no stored number is."""
        return PendingId(-1 - len(self.so_far.happened))


# The turn that a command refers to.


def turn_meant(context: Context, turn: int | None, *, is_next: bool = False) -> int:
    """Return the number of the turn that a command refers to. If `turn` is None, it is the last turn seen.

    `is_next`: the next turn is allowed, too, and is the default. Raises RefusalError if there is no such turn.
    """
    if turn is None and not is_next:
        return _last_seen(context)
    most = len(context.game.turns) + is_next
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
    turns = context.game.turns
    count = len(turns)
    # The sender knows a turn that this same mail has played.
    is_own = bool(turns) and context.has_played(turns[-1])
    number = count if context.answered.turn is None or is_own else min(context.answered.turn, count)
    if number == 0:
        raise RefusalError(refused("shows_no_turn"))
    return number


def beyond(context: Context, turn: int) -> Refusal:
    """Refuse a turn number after the last turn of the game. It may not be played yet, or may be taken back."""
    game = context.game
    runs = game.runs_with(turn)
    return refused("show_beyond", turn=turn, turns=len(game.turns), run=runs[-1] if runs else None)


# What the players are told.


def events_for(
    reader: PlayerId, happened: Iterable[events.Event], game: Game
) -> tuple[events.GameEvent, ...]:
    """Return the events that the letter about a game to a player tells, in order. `game` is that after them.

    What the same mail took back is left out. So are events that have letters of their own.
    """
    return tuple(
        event
        for event in events.in_games(happened)
        if event.game == game.number
        and reader in event.readers
        and not event.has_own_letter
        and event.stands(game)
    )
