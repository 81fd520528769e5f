"""Boards that stand among what was typed, and the command above one that it belongs to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from takmail.games.game import NearMiss, WrittenBoard
from takmail.service.reading.commands import Command, Compare, Propose, Word
from takmail.store.tables import OfferKind

MOST_BOARDS = 3
"""How many boards of one mail are looked at."""
_MOST_LINES = 2_000
"""How many lines of a mail are looked through for boards."""

FindBoards = Callable[[Sequence[str]], Sequence[WrittenBoard]]
"""A game's way to find the boards among lines as they were typed."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The boards of a mail by the line that each begins at, and every line that one of them takes up."""

    boards: dict[int, str]
    lines: frozenset[int]


def found_in(lines: Sequence[str], find_boards: FindBoards) -> Sequence[WrittenBoard]:
    """The boards among the lines; asterisks in them are how Gmail writes bold letters in plain text."""
    return find_boards([line.replace("*", "") for line in lines[:_MOST_LINES]])


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
            return replace(above, board=board)
        case _:
            return None
