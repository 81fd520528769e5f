"""The beginning of a player's bar in a picture: the player's colour, and whether the player is to move or has won."""

from enum import Enum

from takmail.games.interface import Result, Seat
from takmail.games.picture import Align, Rectangle, Shape, Text

FONT_SIZE = 34
BASELINE = 52
"""The y of the text's baseline in a bar."""
_LETTER_WIDTH = 17.6


class BarWord(Enum):
    """What a player's bar says; the value is the text after the player's colour."""

    WAITS = ""  # the player waits for the opponent or has lost
    MOVES = "to move"
    WINS = "wins"
    DRAWS = "draws"


def bar_word(seat: Seat, result: Result | None, *, is_to_move: bool) -> BarWord:
    """Return what the bar of the player in a seat says."""
    if result is None:
        return BarWord.MOVES if is_to_move else BarWord.WAITS
    if result.winner is None:
        return BarWord.DRAWS
    return BarWord.WINS if result.winner is seat else BarWord.WAITS


def who(color: str, word: BarWord, height: int, ink: str, label: tuple[str, str]) -> tuple[Shape, ...]:
    """Return the name of a player's colour, in `ink`.

    If the player is to move, has won or has drawn, the name is on a label that says this. `label` are the colours of
    its edge and text, and of its face. `height` is that of the bar.
    """
    name = color.capitalize()
    if word is BarWord.WAITS:
        return (Text(28, BASELINE, name, FONT_SIZE, ink, Align.LEFT),)
    words = f"{name} {word.value}"
    wide = 24 + _LETTER_WIDTH * len(words)
    edge, face = label
    return (
        Rectangle(12, 12, wide, height - 24, edge, 8),
        Rectangle(15, 15, wide - 6, height - 30, face, 6),
        Text(28, BASELINE, words, FONT_SIZE, edge, Align.LEFT),
    )
