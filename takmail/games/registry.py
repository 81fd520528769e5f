"""The games that can be played, one line a game."""

from collections.abc import Collection, Mapping, Sequence

from takmail.games.game import Game, Reading, Seat, WrittenBoard
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


def seat_anywhere(word: str) -> Seat | None:
    """The seat that a word names in whichever game it may belong to."""
    return next((seat for game in GAMES.values() if (seat := game.seat_named(word)) is not None), None)


def boards_anywhere(lines: Sequence[str], expected: Collection[int] = ()) -> tuple[WrittenBoard, ...]:
    """Find the boards among lines, of whichever game they may belong to."""
    return next((found for game in GAMES.values() if (found := game.boards_in(lines, expected))), ())
