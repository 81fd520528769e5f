"""A helper that parses a line without a known game."""

from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import Ordered, Understood, understand
from takmail.games.registry import GAMES

ANYWHERE = anywhere(GAMES)


def read(text: str, *, question_open: bool = False) -> Understood:
    return understand(text, ANYWHERE, question_open=question_open)


def read_one(line: str) -> Ordered:
    """Return the only command of a line, parsed while a question is open."""
    (one,) = read(line, question_open=True).orders
    return one
