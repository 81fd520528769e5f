"""How the lines of a mail are read: by the rules of its game, or of any game where none is known."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from takmail.games.interface import Game, Reading, Seat, State, WrittenBoard
from takmail.games.registry import Games

ReadTurn = Callable[[str], Reading]
ReadLines = Callable[[Sequence[str]], tuple[Reading, int]]
"""Reads a turn that may go on below its first line, as `State.read_lines`."""
FindBoards = Callable[[Sequence[str], Collection[int]], Sequence[WrittenBoard]]
"""A game's way to find the boards among lines as they were typed, and below which of them one is expected."""
SeatNamed = Callable[[str], Seat | None]
"""A game's own word for a seat, such as a colour."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How lines are read: as turns, for the boards among them, and for the words that games have for seats.

    `games` are those whose names and places are known.
    """

    games: Games
    read_turn: ReadTurn
    read_lines: ReadLines
    find_boards: FindBoards
    seat_named: SeatNamed


def anywhere(games: Games) -> Reader:
    """How lines are read where no game is known: each by itself, as no turn is played."""
    return Reader(
        games,
        games.read_anywhere,
        lambda lines: (games.read_anywhere(lines[0]), 1),
        games.boards_anywhere,
        games.seat_anywhere,
    )


def in_game(games: Games, rules: Game, state: State) -> Reader:
    """How lines are read for a game as it stands."""
    return Reader(games, state.read, state.read_lines, rules.boards_in, rules.seat_named)
