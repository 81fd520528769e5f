"""Find the boards that a player typed, and combine each with the command directly above it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from takmail.commands.command import Arguments, Command, Order
from takmail.commands.grammar.arguments import Compare
from takmail.commands.grammar.faults import LineFault, Unclear
from takmail.commands.grammar.forms import parse
from takmail.commands.grammar.line_reader import Reader
from takmail.commands.grammar.normalize import command_form, split_game
from takmail.commands.grammar.proposing import Propose, whose_turn
from takmail.games.interface import WrittenBoard
from takmail.limits.words import MAX_BOARD_COMMAND_CHARS, MAX_LINES
from takmail.world import PendingKind


def found_in(lines: Sequence[str], reader: Reader) -> Sequence[WrittenBoard]:
    """Return the boards in these lines that can be compared with a game."""
    return [one for one in _boards_in(lines, reader) if not one.lacks_spaces]


def _boards_in(lines: Sequence[str], reader: Reader) -> Sequence[WrittenBoard]:
    """Return all boards in these lines. Asterisks are removed, because Gmail marks bold text with them."""
    plain = [line.replace("*", "") for line in lines[:MAX_LINES]]
    return reader.find_boards(plain, frozenset(_lines_expecting_board(plain, reader)))


def _lines_expecting_board(lines: Sequence[str], reader: Reader) -> Iterator[int]:
    """Yield the numbers of the lines below which a board is expected.

    Such a line is a command that takes a board, or it follows such a command and says whose turn it would be.
    """
    is_below = False
    for at, line in enumerate(lines):
        if _may_take_board(line, reader) or (is_below and whose_turn(command_form(line), reader.seat_named)):
            is_below = True
            yield at
        elif line.strip():
            is_below = False


def _may_take_board(line: str, reader: Reader) -> bool:
    """Tell whether a line is a command that takes a board."""
    if not any(word in line[:MAX_BOARD_COMMAND_CHARS].lower() for word in ("rs", "propose")):
        return False
    _, words = split_game(command_form(line[:MAX_BOARD_COMMAND_CHARS]).rstrip("? "))
    order = parse(words, reader, is_first=False)
    return order is not None and takes_board(order)


def takes_board(order: Order) -> bool:
    """Tell whether a board below a command belongs to it."""
    match order:
        case Order(command=Command(takes_board=True), arguments=None | Propose(PendingKind.BOARD)):
            return True
        case _:
            return False


def placed(lines: Sequence[str], reader: Reader) -> dict[int, WrittenBoard]:
    """Return all boards in these lines, by the number of their first line."""
    return {one.first: one for one in _boards_in(lines, reader)}


def joined(above: Order, board: WrittenBoard) -> Arguments | None:
    """Return the arguments of the command above a board with that board added, None if the command takes no board."""
    if not takes_board(above):
        return None
    match above.arguments:
        case Propose(board=str()):
            return None
        case _ if board.lacks_spaces:
            return Unclear(LineFault.BOARD_SPACES)
        case Propose() as proposed:
            return replace(proposed, board=board.text, is_unread=False)
        case _:
            return Compare(board.text)
