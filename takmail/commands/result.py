"""Define the sender of a mail and the result of a decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from takmail.commands.answers import Effects, Said
from takmail.games.interface import Seat
from takmail.games.readonly import read_only
from takmail.mail.tokens import SeatRef
from takmail.world import GameNumber, LetterPurpose, Mailbox, MailState, Match, Player, World, news


class Assurance(Enum):
    """How certain it is who wrote a mail."""

    PLAYER = "an address of the seat's player, proved by the seat's token or vouched for by a mail server"
    FROM = "an address of the seat's player, without proof"
    TOKEN = "the seat's token, from another address"
    ADDRESS = "about no game, from a verified address"
    NOBODY = "about no game, without proof"


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """The seat whose player the mail seems to come from, and how certain that is.

    `turn` is the last turn on the board of the answered letter, None if no token of that letter proves the seat.
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
    """The mail names several games, and is handled as if it named none."""

    games: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ForeignGame:
    """The mail names a game in which the sender has no seat. No other game is chosen instead."""

    game: GameNumber


Place = SeatClaim | SeveralGames | ForeignGame | None
"""What a mail is about: the sender's seat in a game, or the reason why no seat is known. None: it names no game."""


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of a mail, as its headers show.

    * `player` is the owner of the From address, None if it belongs to nobody
    * `mailbox` is the one of the From address, as it was before the mail
    * `address_verified`: the mail provably comes from its From address
    * `player_verified`: a player provably wrote the mail
    * `is_signed`: the mail server vouches for the From address, so that no token is needed
    * `is_refuted`: the mail server's word on the From address outweighs every token in the mail
    * `unsubscribes` is the line for which the mail of a mail program's unsubscribe button stands, '' if it is none
    * `claim` is what the mail is about, as far as the headers tell
    * `is_shared`: the mail went to others than the sender and takmail, as its headers tell
    * `is_to_others`: the sender is a player, and the mail has the token of another player's seat, as an answer to all
      readers of that player's mail has
    * `shown_seats` are the seats whose current tokens the mail has shown to others than their players
    * `shows_personal`: it has shown them the current personal token of its address
    * `utc_offset` is the offset from UTC in the mail's Date header, None if there is no sensible one
    """

    address: str
    name: str
    player: Player | None
    address_verified: bool
    player_verified: bool
    is_signed: bool
    unsubscribes: str
    claim: Place
    mailbox: Mailbox
    is_refuted: bool = False
    is_shared: bool = False
    is_to_others: bool = False
    shown_seats: tuple[SeatRef, ...] = ()
    shows_personal: bool = False
    utc_offset: str | None = None

    def needs_new_token(self, claim: SeatClaim | None) -> bool:
        """Whether the sender needs a letter with a new token of the seat `claim`, as others have read the current one.

        If the mail server vouches for the sender, no token is needed.
        """
        if self.is_signed or claim is None or not claim.player_verified:
            return False
        return any((one.game, one.seat) == (claim.game, claim.seat) for one in self.shown_seats)

    @property
    def is_verified(self) -> bool:
        """Whether the mail provably comes from its From address or from a player."""
        return self.address_verified or self.player_verified

    @property
    def purpose(self) -> LetterPurpose:
        """The kind under which budgets count the letters that the mail causes."""
        return LetterPurpose.SURE if self.is_verified else LetterPurpose.UNSURE

    @property
    def is_stranger(self) -> bool:
        """Whether neither this mail nor an earlier one proves that the address is its writer's."""
        has_written = self.player is not None and self.player.has_written
        return not self.is_verified and self.mailbox.verified_at is None and not has_written


class ChatStatus(StrEnum):
    """Whether the chat in a mail is forwarded, and if not, why.

    * `none`: the mail has no chat
    * `sent`: a letter that is written now contains it
    * `wait`: it waits for the next letter to the opponent
    * `invites`: the invitation that the mail causes brings it
    * `unfit`: the invitation does not bring it, so it waits until the guest accepts
    * `apart`: it stands by commands that are all about something else than the game of the mail
    * `held`: it may be part of an unclear answer
    * `address`: it has an address, so that the sender is asked
    * `left`: there is nobody to forward it to
    * `full`: too much chat already waits
    * `heard`: an earlier letter delivered the same chat
    * `sealed`: not both players have bid
    * `refused`: the opponent blocks the sender
    * `broken`: the game is corrupt
    """

    NONE = "none"
    SENT = "sent"
    WAIT = "wait"
    INVITES = "invites"
    UNFIT = "unfit"
    APART = "apart"
    HELD = "held"
    ADDRESS = "address"
    LEFT = "left"
    FULL = "full"
    HEARD = "heard"
    SEALED = "sealed"
    REFUSED = "refused"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class ChatResult:
    """What happened to the chat in a mail: its status and its effects. `text` is the chat as its reader gets it."""

    status: ChatStatus = ChatStatus.NONE
    text: str = ""
    effects: Effects = ()


NO_CHAT = ChatResult()


@dataclass(frozen=True, slots=True)
class Reported:
    """A line of a mail, with its answer: the news that reports it, or what is said.

    `is_confirmed`: the sender has said yes to the line, which takmail wrote.
    """

    line: str
    answer: news.News | Said
    is_confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a decision about a cause.

    * `world` is the world after it, and `events` are the news
    * `reports` are the answers to the lines of the mail
    * `claim` is the seat whose mail thread the answer belongs to, None if the answer is about no game
    * `matches` are the match scores after the games that have ended, as the first seat sees them
    * `note` is for the operator
    * `is_silent`: no answer is written
    * `mail_state` is the final state of the mail, None if it follows from what was played and answered
    * `is_costly`: the mail's body is too expensive to read
    * `offers_language` is the code of the language in which the mail is written if the answer offers it, because the
      sender has chosen none and gets letters in another one. Otherwise it is ''.
    """

    world: World
    events: tuple[news.News, ...] = ()
    reports: tuple[Reported, ...] = ()
    chat: ChatResult = NO_CHAT
    claim: SeatClaim | None = None
    player: Player | None = None
    matches: Mapping[GameNumber, Match] = field(default_factory=dict)
    note: str = ""
    is_silent: bool = False
    mail_state: MailState | None = None
    is_costly: bool = False
    offers_language: str = ""

    def __post_init__(self) -> None:
        read_only(self, "matches")
