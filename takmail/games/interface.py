"""The one door between a game and the rest of takmail.

Everything outside `games/` plays through these types: it never learns what a road, a reserve or a square is.
A turn is a line of text in the game's canonical form; a position is derived from the turns and never stored.
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
"""How people have ended a game: both players, or the operator; or a record says that it is over."""


class Seat(IntEnum):
    """A player's place in a game; the first seat begins."""

    FIRST = 0
    SECOND = 1

    @property
    def other(self) -> "Seat":
        """The opponent's seat."""
        return Seat(1 - self)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was refused: the name of the rule or fault, and its data in words fit for a letter.

    The wording is found by `name` in the game's templates; `facts` fill it in.
    """

    name: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


class Refused(Exception):  # noqa: N818 - a refusal is no error of the program
    """A turn that the rules do not allow, or a set-up that the game does not know."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.name)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Turn:
    """A line that was read as a turn; whether the rules allow it is asked by `State.play`.

    `text` is canonical (the form that the log keeps and letters show); `number` is the turn that the player
    said it is meant for, counted from 1, or None.
    """

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A line meant as a turn that can't be read as just one; `fixes` are the readings to offer, canonical."""

    reason: Reason
    fixes: tuple[str, ...] = ()


Reading = Turn | NearMiss | None
"""What a line of a mail is to a game; None: not meant as a turn at all."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The turns that words may mean in one way to read them; `how` is a name that the game's templates know.

    `lines` are what to send: each is one that `State.read` takes for a turn, or asks about.
    """

    how: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """Words that say no more than a turn, and not as a turn is written: every way to read them.

    `reason` says why there is none, where `meant` is empty.
    """

    meant: tuple[Meant, ...]
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game: who won (None: a draw), the score as the field writes it, and how it ended.

    `how` is a name that the game's templates know; `facts` fill in their wording.
    """

    winner: Seat | None
    score: str
    how: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Score:
    """What a finished game is worth: the points of each seat, first seat first.

    `facts` tell how they come about, for the game's own templates.
    """

    points: tuple[int, int]
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Check:
    """One rule held against one turn: `reason` says how the turn breaks it, None that it keeps it."""

    rule: str
    facts: Mapping[str, object]
    reason: Reason | None

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class WrittenBoard:
    """A board that somebody has written into lines `first` up to but not including `after`, counted from 0.

    `text` is the board on one line, in the form that `Game.compare` and `State.adopt` take: its rows as letters show
    them, joined by `/`. What can't be read in it is kept as it was written. `lacks_spaces`: its places can't be told
    apart, and nothing can be held against it.
    """

    first: int
    after: int
    text: str
    lacks_spaces: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """What comes of holding a written board against a game; `how` is a name that the game's templates know."""

    how: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Branch:
    """Turns that were given up: those that once followed the first `after` turns.

    `how` that came about is told as the end of "given up", such as `as both agreed to begin anew`.
    """

    after: int
    turns: tuple[str, ...]
    how: str


@dataclass(frozen=True, slots=True)
class Touched:
    """One place on the board that a turn touches, worded by the game's `touched.txt`.

    `step` names what is done there and `facts` are its data; `before` and `after` are what the place holds, as
    letters show a board. `reason` is why the rules stop the turn there, and then there is nothing `after`.
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
    """A game at one moment. Immutable: to play is to get another state."""

    @property
    def turns(self) -> int:
        """How many turns have been played."""

    @property
    def to_move(self) -> Seat:
        """Whose turn it is, or would be if the game were not over."""

    @property
    def result(self) -> Result | None:
        """The result by the rules, or None while the game goes on."""

    @property
    def checksum(self) -> str:
        """A few letters to compare by eye, the same for the same position and player to move at any turn."""

    def read(self, line: str) -> Reading:
        """Read one normalised line of a mail as a turn for this state."""

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """Read a turn that begins in the first of these lines; gives also how many of them it takes.

        None of them is blank. It takes more than one only where `read` takes the first alone for a turn or a near miss,
        and joined by spaces those that it takes are one line that `read` takes for the same turn.
        """
        return self.read(lines[0]), 1

    def tries(self, text: str) -> Try | None:
        """Read words that `read` takes for no turn as a try at one; None: they say more, or name no place.

        `text` is in plain form, without greetings, names and question marks. It is a try if it names a place of the
        board or a turn, and has otherwise only numbers, punctuation and words of the game's own closed list.
        Never raises.
        """

    def play(self, text: str) -> "State":
        """Play a turn given in canonical form; raises `Refused` with the rule that it breaks."""

    def asks_before(self, text: str) -> Reason | None:
        """What the player of a turn in canonical form is asked before it is played; None: it is played at once."""

    def adopt(self, board: str, to_move: Seat) -> str:
        """The turn that sets a written board, as `WrittenBoard.text` has it, with `to_move` to play next.

        `play` plays it, and no line is ever read as one. Raises `Refused` with what is impossible in the board.
        """

    def verdict(self, text: str) -> tuple[Check, ...]:
        """Hold a turn in canonical form against every rule that applies to it here, in the rules' order."""

    def touched(self, text: str) -> tuple[Touched, ...]:
        """What a turn in canonical form does place by place, or would do up to where the rules stop it."""

    def choices(self) -> tuple[Choices, ...]:
        """The turns that are likely now, and the places where there are more; none once the game is over."""

    def choices_at(self, place: str) -> tuple[Choices, ...]:
        """All turns of what stands at a place; raises `Refused` if the player to move has nothing to do with it."""

    def score(self, result: Result) -> Score:
        """The points of a game that has ended here; `result` tells how, as a state knows of no resignation."""

    def board(self) -> tuple[str, ...]:
        """The board in the form that letters show, a string a row, its columns aligned with spaces."""

    def picture(self, last: str | None = None, result: Result | None = None) -> Scene:
        """How the state looks; `last` is the turn in canonical form that led to it, and is marked.

        `result` is how people have ended the game, None where they haven't; what the rules say is known. Raises
        `Refused` if `last` is no turn.
        """

    def facts(self) -> object:
        """All that the game's own templates say about this state."""


class Game(Protocol):
    """A game that can be played by mail; `name` is also its folder of templates.

    `file_ending` is what the names of files with its records end with, such as `ptn`. `keeps_board`: takmail checks
    each turn and knows the board; else moves are only passed on, and `rs`, boards and `im` are news for the opponent.
    """

    name: str
    file_ending: str
    keeps_board: bool

    @property
    def referee(self) -> "Game":
        """The game whose rules judge the turns: itself, or the inner game of a relay."""

    def complete(self, setup: str, host: Seat, rng: Random) -> tuple[str, Seat]:
        """The whole set-up of a game that is accepted, and the seat of its host; what is drawn comes from `rng`.

        A set-up that is whole stays as it is. The result is read by `set_up`, too.
        """

    def rematch_setup(self, setup: str) -> str:
        """The set-up of another game like one that has begun: without what was drawn for that one."""

    def set_up(self, words: Sequence[str], rng: Random) -> str:
        """Turn the words behind `new` into a canonical set-up, chance from `rng`; raises `Refused`."""

    def title(self, setup: str) -> str:
        """A few words that name the set-up in a Subject, such as `5x5`."""

    def start(self, setup: str) -> State:
        """The state before the first turn, without what is only drawn once the game is accepted."""

    def read_anywhere(self, line: str) -> Reading:
        """Read a line where no game is known, only to tell whether it is meant as a turn."""

    def is_place(self, word: str) -> bool:
        """Whether a word in small letters has the form of a place on a board, be it there or not.

        Such words are so short and plain that nothing else can be said with them: they are shown to strangers.
        """

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """The boards written among lines that are as they were typed, without marks of quoting; never raises.

        Below the lines numbered `expected` a board is likely: what looks only a little like one is one there.
        """

    def rows(self, board: str) -> tuple[str, ...]:
        """The lines of a written board, as `WrittenBoard.text` has it, in the form that letters show; never raises."""

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """Find how a written board, as `WrittenBoard.text` has it, came to differ from the game; never raises.

        Turns that can't be played end the game for it.
        """

    def compare_two(
        self, setup: str, turns: Sequence[str], one: str, other: str, numbers: Sequence[int] = ()
    ) -> Comparison:
        """Find how two people's boards differ, and which of them agrees with the turns; never raises.

        For games in which nothing is checked: turns that can't be played end the game for it. `numbers` are those by
        which the turns are called, if they are not 1, 2, 3.
        """

    def seat_named(self, word: str) -> Seat | None:
        """Whose seat the game has that word for, such as a colour, in small letters; None: it has none."""

    def is_agreement(self, text: str) -> bool:
        """Whether a turn in canonical form is no move but a board that both agreed on (`State.adopt`)."""

    def resign(self, seat: Seat) -> Result:
        """The result of a game that the player in `seat` gives up."""

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """The result of a game that people have ended, be it by agreement or by a ruling; None: a draw."""

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        branches: Sequence[Branch] = (),
    ) -> str:
        """A whole game in the field's own record format; `tags` carry at least Player1, Player2 and Date.

        `branches` are written in at their places so that the main line is read back without them.
        """

    def address(
        self, setup: str, turns: Sequence[str], tags: Mapping[str, str], result: Result | None
    ) -> str | None:
        """Where on the web a game can be looked at, without what was given up; all of it is in the address itself.

        None: no viewer of this game takes one, or the address would be longer than mail programs like them.
        """
