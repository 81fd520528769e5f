"""The optional parts of a game: what only some games have, and the rest of takmail asks for by `isinstance`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from takmail.games.interface import ReadTurn, Reason, Result, Seat, State
from takmail.games.readonly import read_only


@dataclass(frozen=True, slots=True)
class Account:
    """The coins of a game. In each pair, the first seat comes first.

    * `pot` are the coins in the pot. At the end of the game they are those that were given out.
    * `paid` and `taken` are what each player has put into the pot, and taken out of it, before it is given out
    * `due` is what each player pays with their next turn
    * `may_take_back` tells who may take back their last turn by right, for `take_back_price` coins. None if nobody ever
      may.
    * `net` is what each has won or lost in all, None while the game goes on
    * `facts` are the data for the game's `Wording`
    """

    pot: int
    paid: tuple[int, int]
    taken: tuple[int, int] = (0, 0)
    due: tuple[int, int] = (0, 0)
    may_take_back: tuple[bool, bool] | None = None
    take_back_price: int = 0
    net: tuple[int, int] | None = None
    facts: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        read_only(self, "facts")


class Ledger(ABC):
    """An optional part of a `State`: coins that the players put into a pot and win."""

    @abstractmethod
    def account(self, take_backs: Sequence[Seat], result: Result | None) -> Account | None:
        """Return the coins of a game after these turns, or None if it is not played for coins.

        `take_backs` are the players who took back their last turn by right, without the opponent's consent, the oldest
        first. `result` is the result of a game that is over.
        """


class SecondNotation(ABC):
    """An optional part of a `State`: PTN, in which a player may choose to write their turns."""

    @abstractmethod
    def read_ptn(self, line: str) -> ReadTurn | None:
        """Return the turn that a line is in PTN, with its squares, or None. Never raises."""


class Bidding(ABC):
    """An optional part of a `Game`: set-ups whose players bid for the first turn before the game begins."""

    @abstractmethod
    def asks_bid(self, setup: str) -> bool:
        """Return whether the players of a game with this set-up bid. Raises `Refused` for an invalid one."""

    @abstractmethod
    def read_bid(self, text: str) -> int:
        """Parse a bid. Raises `Refused` if it is none."""

    @abstractmethod
    def opened(self, setup: str, bids: tuple[int, int], rng: Random) -> tuple[str, Seat]:
        """Return the set-up with the bids of both seats, and the seat that has the first turn.

        The player in this seat is the first one from now on. `rng` draws lots.
        """


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game of a record file, played by the rules as far as it can be.

    * `data` are what the command `takmail replay` prints, by name (`templates/console/replayed`)
    * `states` are the state before the first turn and the one after each turn; none if the beginning is unknown
    * `turns` are the turns between them in canonical form
    * `score` is the result that the record or the rules give, `*` if there is none
    * `error` is what is wrong with the game, or None
    * `bad_turn` and `number` are the text and the number of the turn at fault, or None
    """

    data: Mapping[str, object]
    states: tuple[State, ...] = ()
    turns: tuple[str, ...] = ()
    score: str = "*"
    error: Reason | None = None
    bad_turn: str | None = None
    number: int | None = None

    def __post_init__(self) -> None:
        read_only(self, "data")


class Recorded(ABC):
    """An optional part of a `Game`: positions and records that can be read without a stored game."""

    @abstractmethod
    def position(self, text: str) -> State | None:
        """Return the state of a position that is written on one line, or None if it is not one of this game.

        Raises `Refused` for a position of this game with something wrong in it.
        """

    @abstractmethod
    def recorded(self, text: str) -> Iterator[RecordedGame]:
        """Play every game of a record file by the rules, one after the other; never raises.

        The data of all games have the same names. A text without a game has one result, whose reason is `no-game`.
        """


class Completing(ABC):
    """An optional part of a `State`: turns to which the rules of the game add something."""

    @abstractmethod
    def completed(self, text: str) -> str:
        """Return a turn in canonical form with what the rules add to it. Any other text is returned unchanged."""
