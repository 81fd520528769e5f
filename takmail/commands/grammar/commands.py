"""The commands of the language, each a small value."""

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import assert_never

from takmail.commands.kinds import First, LetterView, OfferKind


@dataclass(frozen=True, slots=True)
class New:
    """Invite someone, by address or by name: `kind` is the game, and `setup` are the words that it reads itself.

    `first` None: in turn. `days` are those that each may think about a turn, None: as many as
    they like. `is_relay`: everything is to be passed on and nothing checked.
    """

    opponent: str
    setup: tuple[str, ...]
    first: First | None
    days: int | None = None
    is_relay: bool = False
    kind: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class SeekGame:
    """Seek anybody for a game; all as in `New`."""

    setup: tuple[str, ...]
    first: First | None
    days: int | None
    is_relay: bool = False
    kind: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Join:
    """Begin the game that somebody seeks."""

    number: int


@dataclass(frozen=True, slots=True)
class Unseek:
    """Seek no more: what has this number, None: anything."""

    number: int | None


@dataclass(frozen=True, slots=True)
class BlockPlayer:
    """Hear nothing more of the player of that name; '': only tell of whom."""

    name: str


@dataclass(frozen=True, slots=True)
class UnblockPlayer:
    """Hear of the player of that name again."""

    name: str


@dataclass(frozen=True, slots=True)
class Play:
    """A turn in canonical form; `number` is the turn that it is meant for, if the player said so."""

    text: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Dispute:
    """`im`: a turn is held to be invalid, the last one where `turn` is None."""

    reason: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """`why`: explain turn `turn` (None: the last), or the turn `attempt` as written, as if it were that turn.

    An attempt without a number is the next turn.
    """

    turn: int | None
    attempt: str = ""


@dataclass(frozen=True, slots=True)
class Compare:
    """A board that the player has written or pasted, in the text of the game's own: it is held against the game."""

    board: str


@dataclass(frozen=True, slots=True)
class Show:
    """The board, now or after a turn; of those given up that have the number where `given_up` says so.

    That is the number of a branch, 0: the newest that has the turn.
    """

    turn: int | None
    given_up: int | None = None


@dataclass(frozen=True, slots=True)
class Moves:
    """`moves b2`: all turns that can be played from a place, '' the likely ones of all places."""

    place: str


@dataclass(frozen=True, slots=True)
class Standings:
    """`match`: how the match stands with the opponent of that name, or with the game's own."""

    name: str


@dataclass(frozen=True, slots=True)
class Name:
    """What the player wants to be called."""

    name: str


@dataclass(frozen=True, slots=True)
class View:
    """What the player's letters are to be made of; None: only tell of it."""

    wanted: LetterView | None


@dataclass(frozen=True, slots=True)
class Help:
    """How to write, in general or about one word; `kind` is the game whose help it is, '' that of the mail."""

    word: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """`rules tak`: the rules of a game in short, whatever the mail is about."""

    kind: str


@dataclass(frozen=True, slots=True)
class Say:
    """Words for the opponent."""

    words: str


@dataclass(frozen=True, slots=True)
class ForgetMe:
    """`forget me`: nothing that leads to the sender is to be kept."""


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
        """Whether it does something in the player's name."""
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
        """Whether it shows something at once, to whomever; `mydata` is for its player alone."""
        return not self.changes and self is not Word.MY_DATA

    @property
    def plays_on(self) -> bool:
        """Whether somebody who wants no more mail plays on by it."""
        return self in (Word.ACCEPT, Word.REMATCH, Word.DRAW, Word.UNDO)


class Verb(StrEnum):
    """What an answer to an offer does, or the end of one's own."""

    AGREE = "agree"
    REFUSE = "refuse"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class Settle:
    """An answer to an offer, or the end of one's own: `kind` is None if not said.

    `target` is the turn to go back to, where it is said.
    """

    verb: Verb
    kind: OfferKind | None
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Propose:
    """`propose`: what both would have to agree to, to go on from one board.

    `target` is the turn to go back to. `board` is the board to go on from, in the text of the game's own, None: it was
    shown before, unless `is_unread`: something stands below that is none. `whose` are the words that say whose turn
    it would be, '' if none do.
    """

    kind: OfferKind
    target: int | None = None
    board: str | None = None
    whose: str = ""
    is_unread: bool = False


class LineFault(StrEnum):
    """Why a line that is meant as a command can't be read as one; each has a sentence in the templates."""

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
    """A line meant as a command that can't be read as one; `detail` fills the sentence about the fault in."""

    fault: LineFault
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A line that would be a command if `letter` were the Latin letter that it looks like; `meant` is that line."""

    letter: str
    alphabet: str
    meant: str


@dataclass(frozen=True, slots=True)
class AddAddress:
    """`address add`: another address is the sender's, too."""

    address: str


@dataclass(frozen=True, slots=True)
class RemoveAddress:
    """`address remove`: an address is the sender's no more."""

    address: str


@dataclass(frozen=True, slots=True)
class AddressIsMine:
    """What a `yes` from an address comes to whose owner was asked: it becomes one of that player's. No line says it."""

    player_id: int


InGame = Play | Dispute | Compare | Why | Show | Moves | Say | Settle | Propose
"""What is about one game."""
Beside = (
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
"""What is about people, and about games that aren't there yet."""
Command = InGame | Beside | Standings | Help | Rules | Word | Unclear | Foreign
"""All that a line may be, but for a turn that can't be read as one."""

MOST_DETAIL = 60
"""Characters of a word that isn't understood which the answer repeats."""
ANSWERS = {"yes": Word.YES, "no": Word.NO, "ok": Word.YES}
"""Words that count on the first line alone, and while a question is open."""
WORDS = tuple(one.value for one in Word if one not in ANSWERS.values())
"""One-word commands that count on any line."""
SETTLING = tuple(one.value for one in Verb)
"""Answers to offers, which count on any line, too."""
STOPS = ("quit", "--", ".")
"""What ends the reading of commands."""
