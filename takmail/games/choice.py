"""The turns that a player can choose from: what a mail says for each, and how they are laid out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from takmail.games.readonly import read_only


@dataclass(frozen=True, slots=True)
class Choice:
    """A turn that could be played now: what a mail says for it, and what it is called, such as `b4 flat`."""

    typed: str
    name: str


@dataclass(frozen=True, slots=True)
class Choices:
    """Turns to choose from that belong together; what they are is worded by the game's `choices.txt`.

    `kind` names the wording and `facts` fill it in. `rows` are the choices as they are laid out, None where there is
    no turn; several rows are a board. `count` is how many turns of the kind there are; where that is more than stand
    here, `State.choices_at` tells all those of `place`.
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
        """The choices without the gaps between them."""
        return tuple(one for row in self.rows for one in row if one is not None)

    @property
    def missing(self) -> int:
        """How many turns of the kind do not stand here."""
        return self.count - len(self.turns)
