"""Parse lines of a mail that names no game."""

from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import Ordered, Understood, understand
from takmail.games.registry import GAMES

ANYWHERE = anywhere(GAMES)


def read(text: str, *, question_open: bool = False) -> Understood:
    return understand(text, ANYWHERE, question_open=question_open)


def read_one(line: str) -> Ordered:
    """Parse a line while a question is open, and return its only command."""
    (one,) = read(line, question_open=True).orders
    return one
