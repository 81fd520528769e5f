"""What ratings go by in TZAAR: all its games are rated together, however the board is filled."""

from collections.abc import Mapping

from takmail.games.rated import Figure, Rated

_STRENGTHS = {"easy": 800, "fair": 1330}
"""Measured by `bench.strengths` as those of Tak; `fair` may be off by 110. `strong` was not measured."""


class TzaarRated(Rated):
    """Who fills the board, or whether it is filled by lot, makes no other game of it."""

    def board(self, setup: str) -> str | None:  # noqa: ARG002 - all are alike
        """Return ''."""
        return ""

    def komi(self, setup: str) -> float:  # noqa: ARG002 - there is none
        """Return 0."""
        return 0.0

    def strengths(self, board: str) -> Mapping[str, int]:  # noqa: ARG002 - there is one
        """Return the strengths of the levels."""
        return _STRENGTHS

    def figures(self) -> Mapping[str, tuple[Figure, ...]]:
        """Return nothing, as nobody is known to have counted."""
        return {}
