"""Faults in the stored rows of a game, and where they are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256

from takmail.games.interface import Reason, State
from takmail.games.readonly import read_only


class CorruptionKind(StrEnum):
    """What is wrong with a stored row.

    illegal: the turn can't be played; other: it leads to another board than it once did; seat: it is another player's
    than the one whose turn it was; agreed: it is marked as a board that both have agreed on and is a move, or the
    other way round; unreadable: a column holds what can't stand there.
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
    """A row of a table, by the columns that find it, and the column that does not fit, '' where the row is missing."""

    table: str
    key: Mapping[str, int]
    column: str = ""

    def __post_init__(self) -> None:
        read_only(self, "key")

    def __str__(self) -> str:
        """The row, as one finds it."""
        return f"table {self.table}, {', '.join(f'{column} {value}' for column, value in self.key.items())}"


@dataclass(frozen=True, slots=True)
class Corruption:
    """The first thing stored of a game that does not agree with the rest of it.

    `kind` is the kind of game, in whose folder of templates the `reason` is worded for which a turn can't be played.
    `value` is what is stored in the column, whatever that may be. `turn` is the number of the turn, 0 where it is
    none, and `text`, `written` and `stored`, the checksum, are what is kept of it. `before` is the game before the
    turn, and `after` the one to which it leads now; None where there is none.
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
        """The checksum of the board to which the turn leads now."""
        return None if self.after is None else self.after.checksum

    @property
    def digest(self) -> str:
        """What tells this fault from another one of the same game; nothing of what is stored can be read from it."""
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
    """What is stored of a game breaks the rules or does not agree with itself; `fault` says where, for the operator."""

    def __init__(self, fault: Corruption) -> None:
        super().__init__(f"game {fault.game}: {fault.flaw}, {fault.place}")
        self.fault = fault
