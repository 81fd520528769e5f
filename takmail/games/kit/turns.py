"""The turns of a game that is played again, and which of them are agreed boards."""

from dataclasses import dataclass

AGREED_BOARD = "board "
"""How a turn in canonical form begins that replaces the board by one that both players have agreed on."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A turn: its number in the game, counted from 1, and its text."""

    number: int
    text: str


def is_board(text: str) -> bool:
    """Return whether a turn in canonical form is an agreed board."""
    return text.startswith(AGREED_BOARD)
