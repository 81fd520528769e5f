"""Build orders, and name what an order says."""

from collections.abc import Sequence
from dataclasses import replace

from takmail.commands.answers import Answer
from takmail.commands.command import Arguments, Order
from takmail.commands.command_list import COMMANDS
from takmail.commands.context import Context
from takmail.commands.grammar.line_reader import anywhere
from takmail.games.registry import GAMES
from takmail.pipeline.results import perform


def order(what: str | Arguments, arguments: Arguments | None = None, *, line: str = "the line") -> Order:
    """Return the order of a keyword with these arguments, of a line, or of the only command with such arguments."""
    if isinstance(what, Arguments):
        return COMMANDS.order(line, what)
    if arguments is None:
        read = anywhere(GAMES, COMMANDS).parse(what, is_first=True)
        return Order(line, COMMANDS[what]) if read is None else replace(read, line=line)
    command = next(one for one in COMMANDS.every if what in one.keywords and one.arguments is type(arguments))
    return Order(line, command, arguments)


def ordered(orders: Sequence[Order]) -> list[str | Arguments]:
    """Return the arguments of each order, or its keyword if it has none."""
    return [one.command.keyword if one.arguments is None else one.arguments for one in orders]


def do(
    before: Context, what: str | Arguments, arguments: Arguments | None = None, *, line: str = "the line"
) -> Answer:
    """Carry out the order that `order` returns."""
    return perform(before, order(what, arguments, line=line))


def line_as(line: str, *, is_first: bool = True) -> str | Arguments | None:
    """Return what `ordered` returns for the order of one line, None if the line begins with no keyword."""
    found = anywhere(GAMES, COMMANDS).parse(line, is_first=is_first)
    return None if found is None else ordered([found])[0]
