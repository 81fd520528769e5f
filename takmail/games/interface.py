"""The interface between a game and the rest of takmail.

All code outside `games/` uses only these types, and knows no roads, reserves or squares. A turn is a line of
text in the game's canonical form. A position is computed from the turns and never stored.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from random import Random
from typing import Literal, Protocol

from takmail.games.choice import Choices
from takmail.games.picture import Scene
from takmail.games.readonly import read_only

Decided = Literal["agreed", "ruled", "recorded"]
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
    """Why something was refused: the name of the rule or fault, and its data in words fit for a letter.

    `name` selects the wording in the game's templates, and `facts` are its data.
    """

    name: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


class Refused(Exception):  # noqa: N818 - a refusal is no error of the program
    """Raised for a turn that the rules do not allow, or for an invalid set-up."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.name)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Turn:
    """A line that was read as a turn; `State.play` checks whether the rules allow it.

    `text` is canonical, as in the log and in letters. `number` is the turn for which the player says it is,
    counted from 1, or None.
    """

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A line that is meant as a turn but is not exactly one; `fixes` are the possible turns, canonical."""

    reason: Reason
    fixes: tuple[str, ...] = ()


Reading = Turn | NearMiss | None
"""The result of reading a line of a mail; None if the line is not meant as a turn."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """The turns that a text may mean in one interpretation; `how` is the interpretation's name in the templates.

    `lines` are the texts to send. `State.read` returns a turn or a near miss for each.
    """

    how: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A text that names only a move, but not in the form of a turn, with all its interpretations.

    If `meant` is empty, `reason` is why there is no interpretation.
    """

    meant: tuple[Interpretation, ...]
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a finished game: the winner (None: a draw), the score in the game's notation, and the ending.

    `how` is a name in the game's templates, and `facts` are the data of the wording.
    """

    winner: Seat | None
    score: str
    how: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Score:
    """The points of a finished game for each seat, first seat first.

    `facts` explain them in the game's templates.
    """

    points: tuple[int, int]
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Check:
    """The check of one rule for one turn; `reason` is how the turn breaks the rule, None if it doesn't."""

    rule: str
    facts: Mapping[str, object]
    reason: Reason | None

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class WrittenBoard:
    """A board that somebody has written in the lines [first, after), counted from 0.

    `text` is the board on one line, as `Game.compare` and `State.adopt` take it: its rows as in letters,
    joined by `/`. Unreadable spots are kept unchanged. `lacks_spaces`: the spots are not separated, so the
    board can't be compared.
    """

    first: int
    after: int
    text: str
    lacks_spaces: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of comparing a written board with a game; `how` is a name in the game's templates."""

    how: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Branch:
    """Turns that were taken back, those that once followed the first `after` turns.

    `how` is the end of a sentence that begins "given up", such as `as both agreed to begin anew`.
    """

    after: int
    turns: tuple[str, ...]
    how: str


@dataclass(frozen=True, slots=True)
class Touched:
    """One place of the board that a turn changes, worded by the game's `touched.txt`.

    `step` is the name of the change, and `facts` are its data. `before` and `after` are the contents of the
    place, as letters show a board. If the rules stop the turn here, `reason` is why, and `after` is None.
    """

    step: str
    place: str
    before: str
    after: str | None
    facts: Mapping[str, object]
    reason: Reason | None = None

    def __post_init__(self) -> None:
        read_only(self, "facts")


class State(Protocol):
    """The state of a game after some turns. Immutable: `play` returns a new state."""

    @property
    def turns(self) -> int:
        """The number of turns played."""

    @property
    def to_move(self) -> Seat:
        """The seat to move, or that would move if the game were not over."""

    @property
    def result(self) -> Result | None:
        """The result by the rules, or None while the game continues."""

    @property
    def checksum(self) -> str:
        """A few characters to compare by eye; equal for the same position and player to move, at any turn."""

    def read(self, line: str) -> Reading:
        """Read one normalised line of a mail as a turn for this state."""

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """Read a turn that begins in the first of these lines; also return the number of lines that it takes.

        No line is blank. A turn may take more than one line only if `read` returns a turn or a near miss for
        the first line alone. Joined by spaces, the lines must be a line for which `read` returns the same
        turn.
        """
        return self.read(lines[0]), 1

    def attempt(self, text: str) -> Attempt | None:
        """Interpret a text that `read` rejects as an attempt at a move; None if it isn't one.

        `text` is in plain form, without greetings, names and question marks. An attempt names a place of the
        board or a turn, and otherwise holds only numbers, punctuation and words of the game's closed
        vocabulary. Never raises.
        """

    def play(self, text: str) -> "State":
        """Play a turn in canonical form. Raises `Refused` with the rule that it breaks."""

    def asks_before(self, text: str) -> Reason | None:
        """Return what to ask the player before playing a turn in canonical form; None if it is played at once."""

    def adopt(self, board: str, to_move: Seat) -> str:
        """Return the turn that sets up a written board (`WrittenBoard.text`) with `to_move` to play next.

        `play` accepts this turn, but no line is ever read as one. Raises `Refused` with what is impossible in
        the board.
        """

    def verdict(self, text: str) -> tuple[Check, ...]:
        """Check a turn in canonical form against every rule that applies to it here, in the rules' order."""

    def touched(self, text: str) -> tuple[Touched, ...]:
        """Return the places that a turn in canonical form changes, up to the place at which a rule stops it."""

    def choices(self) -> tuple[Choices, ...]:
        """Return the most likely turns, and the places with more turns; nothing once the game is over."""

    def choices_at(self, place: str) -> tuple[Choices, ...]:
        """Return all turns of a place. Raises `Refused` if the player to move has none there."""

    def score(self, result: Result) -> Score:
        """Return the points of a game that has ended here by `result`, which may be a resignation."""

    def board(self) -> tuple[str, ...]:
        """Return the board as in letters: a string for each row, with columns aligned by spaces."""

    def picture(self, last: str | None = None, result: Result | None = None) -> Scene:
        """Return a picture of the state; `last`, the turn in canonical form that led to it, is highlighted.

        `result` is set if people have ended the game; a result by the rules is known to the state. Raises
        `Refused` if `last` is not a turn.
        """

    def facts(self) -> object:
        """Return the data for the game's own templates."""


class Game(Protocol):
    """A game that can be played by mail; `name` is also the name of its folder of templates.

    `file_ending` is the extension of its record files, such as `ptn`. `keeps_board`: takmail checks each turn
    and knows the board. Otherwise moves are only passed on, and `rs`, boards and `im` are messages for the
    opponent.
    """

    name: str
    file_ending: str
    keeps_board: bool

    @property
    def referee(self) -> "Game":
        """The game whose rules check the turns: this game, or the inner game of a relay."""

    def complete(self, setup: str, host: Seat, rng: Random) -> tuple[str, Seat]:
        """Return the complete set-up of an accepted game, and the host's seat; `rng` makes random choices.

        A complete set-up stays the same. `set_up` can read the result.
        """

    def rematch_setup(self, setup: str) -> str:
        """Return the set-up of a rematch, without the random choices of the first game."""

    def set_up(self, words: Sequence[str], rng: Random) -> str:
        """Parse the words after `new` into a canonical set-up; `rng` makes random choices. Raises `Refused`."""

    def title(self, setup: str) -> str:
        """Return a short name of the set-up for a Subject, such as `5x5`."""

    def start(self, setup: str) -> State:
        """Return the state before the first turn, without choices that are made only at acceptance."""

    def read_anywhere(self, line: str) -> Reading:
        """Read a line without knowing the game, only to find whether it is meant as a turn."""

    def is_place(self, word: str) -> bool:
        """Return whether a lower-case word has the form of a place on a board, whether or not that place exists.

        Such words are too short to carry any message, so they are shown to strangers.
        """

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """Return the boards written among lines, which are as typed and without quote prefixes; never raises.

        Below the lines numbered in `expected` a board is likely, and a weaker resemblance is enough.
        """

    def rows(self, board: str) -> tuple[str, ...]:
        """Return the rows of a written board (`WrittenBoard.text`) as letters show them; never raises."""

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """Explain how a written board (`WrittenBoard.text`) differs from the game; never raises.

        The game ends at the first turn that can't be played.
        """

    def compare_two(
        self, setup: str, turns: Sequence[str], one: str, other: str, numbers: Sequence[int] = ()
    ) -> Comparison:
        """Explain how two people's boards differ, and which of them agrees with the turns; never raises.

        This is for games without checks: the game ends at the first turn that can't be played. `numbers` are
        the numbers of the turns if they are not 1, 2, 3.
        """

    def seat_named(self, word: str) -> Seat | None:
        """Return the seat that the game calls by a lower-case word, such as a colour; None if there is none."""

    def is_agreement(self, text: str) -> bool:
        """Return whether a turn in canonical form is an agreed board (`State.adopt`) and not a move."""

    def resign(self, seat: Seat) -> Result:
        """Return the result if the player in `seat` resigns."""

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """Return the result of a game that people have ended, by agreement or by a ruling; None is a draw."""

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        branches: Sequence[Branch] = (),
    ) -> str:
        """Return the game in the field's record format; `tags` contain at least Player1, Player2 and Date.

        `branches` are written at their places, so that a reader of the main line skips them.
        """

    def viewer_url(
        self, setup: str, turns: Sequence[str], tags: Mapping[str, str], result: Result | None
    ) -> str | None:
        """Return the URL of a viewer that shows the game without its branches; the URL holds the whole game.

        None if no viewer supports the game, or if the URL would be too long for mail programs.
        """
