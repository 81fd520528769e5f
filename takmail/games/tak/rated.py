"""What ratings and statistics go by in Tak: the size of the board, and komi."""

from collections.abc import Mapping

from takmail.games.rated import Figure, Rated
from takmail.games.tak.bot.strengths import STRENGTHS
from takmail.games.tak.setup import stored_setup

_FIGURES: Mapping[str, tuple[Figure, ...]] = {
    "5x5": (Figure(65.6, "NohatCoder, playtak.com, 1600+"), Figure(66, "Bill Leighton"), Figure(60, "Ai Ai")),
    "6x6": (
        Figure(59.8, "NohatCoder, playtak.com, 1600+"),
        Figure(59, "Bill Leighton"),
        Figure(47.5, "Covid-19 Cup 2020", 3),
    ),
}
"""From the article on Tak in the Russian Wikipedia. Of the cup's 100 games White won 47 and Black 52."""


class TakRated(Rated):
    """Each size is rated by itself. Games for coins are not, as who plays for coins does not only play to win."""

    def board(self, setup: str) -> str | None:
        """Return the size of the board, None if coins are at stake."""
        read = stored_setup(setup)
        return None if read.coins is not None else f"{read.size}x{read.size}"

    def komi(self, setup: str) -> float:
        """Return the flats that Black has at the beginning."""
        return stored_setup(setup).half_komi / 2

    def strengths(self, board: str) -> Mapping[str, int]:
        """Return the strengths of the levels on a board."""
        return STRENGTHS.get(int(board[:1]), {})

    def figures(self) -> Mapping[str, tuple[Figure, ...]]:
        """Return what people and programs have counted, by the size of the board."""
        return _FIGURES
