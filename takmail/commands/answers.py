"""Define the answers to commands that change nothing: refusals, and what only shows something."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from takmail.games.interface import Effect, Game, Reason
from takmail.games.readonly import read_only
from takmail.world import GameRecord, Standing, news
from takmail.world.changes import Change


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
    effects: "Effects" = ()
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


def refused_to_all(reason: str, /, **facts: object) -> Refusal:
    """Return the refusal of a command that fails for every sender. It repeats none of the typed words."""
    return Refusal(reason, facts, is_for_all=True)


def refused_by(rules: Game, reason: Reason, turn: str = "", fixes: tuple[str, ...] = ()) -> Refusal:
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

Effects = tuple[news.News | Change, ...]
"""News and changes. The changes are made in order. An answer begins with the news that reports it."""
Answer = Effects | Said
"""The return type of commands."""
