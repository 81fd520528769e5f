"""The games that can be played, one line a game."""

from collections.abc import Mapping

from takmail.games.game import Game, Reading
from takmail.games.tak.game import TakGame

GAMES: Mapping[str, Game] = {
    "tak": TakGame(),
}
"""Every game by its name."""

DEFAULT = "tak"
"""The game that `new` means where it names none."""


def read_anywhere(line: str) -> Reading:
    """Read a line as a turn of whichever game it may belong to."""
    return next((reading for game in GAMES.values() if (reading := game.read_anywhere(line))), None)
