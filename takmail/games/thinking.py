"""The optional parts of a game that think: an opponent, a reviewer of finished games, external engines.

What the first two do takes long, so takmail calls them in a process of its own. They have no time source and no chance
of their own: `is_over` tells them when to stop, and a seed replaces chance.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from takmail.games.grid import Grid
from takmail.games.interface import Seat, State
from takmail.games.readonly import read_only

IsOver = Callable[[], bool]
"""Returns whether the time is over. It is called often."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The turn that an opponent chooses, in canonical form.

    * `is_cut`: the time was over before the search had come to its own limit
    * `note` is what the operator's log says of the search, such as `depth 5, 20000 nodes`
    """

    text: str
    is_cut: bool = False
    note: str = ""


class Player(ABC):
    """An optional part of a `Game`: an opponent of several strengths."""

    @property
    @abstractmethod
    def levels(self) -> tuple[str, ...]:
        """The names of the levels, the weakest first."""

    @property
    @abstractmethod
    def quick_levels(self) -> tuple[str, ...]:
        """The names of the levels whose turn takes less than a second of processor time in any position."""

    def stand_in(self, level: str) -> str:
        """Return the level that plays if another finds no turn: the strongest quick one below it, or the weakest."""
        below = self.levels[: self.levels.index(level)]
        quick = [weaker for weaker in below if weaker in self.quick_levels]
        return quick[-1] if quick else self.levels[0]

    @abstractmethod
    def plays(self, setup: str) -> bool:
        """Return whether it can play a game with this set-up."""

    @abstractmethod
    def choose(self, setup: str, turns: Sequence[str], level: str, seed: bytes, is_over: IsOver) -> Choice:
        """Return the turn of the player to move after these turns.

        The same arguments lead to the same turn on any machine, unless the time is over first. There is always a turn,
        even if the time is over at once. The game is not over.
        """


@dataclass(frozen=True, slots=True)
class Channel:
    """How a bot talks with another program, line by line.

    * `read` waits for the next line; after the last one it returns `quit`
    * `waiting` returns the next line if it has come already, or None
    * `write` sends a line
    * `now` returns the time in seconds
    """

    read: Callable[[], str]
    waiting: Callable[[], str | None]
    write: Callable[[str], None]
    now: Callable[[], float]


class EngineServer(ABC):
    """An optional part of a `Game`: its `Player` as an engine for other programs."""

    @abstractmethod
    def serve(self, level: str, nodes: int | None, channel: Channel) -> None:
        """Answer what a program asks until it says that this is all.

        `nodes` is the limit of a search for which the program sets none, None for that of the level.
        """


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is proven about a turn of a finished game. `Wording.finding` words it by `name`.

    * `turn` is the number of the turn, and `seat` who played it
    * `played` is the turn in canonical form, and `better` are the turns that were there instead, the best first
    * `line` are the turns to the end in canonical form, beginning with `played` or the first of `better`
    """

    name: str
    turn: int
    seat: Seat
    played: str
    better: tuple[str, ...] = ()
    line: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Review:
    """The findings about a game, the worst first.

    * `is_complete`: all was searched to the end, so that what is not among the findings can't be forced `within` so
      many turns of both players by one threat after another
    * `marks` are those of each turn in the game's record, or ''
    """

    findings: tuple[Finding, ...] = ()
    is_complete: bool = True
    within: int = 0
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hint:
    """Help for the player to move: where to look, worded by `Wording.hint` from `name` and `facts`, and the turn."""

    name: str
    turn: str
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


@dataclass(frozen=True, slots=True)
class Forced:
    """Whether the player to move can force a win.

    * `proof`: it is proven, there is none within `within` turns of both players, or the search had to stop. Then there
      is none `within` fewer turns, which may be 0
    * `turns` are the first turns that win as fast, in the notation of the game's records
    * `by` says how far this goes. With `threats`, only turns that threaten to win were tried, so that there may be more
      of the `turns`; with `any` all were
    """

    proof: Literal["proven", "none", "unfinished"]
    within: int
    turns: tuple[str, ...] = ()
    by: Literal["any", "threats"] = "any"


class Reviewer(ABC):
    """An optional part of a `Game`: what can be proven about positions and about the turns of a game."""

    @abstractmethod
    def review(self, setup: str, turns: Sequence[str], is_over: IsOver, only: int | None = None) -> Review:
        """Return at most five findings about a finished game, or those about the turn with the number `only`."""

    @abstractmethod
    def review_states(
        self, states: Sequence[State], turns: Sequence[str], is_over: IsOver, only: int | None = None
    ) -> Review:
        """Return the same for a game of which the states are known: that before the first turn, and after each."""

    @abstractmethod
    def forced(self, state: State, within: int, is_over: IsOver) -> Forced:
        """Return whether the player to move can force a win within some turns of both players."""

    @abstractmethod
    def annotated(self, record: str, reviews: Sequence[Review]) -> str:
        """Return a record with what reviews have found about its games, as marks and comments."""

    @abstractmethod
    def in_record(self, state: State, turn: str) -> str:
        """Return a turn in canonical form as the game's records have it. `state` is any of the game."""

    @abstractmethod
    def hint(self, setup: str, turns: Sequence[str], is_over: IsOver) -> Hint:
        """Return help for the player to move after these turns. The game is not over."""

    @abstractmethod
    def hint_board(self, state: State, hint: Hint, *, is_whole: bool) -> Grid:
        """Return the board with the place marked where to look, or if `is_whole` with the turn."""


@dataclass(frozen=True, slots=True)
class EngineTerms:
    """What the operator says of an external engine.

    * `sizes` and `half_komi` are the boards and the komi, in half points, with which it plays
    * `milliseconds` is how long it thinks about a turn, and `patience` how long any other answer may take
    * `options` are those of its own, by name
    """

    sizes: frozenset[int]
    half_komi: frozenset[int] = frozenset({0})
    milliseconds: int = 5_000
    patience: int = 20_000
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "options")


@dataclass(frozen=True, slots=True)
class Ask:
    """Lines for an external engine, and how long its answer may take in milliseconds."""

    lines: tuple[str, ...]
    milliseconds: int


class EngineFault(Exception):  # noqa: N818 - the fault is the engine's
    """Raised if an engine breaks its protocol or the rules, or can't do what its settings say.

    The message is for the operator.
    """


Talk = Generator[Ask | None, str, Choice]
"""A conversation with an engine that ends with the turn it chooses.

It yields what it asks, is sent each line that the engine prints, and yields None to read on. It may raise
`EngineFault`.
"""


class EngineHost(ABC):
    """An optional part of a `Game`: a protocol by which external engines play it."""

    @abstractmethod
    def hosts(self, terms: EngineTerms, setup: str) -> bool:
        """Return whether an engine plays games with this set-up."""

    @abstractmethod
    def trials(self, terms: EngineTerms) -> tuple[str, ...]:
        """Return a set-up for each kind of game that an engine plays."""

    @abstractmethod
    def talk(self, terms: EngineTerms, setup: str, turns: Sequence[str], *, is_begun: bool = False) -> Talk:
        """Return the conversation in which an engine chooses a turn. The game is not over.

        It is with a new process, unless that has chosen a turn of this game before and so `is_begun`.
        """

    @abstractmethod
    def position_text(self, setup: str, turns: Sequence[str]) -> str:
        """Return a position on one line, for the operator."""
