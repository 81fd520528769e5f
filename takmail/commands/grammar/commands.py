"""Define the commands of the mail grammar as small values."""

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import assert_never

from takmail.commands.kinds import First, LetterView, OfferKind


@dataclass(frozen=True, slots=True)
class New:
    """Invite a player by address or name. `kind` is the game, and `setup` are the words that the game itself parses.

    If `first` is None, the first seat alternates. `days` is the time limit for a turn in days, None for no limit.
    `is_relay`: moves are only forwarded, not checked.
    """

    opponent: str
    setup: tuple[str, ...]
    first: First | None
    days: int | None = None
    is_relay: bool = False
    kind: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class SeekGame:
    """Seek any player for a game. All fields are as in `New`."""

    setup: tuple[str, ...]
    first: First | None
    days: int | None
    is_relay: bool = False
    kind: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Join:
    """Join the game of a seek."""

    number: int


@dataclass(frozen=True, slots=True)
class Unseek:
    """Close the seek with this number, or all of them if it is None."""

    number: int | None


@dataclass(frozen=True, slots=True)
class BlockPlayer:
    """Block the player with this name. '' lists the blocked players."""

    name: str


@dataclass(frozen=True, slots=True)
class UnblockPlayer:
    """Unblock the player with this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Play:
    """A turn in canonical form. `number` is the turn number that the player gave, if any."""

    text: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Dispute:
    """`im`: claim that a turn is invalid, the last one if `turn` is None."""

    reason: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """`why`: explain turn `turn` (None: the last), or the turn `attempt` as if it had been played as turn `turn`.

    An attempt without a number is the next turn.
    """

    turn: int | None
    attempt: str = ""


@dataclass(frozen=True, slots=True)
class Compare:
    """Compare a board that the player sent with the game. `board` is in the game's notation."""

    board: str


@dataclass(frozen=True, slots=True)
class Show:
    """Show the board, now or after a turn.

    `given_up` selects taken-back turns of this number: it is the number of a branch, or 0 for the newest branch.
    """

    turn: int | None
    given_up: int | None = None


@dataclass(frozen=True, slots=True)
class Moves:
    """`moves b2`: list all legal turns of a place, '' for the likely ones of all places."""

    place: str


@dataclass(frozen=True, slots=True)
class Standings:
    """`match`: show the match score with the opponent of this name, or with the opponent in the mail's game."""

    name: str


@dataclass(frozen=True, slots=True)
class Name:
    """Set the player's name."""

    name: str


@dataclass(frozen=True, slots=True)
class View:
    """Set the player's letter format, or show it if `wanted` is None."""

    wanted: LetterView | None


@dataclass(frozen=True, slots=True)
class Help:
    """Show help, in general or about one word. `kind` is the game that it is about, '' for the mail's game."""

    word: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """`rules tak`: summarize the rules of a game, whatever the mail is about."""

    kind: str


@dataclass(frozen=True, slots=True)
class Say:
    """Send chat to the opponent."""

    words: str


@dataclass(frozen=True, slots=True)
class ForgetMe:
    """`forget me`: erase the sender's data."""


class Word(Enum):
    """A command of one word."""

    ACCEPT = "accept"
    DECLINE = "decline"
    RESYNC = "rs"
    LOG = "log"
    GAMES = "games"
    SEEKS = "seeks"
    RECORD = "ptn"
    RULES = "rules"
    MY_DATA = "mydata"
    RESIGN = "resign"
    REMATCH = "rematch"
    DRAW = "draw"
    UNDO = "undo"
    STOP = "stop"
    YES = "yes"
    NO = "no"

    @property
    def needs_game(self) -> bool:
        """Whether it is about one game."""
        match self:
            case Word.ACCEPT | Word.DECLINE | Word.RESIGN | Word.REMATCH | Word.DRAW | Word.UNDO:
                return True
            case Word.RESYNC | Word.LOG | Word.RECORD:
                return True
            case Word.GAMES | Word.SEEKS | Word.RULES | Word.MY_DATA | Word.STOP | Word.YES | Word.NO:
                return False
            case _ as never:
                assert_never(never)

    @property
    def changes(self) -> bool:
        """Whether it acts in the player's name."""
        match self:
            case Word.ACCEPT | Word.DECLINE | Word.RESIGN | Word.REMATCH | Word.DRAW | Word.UNDO:
                return True
            case Word.STOP | Word.YES | Word.NO:
                return True
            case Word.RESYNC | Word.LOG | Word.GAMES | Word.SEEKS | Word.RECORD | Word.RULES | Word.MY_DATA:
                return False
            case _ as never:
                assert_never(never)

    @property
    def looks(self) -> bool:
        """Whether it only shows something and may be answered to anyone. `mydata` requires a verified sender."""
        return not self.changes and self is not Word.MY_DATA

    @property
    def plays_on(self) -> bool:
        """Whether it resumes mail to a player who opted out."""
        return self in (Word.ACCEPT, Word.REMATCH, Word.DRAW, Word.UNDO)


class Verb(StrEnum):
    """The ways to settle an offer: the opponent's or the sender's own."""

    AGREE = "agree"
    REFUSE = "refuse"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class Settle:
    """Settle an offer. `kind` is None if the player did not name one.

    `target` is the turn to go back to, if given.
    """

    verb: Verb
    kind: OfferKind | None
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Propose:
    """`propose`: propose to continue from one board. Both players have to agree.

    * `target` is the turn to go back to
    * `board` is the board to continue from, in the game's notation. If it is None, the board was shown before, or the
      text below the command is no board (`is_unread`).
    * `whose` are the words that say whose turn it would be, '' if there are none
    """

    kind: OfferKind
    target: int | None = None
    board: str | None = None
    whose: str = ""
    is_unread: bool = False


class LineFault(StrEnum):
    """Why a line that looks like a command cannot be parsed. A template words each fault."""

    NEW_WITHOUT_OPPONENT = "new_without_opponent"
    NEW_WITHOUT_VS = "new_without_vs"
    NEW_TWO_OPPONENTS = "new_two_opponents"
    NEW_TWICE = "new_twice"
    NEW_FIRST = "new_first"
    NEW_DAYS = "new_days"
    SEEK_WHAT = "seek_what"
    SEEK_VS = "seek_vs"
    JOIN_WHAT = "join_what"
    UNSEEK_WHAT = "unseek_what"
    SETTLE_WHAT = "settle_what"
    PROPOSE_WHAT = "propose_what"
    PROPOSE_BACK = "propose_back"
    SAY_WHAT = "say_what"
    NAME_WHAT = "name_what"
    VIEW_WHAT = "view_what"
    ADDRESS_WHAT = "address_what"
    UNBLOCK_WHAT = "unblock_what"
    SHOW_WHAT = "show_what"
    MOVES_WHAT = "moves_what"
    TURN_WITH_MARK = "turn_with_mark"
    GREETED = "greeted"
    MISTYPED = "mistyped"
    TOO_MANY = "too_many"
    MANY_BOARDS = "many_boards"
    BOARD_SPACES = "board_spaces"


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line that looks like a command but cannot be parsed. `detail` is a parameter of the message about the fault."""

    fault: LineFault
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A line that would be a command if `letter` were the Latin letter that it resembles. `meant` is that command."""

    letter: str
    alphabet: str
    meant: str


@dataclass(frozen=True, slots=True)
class AddAddress:
    """`address add`: add an address to the sender."""

    address: str


@dataclass(frozen=True, slots=True)
class RemoveAddress:
    """`address remove`: remove an address from the sender."""

    address: str


@dataclass(frozen=True, slots=True)
class AddressIsMine:
    """Add the sender's address to a player, as its owner confirmed by `yes`. No line is parsed to this command."""

    player_id: int


InGame = Play | Dispute | Compare | Why | Show | Moves | Say | Settle | Propose
"""Commands about one game."""
OutsideGame = (
    New
    | SeekGame
    | Join
    | Unseek
    | Name
    | View
    | BlockPlayer
    | UnblockPlayer
    | AddAddress
    | RemoveAddress
    | AddressIsMine
    | ForgetMe
)
"""Commands about players, and about games that do not exist yet."""
Command = InGame | OutsideGame | Standings | Help | Rules | Word | Unclear | Foreign
"""Everything that a line can be parsed to, except a malformed turn."""

MOST_DETAIL = 60
"""The maximum number of characters of an unknown word that the answer repeats."""
ANSWERS = {"yes": Word.YES, "no": Word.NO, "ok": Word.YES}
"""Words that count only on the first line, and only while a question is open."""
WORDS = tuple(one.value for one in Word if one not in ANSWERS.values())
"""One-word commands that count on any line."""
SETTLING = tuple(one.value for one in Verb)
"""Answers to offers, which count on any line, too."""
STOPS = ("quit", "--", ".")
"""Lines that end the commands of a mail."""
