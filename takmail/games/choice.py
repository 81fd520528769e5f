"""The turns that a letter lists as choices for the player to move."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from takmail.blocks import Text
from takmail.games.readonly import read_only


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn that the player can play now: the text to send, and a short name for it, such as `b4 flat`."""

    typed: str
    name: Text


@dataclass(frozen=True, slots=True)
class Choices:
    """A group of turns of one kind, from which the player can choose; `Wording.choices` words it.

    `kind` selects the wording, and `facts` are its data. `count` is the total number of turns of this
    kind. If `count` exceeds the number of choices in `turns`, `State.choices_at(place)` returns all of them.
    """

    kind: str
    turns: tuple[Choice, ...]
    count: int
    facts: Mapping[str, object] = field(default_factory=dict)
    place: str = ""

    def __post_init__(self) -> None:
        read_only(self, "facts")

    @property
    def missing(self) -> int:
        """The number of turns of this kind that `turns` doesn't list."""
        return self.count - len(self.turns)
