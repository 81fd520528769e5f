"""Any game with its moves passed on and nothing checked: it reads lines as the game does, and keeps no board."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from takmail.games.choice import Choices
from takmail.games.interface import (
    Branch,
    Check,
    Comparison,
    Decided,
    Game,
    Reading,
    Reason,
    Result,
    Score,
    Seat,
    State,
    Touched,
    Try,
    WrittenBoard,
)
from takmail.games.picture import Scene


@dataclass(frozen=True, slots=True)
class RelayState(State):
    """So many turns that were passed on; `blank` is the game before the first one, in which lines are read."""

    blank: State
    sent: int = 0

    @property
    def turns(self) -> int:
        """How many turns have been passed on."""
        return self.sent

    @property
    def to_move(self) -> Seat:
        """Whose turn it is if the two have taken turns."""
        return Seat((self.blank.to_move + self.sent) % len(Seat))

    @property
    def result(self) -> None:
        """None: only the players can end the game."""

    @property
    def checksum(self) -> str:
        """That of the first position, as no other is known."""
        return self.blank.checksum

    def read(self, line: str) -> Reading:
        """As the game does, for its form alone."""
        return self.blank.read(line)

    def read_lines(self, lines: Sequence[str]) -> tuple[Reading, int]:
        """As the game does, for its form alone."""
        return self.blank.read_lines(lines)

    def tries(self, text: str) -> Try | None:
        """As the game does, for its form alone."""
        return self.blank.tries(text)

    def play(self, text: str) -> "RelayState":  # noqa: ARG002 - whatever it is
        """Pass a turn on; refuses none."""
        return RelayState(self.blank, self.sent + 1)

    def asks_before(self, text: str) -> Reason | None:  # noqa: ARG002
        """Nothing, as nobody knows what a turn leads to."""
        return None

    def adopt(self, board: str, to_move: Seat) -> str:
        """As the game does."""
        return self.blank.adopt(board, to_move)

    def verdict(self, text: str) -> tuple[Check, ...]:  # noqa: ARG002
        """No rule is held against a turn."""
        return ()

    def touched(self, text: str) -> tuple[Touched, ...]:  # noqa: ARG002
        """Nothing that is known."""
        return ()

    def choices(self) -> tuple[Choices, ...]:
        """None, as the board is not known."""
        return ()

    def choices_at(self, place: str) -> tuple[Choices, ...]:  # noqa: ARG002
        """None, as the board is not known."""
        return ()

    def score(self, result: Result) -> Score:  # noqa: ARG002
        """No points, as the board is not known."""
        return Score((0, 0))

    def board(self) -> tuple[str, ...]:
        """Nothing, as it is not known."""
        return ()

    def picture(self, last: str | None = None, result: Result | None = None) -> Scene:  # noqa: ARG002
        """The first position, as no other is known."""
        return self.blank.picture(None, result)

    def facts(self) -> object:
        """What is known of the game before its first turn."""
        return self.blank.facts()


class Relay(Game):
    """`inner` is the game by whose notation lines are read, and by whose rules moves are judged if somebody asks."""

    keeps_board = False

    def __init__(self, inner: Game) -> None:
        self.inner = inner
        self.name = inner.name
        self.file_ending = inner.file_ending

    @property
    def referee(self) -> Game:
        """The game itself."""
        return self.inner

    def set_up(self, words: Sequence[str], rng: Random) -> str:
        """As the game itself."""
        return self.inner.set_up(words, rng)

    def complete(self, setup: str, host: Seat, rng: Random) -> tuple[str, Seat]:
        """As the game itself."""
        return self.inner.complete(setup, host, rng)

    def rematch_setup(self, setup: str) -> str:
        """As the game itself."""
        return self.inner.rematch_setup(setup)

    def title(self, setup: str) -> str:
        """The title of the game itself, and that it is a relay."""
        return f"{self.inner.title(setup)} relay"

    def start(self, setup: str) -> RelayState:
        """The state before the first turn."""
        return RelayState(self.inner.start(setup))

    def read_anywhere(self, line: str) -> Reading:
        """As the game itself."""
        return self.inner.read_anywhere(line)

    def is_place(self, word: str) -> bool:
        """As the game itself."""
        return self.inner.is_place(word)

    def boards_in(self, lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
        """As the game itself."""
        return self.inner.boards_in(lines, expected)

    def rows(self, board: str) -> tuple[str, ...]:
        """As the game itself."""
        return self.inner.rows(board)

    def compare(self, setup: str, turns: Sequence[str], board: str) -> Comparison:
        """As the game itself."""
        return self.inner.compare(setup, turns, board)

    def compare_two(
        self, setup: str, turns: Sequence[str], one: str, other: str, numbers: Sequence[int] = ()
    ) -> Comparison:
        """As the game itself."""
        return self.inner.compare_two(setup, turns, one, other, numbers)

    def seat_named(self, word: str) -> Seat | None:
        """As the game itself."""
        return self.inner.seat_named(word)

    def is_agreement(self, text: str) -> bool:
        """As the game itself."""
        return self.inner.is_agreement(text)

    def resign(self, seat: Seat) -> Result:
        """As the game itself."""
        return self.inner.resign(seat)

    def decide(self, winner: Seat | None, how: Decided) -> Result:
        """As the game itself."""
        return self.inner.decide(winner, how)

    def record(
        self,
        setup: str,
        turns: Sequence[str],
        tags: Mapping[str, str],
        result: Result | None,
        branches: Sequence[Branch] = (),
    ) -> str:
        """As the game itself."""
        return self.inner.record(setup, turns, tags, result, branches)

    def address(
        self,
        setup: str,  # noqa: ARG002 - nobody knows of these moves that they can be played there
        turns: Sequence[str],  # noqa: ARG002
        tags: Mapping[str, str],  # noqa: ARG002
        result: Result | None,  # noqa: ARG002
    ) -> str | None:
        """Nowhere."""
        return None
