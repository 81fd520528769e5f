"""Relay play: pass the moves of any game on without checking them or keeping a board."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from takmail.games.choice import Choices
from takmail.games.game_rules import GameRules
from takmail.games.grid import Grid, Touches
from takmail.games.interface import (
    Check,
    Comparison,
    Decided,
    Effect,
    Meant,
    Reading,
    ReadTurn,
    Reason,
    RecordedRun,
    Refused,
    Result,
    Score,
    Seat,
    State,
    Touched,
    WrittenBoard,
)
from takmail.games.optional import SecondNotation
from takmail.games.picture import Scene
from takmail.vocabulary import Table


@dataclass(frozen=True, slots=True)
class RelayState(State, SecondNotation):
    """The state of a relay game: the number of turns that were passed on, and the inner game's initial state.

    `blank` is that initial state. It reads the lines of every turn.
    """

    blank: State
    sent: int = 0

    @property
    def turns(self) -> int:
        """The number of turns passed on."""
        return self.sent

    @property
    def to_move(self) -> Seat:
        """The seat to move if the players have alternated."""
        return Seat((self.blank.to_move + self.sent) % len(Seat))

    @property
    def result(self) -> None:
        """None, because only the players can end the game."""

    @property
    def checksum(self) -> str:
        """The checksum of the initial position, because no other position is known."""
        return self.blank.checksum

    def read(self, line: str) -> Reading:
        """Read a line in the inner game's notation, as if in the initial position."""
        return self.blank.read(line)

    def exact(self, line: str) -> ReadTurn | None:
        """Read a line as a turn in the inner game's notation, as if in the initial position."""
        return self.blank.exact(line)

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """Read lines in the inner game's notation, as if in the initial position."""
        return self.blank.read_lines(lines)

    def read_ptn(self, line: str) -> ReadTurn | None:
        """Read a line in PTN, if the inner game has it."""
        return self.blank.read_ptn(line) if isinstance(self.blank, SecondNotation) else None

    def meant(self, text: str) -> Meant | None:
        """Interpret a text by its form, because the board is not known."""
        return self.blank.meant(text)

    def turns_in(self, text: str) -> tuple[str, ...]:
        """Return the turns of the inner game in a text."""
        return self.blank.turns_in(text)

    def play(self, text: str) -> "RelayState":  # noqa: ARG002 - any text is accepted
        """Pass a turn on. Never refuses a turn."""
        return RelayState(self.blank, self.sent + 1)

    def asks_before(self, text: str) -> Reason | None:  # noqa: ARG002
        """Return None, because the effect of a turn is not known."""
        return None

    def adopt(self, board: str, to_move: Seat) -> str:
        """Adopt a board as the inner game does."""
        return self.blank.adopt(board, to_move)

    def verdict(self, text: str) -> tuple[Check, ...]:  # noqa: ARG002
        """Return no checks, because nothing is checked."""
        return ()

    def touched(self, text: str) -> tuple[Touched, ...]:  # noqa: ARG002
        """Return nothing, because the board is not known."""
        return ()

    def effect(self, text: str) -> Effect | None:  # noqa: ARG002
        """Return None, because the board is not known."""
        return None

    def choices(self) -> tuple[Choices, ...]:
        """Return nothing, because the board is not known."""
        return ()

    def choices_at(self, place: str) -> tuple[Choices, ...]:  # noqa: ARG002
        """Return nothing, because the board is not known."""
        return ()

    def touches(self) -> Touches:
        """Return nothing, because the board is not known."""
        return {}

    def score(self, result: Result) -> Score:  # noqa: ARG002
        """Return no points, because the board is not known."""
        return Score((0, 0))

    def board(self) -> tuple[str, ...]:
        """Return no rows, because the board is not known."""
        return ()

    def picture(self, last: str | None = None, result: Result | None = None) -> Scene:  # noqa: ARG002
        """Return a picture of the initial position, because no other position is known."""
        return self.blank.picture(None, result)

    def grid(self, last: str | None = None) -> Grid:  # noqa: ARG002
        """Return the grid of the initial position, because no other position is known."""
        return self.blank.grid()

    def facts(self) -> object:
        """Return the facts of the inner game's initial state."""
        return self.blank.facts()


class Relay(GameRules):
    """A game that only passes moves on. `inner` reads the lines, and its rules settle disputes."""

    keeps_board = False

    def __init__(self, inner: GameRules) -> None:
        self.inner = inner
        self.name = inner.name
        self.file_ending = inner.file_ending
        self.topics = inner.topics

    @property
    def referee(self) -> GameRules:
        """The inner game."""
        return self.inner

    def set_up(self, words: Sequence[str], rng: Random) -> str:
        """Delegate to the inner game. Raises `Refused` for a set-up that needs a board."""
        setup = self.inner.set_up(words, rng)
        reason = self.needs_board(setup)
        if reason is not None:
            raise Refused(reason)
        return setup

    def needs_board(self, setup: str) -> Reason | None:
        """Delegate to the inner game."""
        return self.inner.needs_board(setup)

    def complete(self, setup: str, rng: Random) -> str:
        """Delegate to the inner game."""
        return self.inner.complete(setup, rng)

    def rematch_setup(self, setup: str) -> str:
        """Delegate to the inner game."""
        return self.inner.rematch_setup(setup)

    def title(self, setup: str) -> str:
        """Return the inner game's title with the word `relay` behind the board, such as `7x7 relay, 1 capstone`."""
        board, comma, rest = self.inner.title(setup).partition(",")
        return f"{board} relay{comma}{rest}"

    def start(self, setup: str) -> RelayState:
        """Return the state before the first turn."""
        return RelayState(self.inner.unseen(setup))

    def unseen(self, setup: str) -> RelayState:
        """Return the state before the first turn, which knows no board anyway."""
        return self.start(setup)

    @property
    def anywhere(self) -> State:
        """Delegate to the inner game."""
        return self.inner.anywhere

    @property
    def words(self) -> Table:
        """The words of the inner game."""
        return self.inner.words

    def is_place(self, word: str) -> bool:
        """Delegate to the inner game."""
        return self.inner.is_place(word)

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """Delegate to the inner game."""
        return self.inner.boards_in(lines, expected)

    def rows(self, board: str) -> tuple[str, ...]:
        """Delegate to the inner game."""
        return self.inner.rows(board)

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """Delegate to the inner game."""
        return self.inner.compare(setup, turns, board)

    def compare_two(
        self, setup: str, turns: Sequence[str], one: str, other: str, numbers: Sequence[int] = ()
    ) -> Comparison:
        """Delegate to the inner game."""
        return self.inner.compare_two(setup, turns, one, other, numbers)

    def cell(self, picture: str) -> Scene:
        """Delegate to the inner game."""
        return self.inner.cell(picture)

    def seat_named(self, word: str) -> Seat | None:
        """Delegate to the inner game."""
        return self.inner.seat_named(word)

    def is_agreement(self, text: str) -> bool:
        """Delegate to the inner game."""
        return self.inner.is_agreement(text)

    def resign(self, seat: Seat) -> Result:
        """Delegate to the inner game."""
        return self.inner.resign(seat)

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """Delegate to the inner game."""
        return self.inner.decide(winner, how)

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        runs: Sequence[RecordedRun] = (),
    ) -> str:
        """Delegate to the inner game."""
        return self.inner.record(setup, turns, tags, result, runs)

    def viewer_url(
        self,
        setup: str,  # noqa: ARG002 - a relay has no viewer
        turns: Sequence[str],  # noqa: ARG002
        tags: Mapping[str, str],  # noqa: ARG002
        result: Result | None,  # noqa: ARG002
    ) -> str | None:
        """Return None, because a viewer would refuse moves that nobody has checked."""
        return None
