"""The interface between a game and the rest of takmail: its values and its states. `game_rules` has the game itself.

All code outside `games/` uses only these types and knows nothing about roads, reserves or squares. A turn is a
line of text in the game's canonical form. takmail computes a position from the turns and never stores it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Literal, Protocol

from takmail.games.choice import Choices
from takmail.games.grid import Grid, Touches
from takmail.games.picture import Scene
from takmail.games.readonly import read_only

Decided = Literal["agreed", "time", "ruled", "recorded"]
"""Who ended a game outside its rules: both players, the operator, or a recorded result."""


class Seat(IntEnum):
    """A player's seat in a game. The first seat begins."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> "Seat":
        """The opponent's seat."""
        return Seat(1 - self)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was refused: the name of the rule or fault, and its data.

    `name` selects the message of the game. `facts` are the data for that wording, in words fit for a
    letter.
    """

    name: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


class Refused(Exception):  # noqa: N818 - a refusal is no error of the program
    """Raised for a turn that the rules do not allow, or for an invalid set-up; `reason` says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.name)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """A line that was read as a turn. `State.play` checks whether the rules allow the turn.

    `text` is in canonical form, as in the log and in letters. `number` is the turn number that the player wrote
    beside the move, counted from 1, or None.
    """

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A line that is meant as a turn but is not in the correct form.

    `fixes` are the turns that it may mean, in canonical form. `turn` is the turn that it is, in canonical form, if only
    the rules refuse it; otherwise None.
    """

    reason: Reason
    fixes: tuple[str, ...] = ()
    turn: str | None = None


Reading = ReadTurn | NearMiss | None
"""The result of reading a line of a mail; None if the line is not meant as a turn."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One interpretation of a text: the turns that the text may mean.

    `how` names the interpretation. `lines` are the texts that the player can send. `State.read`
    returns a turn or a near miss for each of them.
    """

    how: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Meant:
    """The turns that a text may mean: legal turns that contain all that the text names, the likeliest first.

    There are at most `MAX_MEANT` lines. If there is none, `reason` says why, as a rule does or because nothing fits.
    `others` are the words of the text that name nothing of the game, in lower case and in order. `is_only`: the text is
    nothing but a place and words about it, and no other turn is possible there.
    """

    meant: tuple[Interpretation, ...]
    reason: Reason | None = None
    others: tuple[str, ...] = ()
    is_only: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of all interpretations, without duplicates."""
        return tuple(dict.fromkeys(line for one in self.meant for line in one.lines))


MAX_MEANT = 3
"""The maximum number of lines that are offered for one text."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a finished game: the winner, the score in the game's notation, and how the game ended.

    `winner` is None for a draw. `how` selects the wording, and `facts` are its data.
    """

    winner: Seat | None
    score: str
    how: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Score:
    """The points of a finished game: those of the first seat, then those of the second.

    `facts` are the data with which the game's `Wording` explains the points.
    """

    points: tuple[int, int]
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Check:
    """The check of one rule for one turn; `reason` says how the turn breaks the rule, or is None."""

    rule: str
    facts: Mapping[str, object]
    reason: Reason | None

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class WrittenBoard:
    """A board that somebody has written in a mail, in the lines from `first` up to but not including `after`.

    Both count from 0. `text` is the board on one line, as `GameRules.compare` and `State.adopt` expect it: its rows as
    in letters, joined by `/`, with unreadable spots unchanged. If `lacks_spaces` is true, no spaces separate the
    spots, and the board can't be compared.
    """

    first: int
    after: int
    text: str
    lacks_spaces: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of comparing a written board with a game; `how` selects the wording."""

    how: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class RecordedRun:
    """Turns in a row that no longer count, as a record shows them.

    `heading` tells which turns they are and why they don't count, such as `Turns 5 to 7, given up as both agreed to
    begin anew`.
    """

    heading: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Touched:
    """One place of the board that a turn changes; `Wording.touched` words it.

    `step` names the kind of change, and `facts` are its data. `before` and `after` are the contents of the place,
    written as on a board in letters. If the rules stop the turn at this place, `reason` says why, and `after` is
    None.
    """

    step: str
    place: str
    before: str
    after: str | None
    facts: Mapping[str, object]
    reason: Reason | None = None

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a turn does, in a sentence or two of a letter; `Wording.effect` words it by `name`.

    If `corrects` is true, they tell the player that a part of the turn is not as it was written.
    """

    name: str
    facts: Mapping[str, object] = field(default_factory=dict)
    corrects: bool = False

    def __post_init__(self) -> None:
        read_only(self, "facts")


def as_turn(reading: Reading) -> ReadTurn | None:
    """Return the turn that a reading is, None if it is none."""
    return reading if isinstance(reading, ReadTurn) else None


class State(Protocol):
    """The state of a game after some turns. Immutable: `play` returns a new state."""

    def __hash__(self) -> int:
        """Return a hash value. Equal states have the same."""
        return hash((self.turns, self.checksum))

    @property
    def turns(self) -> int:
        """The number of turns played."""

    @property
    def to_move(self) -> Seat:
        """The seat to move. In a finished game, the seat that would move next."""

    @property
    def result(self) -> Result | None:
        """The result by the rules, or None while the game continues."""

    @property
    def checksum(self) -> str:
        """A few characters by which people compare boards by eye.

        They are equal for the same position and player to move, whatever the number of the turn.
        """

    def read(self, line: str) -> Reading:
        """Read one normalised line of a mail as a turn for this state."""

    def exact(self, line: str) -> ReadTurn | None:
        """Return the turn that a line is for `read`, None if it is none, without a look at what else may be meant."""
        return as_turn(self.read(line))

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """Read the turn that begins in the first of these lines, and return it with the number of lines that it takes.

        No line is blank. A turn may take more than one line only if `read` returns a turn or a near miss for the
        first line alone. `read` must also return the same turn for these lines joined by spaces.
        """
        return self.read(lines[0]), 1

    def meant(self, text: str) -> Meant | None:
        """Return the legal turns that contain all that a text names; None if it names no place, piece or way.

        Other words are ignored: the caller decides whether the text is likely to be an order. Never raises, and takes
        little time for any text. Nothing is meant once the game is over.
        """

    def turns_in(self, text: str) -> tuple[str, ...]:
        """Return the complete turns that stand anywhere in a text, in canonical form, legal or not. Never raises."""

    def play(self, text: str) -> "State":
        """Play a turn in canonical form. Raises `Refused` with the rule that the turn breaks."""

    def asks_before(self, text: str) -> Reason | None:
        """Return what to ask the player before playing a turn in canonical form, or None to play it at once."""

    def adopt(self, board: str, to_move: Seat) -> str:
        """Return the turn that sets up a written board (`WrittenBoard.text`) with `to_move` to play next.

        `play` accepts this turn, but `read` never returns it. Raises `Refused` with what is impossible in the
        board.
        """

    def verdict(self, text: str) -> tuple[Check, ...]:
        """Check a turn in canonical form against every rule that applies to this turn, in the rules' order."""

    def touched(self, text: str) -> tuple[Touched, ...]:
        """Return the places that a turn in canonical form changes. A place where a rule stops the turn is the last."""

    def effect(self, text: str) -> Effect | None:
        """Return what a turn in canonical form, which `play` accepts, does; None if the game doesn't know."""

    def choices(self) -> tuple[Choices, ...]:
        """Return the likeliest turns, and the places that have more turns; nothing once the game is over."""

    def choices_at(self, place: str) -> tuple[Choices, ...]:
        """Return all turns of a place. Raises `Refused` if the player to move has no turn there."""

    def touches(self) -> Touches:
        """Return what the player to move can touch on the board in a letter; nothing once the game is over."""

    def score(self, result: Result) -> Score:
        """Return the points of a game that ended in this state with `result`, for example by resignation."""

    def board(self) -> tuple[str, ...]:
        """Return the board as in letters: a string for each row, with the columns aligned by spaces."""

    def picture(self, last: str | None = None, result: Result | None = None) -> Scene:
        """Return a picture of the state, in which `last` is highlighted: the turn in canonical form that led to it.

        `result` is set only if people have ended the game, because the state knows a result by the rules. Raises
        `Refused` if `last` is not a turn.
        """

    def grid(self, last: str | None = None) -> Grid:
        """Return the board as a table of small pictures, in which `last` is highlighted as in `picture`.

        Raises `Refused` if `last` is not a turn.
        """

    def facts(self) -> object:
        """Return the data for the game's `Wording`."""
