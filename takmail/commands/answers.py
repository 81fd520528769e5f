"""Results of commands that change nothing: refusals, and things shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from takmail.commands.events import Event
from takmail.commands.game.branches import GivenUpBranch, Line
from takmail.commands.game.match import Match
from takmail.commands.game.verdict import Verdict
from takmail.commands.game.view import Break, Entry, ListedGame, ListedSeek, View
from takmail.commands.kinds import LetterView
from takmail.games.choice import Choices
from takmail.games.readonly import read_only


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that can't be done, and so the commands below it are not tried.

    `reason` names the template that words it and `facts` fill it in; nothing is decided by either. `events` have
    happened all the same: a board that comes with a proposal is kept, though it does not say whose turn it would be.
    """

    reason: str
    facts: Mapping[str, object] = field(default_factory=dict)
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A command with nothing to do, which is no fault; as `Refusal`, but the commands below it are carried out."""

    reason: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A command that was not tried, and why; as `Refusal`."""

    reason: str = "skipped"
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


def refused(reason: str, /, **facts: object) -> Refusal:
    """The command changes nothing, and this is why."""
    return Refusal(reason, facts)


def unchanged(reason: str, /, **facts: object) -> Unchanged:
    """There is nothing to do for the command."""
    return Unchanged(reason, facts)


Events = tuple[Event, ...]
Answer = Events | Refusal | Unchanged
"""What a command gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownAbove(Event):
    """The same thing to look at a second time: the answer has it already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardResynced(Event):
    """`rs`: the answer shows the board in any case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardShown(Event):
    """The board after a turn; `gone` are the branches that have a turn of that number."""

    then: View
    gone: tuple[GivenUpBranch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUpBoardShown(Event):
    """The board after a turn that was given up, with the other branches that have one of that number."""

    then: View
    branch: GivenUpBranch
    gone: tuple[GivenUpBranch, ...]
    is_played: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LogShown(Event):
    """All turns and what was given up among them."""

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordShown(Event):
    """The game in its field's own form, and where on the web it can be looked at."""

    record: str
    address: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GamesListed(Event):
    """The sender's games that are not over."""

    games: tuple[ListedGame, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchShown(Event):
    """How matches stand."""

    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpShown(Event):
    """How to write; `topic` is the template that tells it, `kind` the game that it is about, '' the letter's own."""

    topic: str
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesShown(Event):
    """The rules of the game `kind` in short, '': of the letter's own."""

    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovesListed(Event):
    """The turns that can be played, as turn `number`: of a place, or the likely ones of all ('')."""

    place: str
    groups: tuple[Choices, ...]
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnExplained(Event):
    """A turn held against the rules; `mover` is whose it would be, '' the sender's own."""

    verdict: Verdict
    mover: str
    can_play: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewTold(Event):
    """What the sender's letters are made of."""

    view: LetterView


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksListed(Event):
    """Of whom the sender wants to hear nothing."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeeksListed(Event):
    """The games that anybody may join; `more`: there are others."""

    seeks: tuple[ListedSeek, ...]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnkeptBoardShown(Event):
    """The board of a game that keeps none, by the rules and as far as the moves keep to them."""

    then: View
    broken: Break | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SentLogShown(Event):
    """All that was sent in a game that keeps no board."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRecordShown(Event):
    """The moves of a game that keeps no board, in its field's own form; `is_left_out`: the wrong one began."""

    record: str
    is_left_out: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DataSentBefore(Event):
    """`mydata` a second time within a day."""

    at: datetime
    again: datetime
