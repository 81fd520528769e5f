"""Define the commands that a mail can contain."""

from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Literal, assert_never

from takmail.commands.kinds import First, LetterView, OfferKind
from takmail.games.interface import Reason


@dataclass(frozen=True, slots=True)
class New:
    """`new`: invite a player by address or name.

    * `kind` is the game, and `setup` are the words that the game itself parses
    * `first` is who has the first turn. If it is None, the players alternate.
    * `days` is the time limit for a turn in days, None for no limit
    * `is_relay`: moves are only forwarded, not checked
    """

    opponent: str
    setup: tuple[str, ...]
    first: First | None
    days: int | None = None
    is_relay: bool = False
    kind: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class SeekGame:
    """`seek`: offer a game to any player. All fields are as in `New`."""

    setup: tuple[str, ...]
    first: First | None
    days: int | None
    is_relay: bool = False
    kind: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Join:
    """`join`: begin the game of the seek with this number. `terms` are words that the game itself parses."""

    number: int
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unseek:
    """`unseek`: close the seek with this number. If `number` is None, close all seeks of the sender."""

    number: int | None


@dataclass(frozen=True, slots=True)
class BlockPlayer:
    """`block`: block the player with this name. If `name` is '', list the blocked players."""

    name: str


@dataclass(frozen=True, slots=True)
class UnblockPlayer:
    """`unblock`: unblock the player with this name."""

    name: str


@dataclass(frozen=True, slots=True)
class Play:
    """Play a turn, given in canonical form.

    `number` is the number that the player gave to it, None if they gave none.
    """

    text: str
    number: int | None


@dataclass(frozen=True, slots=True)
class Dispute:
    """`im`: claim that a turn is invalid. If `turn` is None, it is the last turn."""

    reason: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """`why`: explain a turn.

    * If `attempt` is '', turn `turn` is explained, or the last turn if `turn` is None.
    * Otherwise `attempt` is explained as if it had been played as turn `turn`, or as the next turn if `turn` is None.
    """

    turn: int | None
    attempt: str = ""


@dataclass(frozen=True, slots=True)
class Compare:
    """`rs` with a board: compare the board with the game. `board` is in the game's notation."""

    board: str


@dataclass(frozen=True, slots=True)
class Show:
    """`show`: show the current board, or the board after turn `turn`.

    `given_up` selects a turn of this number that was taken back. It is the number of the turn's run, or 0 for the
    newest run.
    """

    turn: int | None
    given_up: int | None = None


@dataclass(frozen=True, slots=True)
class Moves:
    """`moves`: list all legal turns of `place`. If `place` is '', list the likely turns of all places."""

    place: str


@dataclass(frozen=True, slots=True)
class Standings:
    """`match`: show the match score with the player `name`.

    If `name` is '', the opponent in the mail's game is meant.
    """

    name: str


@dataclass(frozen=True, slots=True)
class Name:
    """`name`: set the sender's name."""

    name: str


@dataclass(frozen=True, slots=True)
class View:
    """`view`: set the sender's letter format. If `wanted` is None, tell it."""

    wanted: LetterView | None


@dataclass(frozen=True, slots=True)
class Receipts:
    """`receipts`: set whether the sender gets receipts. If `are_wanted` is None, tell it."""

    are_wanted: bool | None


@dataclass(frozen=True, slots=True)
class Help:
    """`help`: show help, in general or about `word`.

    `kind` is the game that the help is about, '' for the mail's game.
    """

    word: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """`rules tak`: show a summary of the rules of a game, whatever game the mail is about."""

    kind: str


@dataclass(frozen=True, slots=True)
class Say:
    """`say`: send chat to the opponent."""

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
        """Whether the command needs to know which game the mail is about."""
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
        """Whether the command changes anything in the sender's name."""
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
        """Whether the command only shows something, and its answer may go to anybody.

        `mydata` requires a verified sender.
        """
        return not self.changes and self is not Word.MY_DATA

    @property
    def plays_on(self) -> bool:
        """Whether the command shows that a player who asked for no more mail wants mail again."""
        return self in (Word.ACCEPT, Word.REMATCH, Word.DRAW, Word.UNDO)


@dataclass(frozen=True, slots=True)
class WithTerms:
    """`accept bid=2` or `rematch bid=3`: one of these words, with `terms` that the game itself parses."""

    word: Literal[Word.ACCEPT, Word.REMATCH]
    terms: tuple[str, ...]


class Verb(StrEnum):
    """The commands that answer or withdraw an offer."""

    AGREE = "agree"
    REFUSE = "refuse"
    WITHDRAW = "withdraw"


@dataclass(frozen=True, slots=True)
class Settle:
    """`agree`, `refuse` or `withdraw`: answer the opponent's offer, or withdraw the sender's own.

    * `kind` is the kind of offer that the player named, None if they named none
    * `target` is the turn to go back to, None if the player did not name one
    """

    verb: Verb
    kind: OfferKind | None
    target: int | None = None


@dataclass(frozen=True, slots=True)
class Propose:
    """`propose`: propose to continue from one board. The opponent has to agree.

    * `target` is the turn to go back to
    * `board` is the board to continue from, in the game's notation. If it is None, it is the board that the sender
      showed last.
    * `whose` are the words that say whose turn it would be, '' if there are none
    * `is_unread`: the text below the command was not recognised as a board
    """

    kind: OfferKind
    target: int | None = None
    board: str | None = None
    whose: str = ""
    is_unread: bool = False


class LineFault(StrEnum):
    """Why a line that looks like a command cannot be parsed. A template words each reason."""

    NEW_WITHOUT_OPPONENT = "new_without_opponent"
    NEW_TWO_OPPONENTS = "new_two_opponents"
    NEW_TWICE = "new_twice"
    NEW_FIRST = "new_first"
    NEW_DAYS = "new_days"
    SEEK_WHAT = "seek_what"
    SEEK_VS = "seek_vs"
    JOIN_WHAT = "join_what"
    UNSEEK_WHAT = "unseek_what"
    BID_WHAT = "bid_what"
    SETTLE_WHAT = "settle_what"
    PROPOSE_WHAT = "propose_what"
    PROPOSE_BACK = "propose_back"
    SAY_WHAT = "say_what"
    NAME_WHAT = "name_what"
    VIEW_WHAT = "view_what"
    RECEIPTS_WHAT = "receipts_what"
    ADDRESS_WHAT = "address_what"
    UNBLOCK_WHAT = "unblock_what"
    SHOW_WHAT = "show_what"
    MOVES_WHAT = "moves_what"
    NO_LINE_KEPT = "no_line_kept"
    MEANT = "meant"
    TURN = "turn"
    SENTENCE = "sentence"
    TAKEN_BACK = "taken_back"
    MISSING = "missing"
    LOOK_ALIKE = "look_alike"
    TOO_MANY = "too_many"
    MANY_BOARDS = "many_boards"
    BOARD_SPACES = "board_spaces"


@dataclass(frozen=True, slots=True)
class Unclear:
    """A line that is probably an order. It does nothing, and its answer offers what it may mean.

    * `detail` is a parameter of the template that words `fault`, and `reason` is the reason that the game gives
    * `offers` are the lines that it may mean, the likeliest first. Whether they can be carried out is not known yet.
    * `is_turn`: the line is about a turn
    * `is_rival`: it has a whole turn of its own or takes another one back, so that no other turn of its mail is certain
    """

    fault: LineFault
    detail: str = ""
    offers: tuple[str, ...] = ()
    reason: Reason | None = None
    is_turn: bool = False
    is_rival: bool = False


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
    """Add the sender's address to a player, because its owner answered `yes`.

    No line of a mail is parsed to this command.
    """

    player_id: int


InGame = Play | Dispute | Compare | Why | Show | Moves | Say | Settle | Propose | WithTerms
"""Commands that are about one game."""
OutsideGame = (
    New
    | SeekGame
    | Join
    | Unseek
    | Name
    | View
    | Receipts
    | BlockPlayer
    | UnblockPlayer
    | AddAddress
    | RemoveAddress
    | AddressIsMine
    | ForgetMe
)
"""Commands that are about players, or about games that do not exist yet."""
Command = InGame | OutsideGame | Standings | Help | Rules | Word | Unclear
"""Everything that a line can be parsed as."""

WORDS = tuple(one.value for one in Word if one not in (Word.YES, Word.NO))
"""The commands of one word that may be on any line. `yes` and `no` are answers to what waits for one."""
SETTLING = tuple(one.value for one in Verb)
"""The commands that answer or withdraw an offer. They may be on any line, too."""
STOPS = ("quit", "--", ".")
"""Lines that end the part of a mail that is searched for commands."""
