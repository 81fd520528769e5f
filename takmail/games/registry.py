"""The games that can be played, one line a game."""

from collections.abc import Mapping

from takmail.games.game import Game
from takmail.games.tak.game import TakGame

GAMES: Mapping[str, Game] = {
    "tak": TakGame(),
}
"""Every game by its name."""

DEFAULT = "tak"
"""The game that `new` means where it names none."""
