"""Parse lines of a mail that names no game."""

from takmail.commands.command import Order
from takmail.commands.command_list import COMMANDS
from takmail.commands.grammar import answers
from takmail.commands.grammar.answers import Expected
from takmail.commands.grammar.line_reader import anywhere
from takmail.commands.grammar.understand import ANSWERS_NOTHING, understand
from takmail.commands.grammar.understood import Understood
from takmail.games.registry import GAMES

ANYWHERE = anywhere(GAMES, COMMANDS)


ASKED = Expected(answers.QUESTION)
"""A question is open."""


def read(text: str, expected: Expected = ANSWERS_NOTHING) -> Understood:
    return understand(text, ANYWHERE, expected=expected)


def read_one(line: str) -> Order:
    """Parse a line while a question is open, and return its only command."""
    (one,) = read(line, ASKED).orders
    return one
