"""Define faults in the stored rows of a game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256

from takmail.games.interface import Reason, State
from takmail.games.readonly import read_only


class CorruptionKind(StrEnum):
    """The kinds of faults in a stored row.

    * `setup`: the set-up is invalid
    * `missing`: the row of a turn is missing
    * `illegal`: the turn is illegal
    * `other`: the turn leads to another board than when it was played
    * `seat`: the turn belongs to the player who was not to move
    * `agreed`: the turn is marked as an agreed board but is a move, or the reverse
    * `unreadable`: a column has an invalid value
    """

    SETUP = "setup"
    MISSING = "missing"
    ILLEGAL = "illegal"
    OTHER = "other"
    SEAT = "seat"
    AGREED = "agreed"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class StoredPlace:
    """A row of a table, identified by its key columns, and its faulty column. `column` is '' if the row is missing."""

    table: str
    key: Mapping[str, int]
    column: str = ""

    def __post_init__(self) -> None:
        read_only(self, "key")

    def __str__(self) -> str:
        """Return the table and the key columns, by which the row can be found."""
        return f"table {self.table}, {', '.join(f'{column} {value}' for column, value in self.key.items())}"


@dataclass(frozen=True, slots=True)
class Corruption:
    """The first stored value of a game that contradicts other values.

    * `kind` is the kind of game; its templates give the wording of `reason`
    * `reason` is the rule that an illegal turn breaks
    * `place` is the faulty row and column, and `value` is the stored content of that column
    * `turn` is the number of the faulty turn, 0 if the fault is in no turn
    * `text`, `written` and `stored` are that turn's text, typed text and checksum as stored
    * `before` is the state before the turn, and `after` the state after replaying it. Each is None if it is unknown.
    """

    game: int
    kind: str
    flaw: CorruptionKind
    place: StoredPlace
    value: str = ""
    turn: int = 0
    text: str = ""
    written: str = ""
    reason: Reason | None = None
    stored: str | None = None
    before: State | None = field(default=None, repr=False)
    after: State | None = field(default=None, repr=False)

    @property
    def replayed(self) -> str | None:
        """The checksum of the board after replaying the turn, None if that board is unknown."""
        return None if self.after is None else self.after.checksum

    @property
    def digest(self) -> str:
        """A digest of the fault, by which faults of the same game are told apart. It does not reveal stored values."""
        what = (
            self.flaw,
            self.place,
            self.place.column,
            self.value,
            self.turn,
            self.text,
            self.stored,
            self.replayed,
        )
        return sha256("\n".join(map(str, what)).encode()).hexdigest()[:16]


class CorruptGameError(RuntimeError):
    """The stored rows of a game break the rules or contradict each other.

    `fault` is the description for the operator.
    """

    def __init__(self, fault: Corruption) -> None:
        super().__init__(f"game {fault.game}: {fault.flaw}, {fault.place}")
        self.fault = fault
