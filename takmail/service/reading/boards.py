"""Boards that stand among what was typed, and the command above one that it belongs to."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from takmail.games.game import NearMiss, WrittenBoard
from takmail.games.registry import seat_anywhere
from takmail.service.reading import forms
from takmail.service.reading.commands import Command, Compare, Propose, Unclear, Word
from takmail.service.reading.plain import command_form
from takmail.service.reading.proposing import whose_turn
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
    """The boards of a mail by the line that each begins at."""

    boards: dict[int, WrittenBoard]


def found_in(lines: Sequence[str], find_boards: FindBoards) -> Sequence[WrittenBoard]:
    """The boards among the lines that can be held against a game."""
    return [one for one in _meant(lines, find_boards) if not one.lacks_spaces]


def _meant(lines: Sequence[str], find_boards: FindBoards) -> Sequence[WrittenBoard]:
    """All boards among the lines; asterisks in them are how Gmail writes bold letters in plain text."""
    plain = [line.replace("*", "") for line in lines[:_MOST_LINES]]
    return find_boards(plain, frozenset(_expecting(plain)))


def _expecting(lines: Sequence[str]) -> Iterator[int]:
    """The lines below which a board is expected: of a command for one, or what says whose turn it is below that."""
    is_below = False
    for at, line in enumerate(lines):
        if _takes_board(line) or (is_below and whose_turn(command_form(line), seat_anywhere)):
            is_below = True
            yield at
        elif line.strip():
            is_below = False


def _takes_board(line: str) -> bool:
    """Whether it is the line of a command that takes a board."""
    if not any(word in line[:_LONGEST_COMMAND].lower() for word in ("rs", "propose")):
        return False
    line = _GAME.sub("", command_form(line[:_LONGEST_COMMAND])).rstrip("? ")
    match forms.read(line, first_line=False):
        case Word("rs") | Propose(OfferKind.BOARD):
            return True
        case _:
            return False


def placed(lines: Sequence[str], find_boards: FindBoards) -> Placed:
    """Where boards stand among the lines."""
    return Placed({one.first: one for one in _meant(lines, find_boards)})


def joined(above: Command | NearMiss, board: WrittenBoard) -> Command | None:
    """The command that stands right above a board with that board in it; None: it is none that takes a board."""
    match above:
        case Word("rs") | Propose(OfferKind.BOARD, board=None) if board.lacks_spaces:
            return Unclear("board_spaces")
        case Word("rs"):
            return Compare(board.text)
        case Propose(OfferKind.BOARD, board=None):
            return replace(above, board=board.text, is_unread=False)
        case _:
            return None
