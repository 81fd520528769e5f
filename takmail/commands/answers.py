"""Define the answers to commands that change nothing: refusals, and events that only show something."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from takmail.commands.events import Event
from takmail.commands.game.match import Match
from takmail.commands.game.runs import Run
from takmail.commands.game.turn_labels import Log
from takmail.commands.game.verdict import Verdict
from takmail.commands.game.view import Break, Entry, ListedGame, ListedSeek, View
from takmail.commands.kinds import LetterView
from takmail.games.choice import Choices
from takmail.games.readonly import read_only


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to a command that cannot be carried out. The commands after it are skipped.

    * `reason` names the template with the wording of the refusal, and `facts` are the template's parameters. No code
      depends on them.
    * `events` happen in spite of the refusal. For example, the board of a proposal is stored even if the command does
      not say whose turn it would be.
    * `is_for_all`: it is the same for every sender and repeats none of the typed words, so that nobody is asked first
      who wrote the command
    """

    reason: str
    facts: Mapping[str, object] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    is_for_all: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class GameOver(Refusal):
    """The refusal of a command because its game is over. The letter shows the game's end again."""

    reason: str = "over"


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The answer to a command that has nothing to do. It is no error, and the commands after it are carried out."""

    reason: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Skipped:
    """The answer to a command that was not tried. `reason` and `facts` are as in `Refusal`."""

    reason: str = "skipped"
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


def refused(reason: str, /, **facts: object) -> Refusal:
    """Return the refusal of a command."""
    return Refusal(reason, facts)


def refused_to_all(reason: str, /, **facts: object) -> Refusal:
    """Return the refusal of a command that fails for every sender. It repeats none of the typed words."""
    return Refusal(reason, facts, is_for_all=True)


def unchanged(reason: str, /, **facts: object) -> Unchanged:
    """Return the answer of a command that has nothing to do."""
    return Unchanged(reason, facts)


Events = tuple[Event, ...]
Answer = Events | Refusal | Unchanged
"""The return type of commands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAbove(Event):
    """A mail requested the same thing twice. The answer shows it only once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResynced(Event):
    """The answer to `rs`, the command that shows the board. It adds nothing, because every answer shows the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShown(Event):
    """The board after a turn, as seen in `then`. `runs` are the runs with a turn of the same number."""

    then: View
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUpBoardShown(Event):
    """The board after a taken-back turn of `run`, as seen in `then`.

    `others` are the other runs with a turn of the same number. `is_played`: the game itself now has another turn of
    this number.
    """

    then: View
    run: Run
    others: tuple[Run, ...]
    is_played: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LogShown(Event):
    """All turns of the game, also those that were taken back."""

    log: Log


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordShown(Event):
    """The game record in the game's own format, and a web address that displays it."""

    record: str
    viewer_url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesListed(Event):
    """The sender's games that are not over, and the newest that are. `more`: there are older ones."""

    games: tuple[ListedGame, ...]
    over: tuple[ListedGame, ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchShown(Event):
    """The scores of matches."""

    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpShown(Event):
    """A help page, rendered from the template `topic`.

    `kind` is the game that it is about, '' for that of the letter.
    """

    topic: str
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesShown(Event):
    """A summary of the rules of the game `kind`, '' for the letter's game."""

    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovesListed(Event):
    """The legal choices for turn `number` at `place`. If `place` is '', they are the likely choices of all places."""

    place: str
    groups: tuple[Choices, ...]
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnExplained(Event):
    """The verdict on a turn. `mover` is the name of the player who would play it, '' for the sender.

    `can_play`: the sender could play the turn now.
    """

    verdict: Verdict
    mover: str
    can_play: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewTold(Event):
    """The sender's letter format."""

    view: LetterView


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptsTold(Event):
    """Whether the sender gets receipts."""

    are_wanted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksListed(Event):
    """The players whom the sender blocks."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeksListed(Event):
    """The open seeks. `more`: there are more seeks than the letter lists."""

    seeks: tuple[ListedSeek, ...]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnkeptBoardShown(Event):
    """The board of a game that keeps none, computed from the moves before the first illegal one."""

    then: View
    rule_break: Break | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SentLogShown(Event):
    """All moves and disputes that were sent in a game that keeps no board."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRecordShown(Event):
    """The moves of a game that keeps no board, in the game's own format.

    `is_left_out`: the format cannot express the moves, because the wrong player began.
    """

    record: str
    is_left_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSentBefore(Event):
    """`mydata` was requested again before the time `again`. The data was last sent at the time `at`."""

    at: datetime
    again: datetime
