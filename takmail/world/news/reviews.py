"""Define the news about reviews of finished games, and about hints."""

from dataclasses import dataclass
from typing import ClassVar

from takmail.games.interface import Seat
from takmail.games.thinking import Finding, Hint, Review
from takmail.world.news.base import GameNews, SeatNews
from takmail.world.tasks import TaskKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ThoughtAsked(SeatNews):
    """The player in `seat` asked for a review or a hint, which comes in a letter of its own."""

    kind: TaskKind
    is_told: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReviewed(SeatNews):
    """The game was reviewed for the player in `seat`.

    `turn` is the turn that the player asked about, None for the whole game. `review` is None if it failed.
    """

    review: Review | None
    turn: int | None = None
    is_told: ClassVar[bool] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EndReviewed(GameNews):
    """A game that is over was reviewed, while the letters to `seats` that tell its end were held.

    `finding` is what is worth most, None if nothing was found.
    """

    seats: tuple[Seat, ...]
    finding: Finding | None

    @property
    def readers(self) -> tuple[Seat, ...]:
        """Those to whom the end is told now."""
        return self.seats


@dataclass(frozen=True, slots=True, kw_only=True)
class HintGiven(SeatNews):
    """The player in `seat` gets a hint, None if none was found.

    `is_whole`: it tells the turn itself. `left` is how many more hints there are in this game.
    """

    hint: Hint | None
    is_whole: bool
    left: int
    is_told: ClassVar[bool] = False
