"""The turns that a letter lists as choices for the player to move."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from takmail.games.readonly import read_only


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn that can be played now: the text to send, and its name, such as `b4 flat`."""

    typed: str
    name: str


@dataclass(frozen=True, slots=True)
class Choices:
    """A group of turns to choose from, worded by the game's `choices.txt`.

    `kind` names the wording, and `facts` are its data. `rows` are the choices in their layout, with None for
    an empty cell; several rows form a board. `count` is the total number of turns of this kind. If it exceeds
    the number of choices here, `State.choices_at(place)` returns all.
    """

    kind: str
    rows: tuple[tuple[Choice | None, ...], ...]
    count: int
    facts: Mapping[str, object] = field(default_factory=dict)
    place: str = ""

    def __post_init__(self) -> None:
        read_only(self, "facts")

    @property
    def turns(self) -> tuple[Choice, ...]:
        """The choices without the empty cells."""
        return tuple(one for row in self.rows for one in row if one is not None)

    @property
    def missing(self) -> int:
        """How many turns of this kind are not listed here."""
        return self.count - len(self.turns)
