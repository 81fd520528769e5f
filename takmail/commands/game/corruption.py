"""Describe faults in the stored rows of a game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256

from takmail.games.interface import Reason, State
from takmail.games.readonly import read_only


class CorruptionKind(StrEnum):
    """The kind of fault in a stored row.

    * `setup`: the set-up is invalid
    * `missing`: a turn is missing
    * `illegal`: the turn is illegal
    * `other`: it leads to another board than when it was played
    * `seat`: it belongs to the player who was not to move
    * `agreed`: it is marked as an agreed board but is a move, or the reverse
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
    """A row of a table, by its key columns, and the faulty column, '' if the row is missing."""

    table: str
    key: Mapping[str, int]
    column: str = ""

    def __post_init__(self) -> None:
        read_only(self, "key")

    def __str__(self) -> str:
        """Return the row in a form by which it can be found."""
        return f"table {self.table}, {', '.join(f'{column} {value}' for column, value in self.key.items())}"


@dataclass(frozen=True, slots=True)
class Corruption:
    """The first stored value of a game that contradicts the others.

    * `kind` is the game whose folder of templates words `reason`, the rule that an illegal turn breaks
    * `value` is the content of the column, whatever it is
    * `turn` is the number of the turn, 0 if the fault is in no turn
    * `text`, `written` and `stored` (the checksum) are the turn's columns
    * `before` is the state before the turn, and `after` the state after its replay. Both are None if unknown.
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
        """The checksum of the board after the turn's replay."""
        return None if self.after is None else self.after.checksum

    @property
    def digest(self) -> str:
        """A digest that distinguishes this fault from others of the same game, without revealing stored values."""
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
    """The stored rows of a game break the rules or contradict each other. `fault` describes it for the operator."""

    def __init__(self, fault: Corruption) -> None:
        super().__init__(f"game {fault.game}: {fault.flaw}, {fault.place}")
        self.fault = fault
