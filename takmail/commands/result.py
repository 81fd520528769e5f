"""Define the sender of a mail and the result of a decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from takmail.commands.answers import Events, Refusal, Skipped, Unchanged
from takmail.commands.game.match import Match
from takmail.commands.records import GameNumber, Player
from takmail.commands.snapshot import State
from takmail.games.interface import Seat
from takmail.games.readonly import read_only


class Assurance(Enum):
    """How certain it is who wrote a mail."""

    PLAYER = "an address of the seat's player, proved by the seat's token or vouched for by a mail server"
    FROM = "an address of the seat's player, without proof"
    TOKEN = "the seat's token, from another address"
    ADDRESS = "about no game, from a verified address"
    NOBODY = "about no game, without proof"


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """The seat that a mail speaks for, and how certain that is.

    `turn` is the last turn on the board of the answered letter, if a token of that letter proves the seat.
    """

    game: GameNumber
    seat: Seat
    assurance: Assurance
    turn: int | None = None

    @property
    def player_verified(self) -> bool:
        """Whether the seat's player provably wrote the mail."""
        return self.assurance is Assurance.PLAYER


@dataclass(frozen=True, slots=True)
class SeveralGames:
    """A mail that names several games. It is handled as if it named no game."""

    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ForeignGame:
    """A mail that names a game in which the sender has no seat. No other game is chosen instead."""

    game: int


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a mail, as far as its headers tell.

    * `address_verified`: the mail provably comes from its From address
    * `player_verified`: a player provably wrote it
    * `is_unsubscribe`: a mail program generated it to unsubscribe the sender
    * `claim` is the seat that the headers speak for, or the reason why there is none. It is None if the headers name
      no game.
    """

    address: str
    name: str
    player: Player | None
    address_verified: bool
    player_verified: bool
    is_unsubscribe: bool
    claim: SeatClaim | SeveralGames | ForeignGame | None


class ChatStatus(StrEnum):
    """Whether the chat in a mail is forwarded, and if not, why.

    * `left`: there is no recipient
    * `full`: too much chat already waits
    * `heard`: an earlier letter delivered the same chat
    * `refused`: the opponent blocks the sender
    * `broken`: the game is corrupt, and the mail was handled as about no game
    """

    NONE = "none"
    SENT = "sent"
    WAIT = "wait"
    LEFT = "left"
    FULL = "full"
    HEARD = "heard"
    REFUSED = "refused"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Reported:
    """A line of a mail and its answer."""

    line: str
    answer: Events | Refusal | Unchanged | Skipped


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a decision: the new state, the events in order, and a report for each line.

    * `claim` is the seat in whose thread the answer goes, None if the answer is about no game
    * `matches` are the match scores after the games that ended, from the point of view of the first seat
    * `note` is for the operator
    * `is_silent`: no letter is written
    """

    state: State
    events: Events = ()
    reports: tuple[Reported, ...] = ()
    chat_status: ChatStatus = ChatStatus.NONE
    is_chat_cut: bool = False
    claim: SeatClaim | None = None
    player: Player | None = None
    matches: Mapping[GameNumber, Match] = field(default_factory=dict)
    note: str = ""
    is_silent: bool = False

    def __post_init__(self) -> None:
        read_only(self, "matches")
