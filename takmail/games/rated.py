"""The optional part of a game that ratings and statistics go by."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """How often the first player wins as others have counted it, in per cent of the games that somebody won.

    `source` names who says so, in words that no language translates.
    """

    percent: float
    source: str
    komi: float = 0.0


class Rated(ABC):
    """An optional part of a `Game`: what of a set-up matters for strength. Games without it are all rated together."""

    @abstractmethod
    def board(self, setup: str) -> str | None:
        """Return the board, such as `5x5`: games on the same one are rated together. None if they are not rated.

        Raises `Refused` for an invalid set-up.
        """

    @abstractmethod
    def komi(self, setup: str) -> float:
        """Return how many points the second player has at the beginning. Raises `Refused` for an invalid set-up."""

    @abstractmethod
    def strengths(self, board: str) -> Mapping[str, int]:
        """Return the strengths of its bot's levels, in points as of ratings, as far as they were measured."""

    @abstractmethod
    def figures(self) -> Mapping[str, tuple[Figure, ...]]:
        """Return what others have counted, by board."""
