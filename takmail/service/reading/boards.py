"""Boards that stand among what was typed, and the command above one that it belongs to."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from takmail.games.game import NearMiss, WrittenBoard
from takmail.service.reading import forms
from takmail.service.reading.commands import Command, Compare, Propose, Word
from takmail.service.reading.plain import command_form
from takmail.store.tables import OfferKind

MOST_BOARDS = 3
"""How many boards of one mail are looked at."""
_LONGEST_COMMAND = 200
_GAME = re.compile(r"^#\d{1,9} (?=\S)")
_MOST_LINES = 2_000
"""How many lines of a mail are looked through for boards."""

FindBoards = Callable[[Sequence[str], Collection[int]], Sequence[WrittenBoard]]
"""A game's way to find the boards among lines as they were typed, and below which of them one is expected."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The boards of a mail by the line that each begins at, and every line that one of them takes up."""

    boards: dict[int, str]
    lines: frozenset[int]


def found_in(lines: Sequence[str], find_boards: FindBoards) -> Sequence[WrittenBoard]:
    """The boards among the lines; asterisks in them are how Gmail writes bold letters in plain text."""
    plain = [line.replace("*", "") for line in lines[:_MOST_LINES]]
    return find_boards(plain, frozenset(at for at, line in enumerate(plain) if _takes_board(line)))


def _takes_board(line: str) -> bool:
    """Whether it is the line of a command below which a board is expected."""
    if not any(word in line[:_LONGEST_COMMAND].lower() for word in ("rs", "propose")):
        return False
    command = forms.read(_GAME.sub("", command_form(line[:_LONGEST_COMMAND])), first_line=False)
    return command is not None and joined(command, "") is not None


def placed(lines: Sequence[str], find_boards: FindBoards) -> Placed:
    """Where boards stand among the lines."""
    found = found_in(lines, find_boards)
    taken = (number for one in found for number in range(one.first, one.after))
    return Placed({one.first: one.text for one in found}, frozenset(taken))


def joined(above: Command | NearMiss, board: str) -> Command | None:
    """The command that stands right above a board with that board in it; None: it is none that takes a board."""
    match above:
        case Word("rs"):
            return Compare(board)
        case Propose(OfferKind.BOARD, board=None):
            return replace(above, board=board, is_unread=False)
        case _:
            return None
