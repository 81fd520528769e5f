"""The set-up of a game of TZAAR: how the board is filled, and the position that was drawn for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from random import Random

from takmail.games.interface import Reason, Refused
from takmail.games.tzaar.pieces import Color
from takmail.games.tzaar.position import (
    EMPTY,
    FIXED,
    Position,
    has_all_pieces,
    position_of,
    random_position,
    read_stacks,
    write_stacks,
)

START = "start="
"""What stands before the position that was drawn."""


class Layout(Enum):
    """How the board is filled: by lot, in the fixed figure, or by the players in turn."""

    RANDOM = "random"
    FIXED = "fixed"
    TOURNAMENT = "tournament"


@dataclass(frozen=True, slots=True)
class TzaarSetup:
    """A set-up; `str()` returns its canonical text, such as `fixed` or `random start=ttzRT/...`.

    `drawn` are the stacks of a random set-up, None before the game is accepted.
    """

    layout: Layout
    drawn: bytes | None = None

    def __str__(self) -> str:
        start = "" if self.drawn is None else f" {START}{write_stacks(self.drawn)}"
        return f"{self.layout.value}{start}"

    @classmethod
    def of(cls, words: Sequence[str]) -> "TzaarSetup":
        """Parse the words of a set-up; none mean `random`.

        Raises `Refused`: `unknown-word`, `said-twice` or `bad-start`.
        """
        layout: Layout | None = None
        drawn: bytes | None = None
        for word in words:
            if word.startswith(START) and layout is Layout.RANDOM and drawn is None:
                drawn = _drawn(word.removeprefix(START))
                continue
            found = next((one for one in Layout if one.value == word.lower()), None)
            if found is None:
                raise Refused(Reason("unknown-word", {"word": word[:40]}))
            if layout is not None:
                raise Refused(Reason("said-twice", {"word": word[:40]}))
            layout = found
        return cls(layout or Layout.RANDOM, drawn)

    @property
    def start(self) -> Position:
        """The position before the first turn. Until it is drawn, that of a random set-up is the empty board."""
        match self.layout:
            case Layout.FIXED:
                return FIXED
            case Layout.RANDOM if self.drawn is not None:
                return position_of(self.drawn, Color.WHITE)
            case _:
                return EMPTY

    @property
    def is_open(self) -> bool:
        """Whether the position is still to be drawn."""
        return self.layout is Layout.RANDOM and self.drawn is None

    def complete(self, rng: Random) -> "TzaarSetup":
        """Return the set-up with a position; `rng` draws a random one if there is none."""
        return replace(self, drawn=random_position(rng).stacks) if self.is_open else self


def layout_of(text: str) -> Layout:
    """Return how the board of a stored set-up is filled. Raises `Refused` as `TzaarSetup.of` does."""
    return TzaarSetup.of(text.split()).layout


def _drawn(text: str) -> bytes:
    stacks = read_stacks(text)
    if stacks is None or not has_all_pieces(stacks):
        raise Refused(Reason("bad-start", {"text": text[:20]}))
    return stacks
