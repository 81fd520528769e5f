"""Define the answers to commands, the sender of a mail, and the result of a decision."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto

from takmail.games.game_rules import GameRules
from takmail.games.interface import Effect, Reason, Seat
from takmail.games.readonly import read_only
from takmail.mail.lines_by_game import MailPart
from takmail.mail.tokens import SeatRef
from takmail.world import (
    GameNumber,
    GameRecord,
    LetterPurpose,
    Mailbox,
    MailState,
    PendingId,
    Player,
    Standing,
    World,
    events,
)

# Answers to commands that change nothing: refusals, and what only shows something.


class Shows(Enum):
    """What an answer shows of a game. Letters choose their other parts by it.

    * `GAME`: how the game stands or went, even if it is over
    * `BOARD`: the current board, which the letter shows in any case
    * `COMPARISON`: where a board differs from the current one
    * `OTHER_BOARD`: a board or a place that may not be that of the current board
    * `RECORD`: the record of the game
    * `MOVES`: a list of legal moves
    * `AGAIN`: nothing, as the letter shows it already
    * `NEW_GAME`: nothing of this game, as another one begins with it
    """

    NOTHING = auto()
    GAME = auto()
    BOARD = auto()
    COMPARISON = auto()
    OTHER_BOARD = auto()
    RECORD = auto()
    MOVES = auto()
    AGAIN = auto()
    NEW_GAME = auto()


@dataclass(frozen=True, slots=True)
class Said:
    """An answer that is no news.

    * `reason` is the name of the message that words it, or of its builder in `letters/answers`, and `facts` are the
      parameters of this
    * `effects` happen nevertheless. For example, the board of a proposal is stored even if the command does not say
      whose turn it would be.
    """

    reason: str
    facts: Mapping[str, object] = field(default_factory=dict)
    effects: "Events" = ()
    shows: Shows = Shows.NOTHING

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Refusal(Said):
    """The answer to a command that cannot be carried out. The commands after it are skipped.

    `is_for_all`: it is the same for every sender and repeats none of the typed words, so that nobody is asked first who
    wrote the command.
    """

    is_for_all: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Told(Said):
    """The answer to a command that shows something or has nothing to do. The commands after it are carried out."""


@dataclass(frozen=True, slots=True)
class Skipped(Said):
    """The answer to a command that was not tried."""

    reason: str = "skipped"


def refused(reason: str, /, shows: Shows = Shows.NOTHING, **facts: object) -> Refusal:
    """Return the refusal of a command."""
    return Refusal(reason, facts, shows=shows)


def refused_beyond(reason: str, count: int, most: int) -> Refusal | None:
    """Return a refusal if there are as many of something as there may be, `most`, otherwise None."""
    return refused(reason, most=most) if count >= most else None


def refused_to_all(reason: str, /, **facts: object) -> Refusal:
    """Return the refusal of a command that fails for every sender. It repeats none of the typed words."""
    return Refusal(reason, facts, is_for_all=True)


def refused_by(rules: GameRules, reason: Reason, turn: str = "", fixes: tuple[str, ...] = ()) -> Refusal:
    """Return the refusal of what a rule of the game forbids.

    `turn` is how a line was read, '' if it was typed so. `fixes` are lines that may be meant.
    """
    return refused("refused", game=rules.name, reason=reason, turn=turn, fixes=fixes)


def told(reason: str, /, shows: Shows = Shows.NOTHING, **facts: object) -> Told:
    """Return the answer to a command that shows something or has nothing to do."""
    return Told(reason, facts, shows=shows)


@dataclass(frozen=True, slots=True)
class OfferedLine:
    """A line that an answer offers to be sent instead, and what it would do now.

    `effect` is that of a turn, and `keyword` that of any other command. `in_ptn`: the turn is what the sender's line
    means in PTN.
    """

    line: str
    keyword: str = ""
    effect: Effect | None = None
    in_ptn: bool = False


class RefusalError(Exception):
    """Raised where a command turns out to be impossible. `refusal` becomes its answer."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def refuse_if(refusal: Refusal | None) -> None:
    """Raise RefusalError if there is a refusal."""
    if refusal is not None:
        raise RefusalError(refusal)


GAME_OVER = refused("over", Shows.GAME)
"""The refusal of a command because its game is over. The letter shows the game's end again."""
_WHY_NOT_OPEN = {
    Standing.OPEN: None,
    Standing.INVITED: refused("not_begun"),
    Standing.BIDDING: refused("bids_first"),
    Standing.DECLINED: refused("was_declined"),
    Standing.ADJOURNED: refused("adjourned"),
    Standing.OVER: GAME_OVER,
}


def not_open(game: GameRecord) -> Refusal | None:
    """Return the reason why nothing can be changed in a game, None if the game is open."""
    return _WHY_NOT_OPEN[game.standing]


SHOWN_ABOVE = told("above", Shows.AGAIN)
"""The answer to a command that the mail has given before. The letter shows its result only once."""

Events = tuple[events.Event, ...]
"""Events in order. The first that letters tell reports the answer."""
Answer = Events | Said
"""The return type of commands."""


# Who sent a mail, and what was decided on it.


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
    """The mail names several games. `parts` are its lines for each, none if its headers name several."""

    games: tuple[int, ...]
    parts: tuple[MailPart, ...] = ()


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
        return any((shown.game, shown.seat) == (claim.game, claim.seat) for shown in self.shown_seats)

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
    * `held`: what it stands by was not done, and nothing proves who wrote it
    * `kept`: what it stands by was not done, so it goes with what the sender does next
    * `dropped`: it was kept, and the sender does not want it to go out any more
    * `address`: it has an address, so that the sender is asked
    * `left`: there is nobody to forward it to
    * `to_bot`: the opponent is a bot, so that only takmail reads it. `kind`: it is only polite besides.
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
    KEPT = "kept"
    DROPPED = "dropped"
    ADDRESS = "address"
    LEFT = "left"
    TO_BOT = "to_bot"
    KIND = "kind"
    FULL = "full"
    HEARD = "heard"
    SEALED = "sealed"
    REFUSED = "refused"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class ChatResult:
    """What happened to the chat in a mail: its status and its effects.

    * `text` is the chat as its reader gets it
    * `courtesy` is in what way words to a bot are only polite (`courtesy_of`), '' if they are not, or to a person
    * `is_cut`: it was too long and was truncated
    * `offers` are the turns that it may be meant as, if its sender is to move and the mail has no turn
    * `kept` is what keeps it, None unless it is kept. The answer quotes it, so that a `no` to this letter drops it.
    """

    status: ChatStatus = ChatStatus.NONE
    text: str = ""
    effects: Events = ()
    is_cut: bool = False
    offers: tuple[OfferedLine, ...] = ()
    kept: PendingId | None = None
    courtesy: str = ""


NO_CHAT = ChatResult()


@dataclass(frozen=True, slots=True)
class Reported:
    """A line of a mail, with its answer: the event that reports it, or what is said.

    `is_confirmed`: the sender has said yes to the line, which takmail wrote. `followed` are the events that followed.
    """

    line: str
    answer: events.Event | Said
    is_confirmed: bool = False
    followed: tuple[events.Event, ...] = ()


@dataclass(frozen=True, slots=True)
class CauseResult:
    """The result of a decision about a cause.

    * `world` is the world after it, `happened` are the events, and `ended` the games that end with them
    * `reports` are the answers to the lines of the mail
    * `claim` is the seat whose mail thread the answer belongs to, None if the answer is about no game
    * `note` is for the operator
    * `is_silent`: no answer is written
    * `mail_state` is the final state of the mail, None if it follows from what was played and answered
    * `is_costly`: the mail's body is too expensive to read
    * `offers_language` is the code of the language in which the mail is written if the answer offers it, because the
      sender has chosen none and gets letters in another one. Otherwise it is ''.
    """

    world: World
    happened: tuple[events.Event, ...] = ()
    reports: tuple[Reported, ...] = ()
    chat: ChatResult = NO_CHAT
    claim: SeatClaim | None = None
    player: Player | None = None
    ended: frozenset[GameNumber] = frozenset()
    note: str = ""
    is_silent: bool = False
    mail_state: MailState | None = None
    is_costly: bool = False
    offers_language: str = ""
