"""Define faults in the stored rows of a game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from takmail.games.interface import Reason, State
from takmail.games.readonly import read_only
from takmail.world.records import Turn


@dataclass(frozen=True, slots=True)
class Corruption:
    """The first stored value of a game that contradicts other values.

    * `kind` is the kind of game; its `Wording` words `reason`
    * `table` and the columns in `key` identify the faulty row
    * `column` is its faulty column, and `value` is what is stored there. `column` is '' if the row is missing. It is
      `text` if the turn is illegal, or leads to another board than when it was played.
    * `turn` is the faulty turn as stored, None if the fault is in no turn
    * `reason` is the rule that an illegal turn breaks
    * `before` is the state before the turn, and `after` the state after replaying it. Each is None if it is unknown.
    """

    game: int
    kind: str
    table: str
    key: Mapping[str, int]
    column: str = ""
    value: str = ""
    turn: Turn | None = None
    reason: Reason | None = None
    before: State | None = field(default=None, repr=False)
    after: State | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        read_only(self, "key")

    @property
    def board(self) -> tuple[str, ...]:
        """The replayed board after the turn, or before the turn if it is illegal. () if the fault is not about it."""
        state = self.after or self.before
        is_about_the_board = self.column in ("", "text")
        return state.board() if state is not None and is_about_the_board else ()

    @property
    def digest(self) -> str:
        """A digest of the fault, by which faults of the same game are told apart. It does not reveal stored values."""
        replayed = None if self.after is None else self.after.checksum
        what = (self.table, *self.key.items(), self.column, self.value, self.turn, replayed)
        return sha256("\n".join(map(str, what)).encode()).hexdigest()[:16]


class CorruptGame(Exception):  # noqa: N818 - a damaged database is not an error of the program
    """The board of a game is needed, but its stored rows break the rules or contradict each other.

    `fault` is the first contradiction, for the operator.
    """

    def __init__(self, fault: Corruption) -> None:
        super().__init__(f"game {fault.game}: {fault.column or 'no row'} in {fault.table} {dict(fault.key)}")
        self.fault = fault
